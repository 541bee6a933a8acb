#if !canImport(Darwin)
    import CoreData
    import ChordataTestSupport
    import Testing

    struct ModelVersionTests {
        private func model(_ path: String) -> NSManagedObjectModel? {
            NSManagedObjectModel(contentsOf: URL(fileURLWithPath: path))
        }

        private func openStore(
            _ model: NSManagedObjectModel,
            _ url: URL,
            _ options: [AnyHashable: Any]? = nil
        ) throws -> NSPersistentStoreCoordinator {
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
            try coordinator.addPersistentStore(
                ofType: NSSQLiteStoreType,
                configurationName: nil,
                at: url,
                options: options
            )
            return coordinator
        }

        private func makeContext(_ coordinator: NSPersistentStoreCoordinator) -> NSManagedObjectContext {
            let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            context.persistentStoreCoordinator = coordinator
            return context
        }

        private func metadata(_ url: URL) throws -> [String: Any] {
            try NSPersistentStoreCoordinator.metadataForPersistentStore(
                ofType: NSSQLiteStoreType,
                at: url,
                options: nil
            )
        }

        @Test func versionsHaveURLs() throws {
            let current = try #require(model("/App/Kiosk.momd"))
            expectEqual(current.versionIdentifiers, ["2.0"])
            expectEqual(model("/App/Kiosk.momd/Kiosk 2.mom")?.versionIdentifiers, ["2.0"])
            let old = try #require(model("/App/Kiosk.momd/Kiosk.mom"))
            expectEqual(old.versionIdentifiers, ["1.0"])
            expectEqual(old.entitiesByName["Item"]?.attributesByName.keys.sorted(), ["name"])
            #expect(old.entityVersionHashesByName["Item"] != current.entityVersionHashesByName["Item"])
            #expect(model("/App/Kiosk.momd/Kiosk 3.mom") == nil)
            expectEqual(model("/App/Kiosk.mom")?.versionIdentifiers, ["2.0"])
            let urls = NSManagedObjectModel.urls(forVersionsOfModelNamed: "Kiosk")
            expectEqual(urls.map(\.lastPathComponent), ["Kiosk.mom", "Kiosk 2.mom"])
            expectEqual(urls.compactMap { NSManagedObjectModel(contentsOf: $0) }.count, 2)
            #expect(NSManagedObjectModel.urls(forVersionsOfModelNamed: "Unknown").isEmpty)
        }

        @Test func fetchRequestTemplates() throws {
            let current = try #require(model("/App/Kiosk.momd"))
            expectEqual(current.fetchRequestTemplatesByName.keys.sorted(), ["named", "teas"])
            let request = try #require(current.fetchRequestTemplatesByName["teas"])
            #expect(request.entityName == "Item" && request.predicate?.description == "name == \"Tea\"")
            #expect(NSManagedObjectModel().fetchRequestTemplatesByName.isEmpty)
        }

        @Test func mergedModels() throws {
            #expect(NSManagedObjectModel(byMerging: nil) == nil && NSManagedObjectModel(byMerging: []) == nil)
            let kiosk = try #require(model("/App/Kiosk.momd"))
            let same = NSManagedObjectModel(byMerging: [kiosk])
            expectEqual(same?.entityVersionHashesByName, kiosk.entityVersionHashesByName)
            let note = NSEntityDescription()
            note.name = "Note"
            let text = NSAttributeDescription()
            text.name = "text"
            text.attributeType = .stringAttributeType
            note.properties = [text]
            let notes = NSManagedObjectModel()
            notes.entities = [note]
            let merged = try #require(NSManagedObjectModel(byMerging: [makeLibraryModel(), notes]))
            expectEqual(merged.entitiesByName.keys.sorted(), ["Author", "Book", "Note"])
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: merged)
            try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
            let context = makeContext(coordinator)
            try context.performAndWait {
                addAuthor("Ann", to: context)
                NSEntityDescription.insertNewObject(forEntityName: "Note", into: context).setValue("a", forKey: "text")
                try context.save()
                expectEqual(try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Note")), 1)
            }
        }

        @Test func storesOfOlderVersions() throws {
            let old = try #require(model("/App/Kiosk.momd/Kiosk.mom"))
            let current = try #require(model("/App/Kiosk.momd"))
            try withStoreURL { url in
                let writer = makeContext(try openStore(old, url))
                try writer.performAndWait {
                    let item = NSEntityDescription.insertNewObject(forEntityName: "Item", into: writer)
                    item.setValue("Tea", forKey: "name")
                    try writer.save()
                }
                let before = try metadata(url)
                #expect(old.isConfiguration(withName: nil, compatibleWithStoreMetadata: before))
                #expect(!current.isConfiguration(withName: nil, compatibleWithStoreMetadata: before))
                let found = NSManagedObjectModel.mergedModel(from: nil, forStoreMetadata: before)
                expectEqual(found?.versionIdentifiers, ["1.0"])
                // Migrating is an option, as in Core Data.
                do {
                    _ = try openStore(current, url)
                    Issue.record("a store of an older version was opened")
                } catch let error as NSError {
                    expectEqual(error.domain, NSCocoaErrorDomain)
                    expectEqual(error.code, NSPersistentStoreIncompatibleVersionHashError)
                }
                let coordinator = try openStore(
                    current,
                    url,
                    [NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true]
                )
                let after = try metadata(url)
                #expect(current.isConfiguration(withName: nil, compatibleWithStoreMetadata: after))
                let reader = makeContext(coordinator)
                try reader.performAndWait {
                    let items = try reader.fetch(NSFetchRequest<NSManagedObject>(entityName: "Item"))
                    #expect(items.map { $0.value(forKey: "name") as? String } == ["Tea"])
                    #expect(items.first?.value(forKey: "price") == nil)
                }
                #expect(NSManagedObjectModel.mergedModel(from: nil, forStoreMetadata: [:]) == nil)
            }
        }

        /// U13: the store is unchanged, and can be migrated when its values are unique.
        @Test func u13ValuesThatAreNotUnique() throws {
            let old = try #require(model("/App/Coupon.momd/Coupon.mom"))
            let current = try #require(model("/App/Coupon.momd"))
            let options = [NSMigratePersistentStoresAutomaticallyOption: true]
            try withStoreURL { url in
                let writer = makeContext(try openStore(old, url))
                let coupons = try writer.performAndWait {
                    let coupons = (0..<2).map { _ in
                        NSEntityDescription.insertNewObject(forEntityName: "Coupon", into: writer)
                    }
                    for coupon in coupons { coupon.setValue("A1", forKey: "code") }
                    try writer.save()
                    return coupons
                }
                do {
                    _ = try openStore(current, url, options)
                    Issue.record("a store with equal codes was migrated")
                } catch let error as NSError {
                    expectEqual(error.domain, NSCocoaErrorDomain)
                    expectEqual(error.code, NSMigrationConstraintViolationError)
                }
                #expect(old.isConfiguration(withName: nil, compatibleWithStoreMetadata: try metadata(url)))
                try writer.performAndWait {
                    coupons[1].setValue("A2", forKey: "code")
                    try writer.save()
                }
                let reader = makeContext(try openStore(current, url, options))
                try reader.performAndWait { () throws in
                    expectEqual(try reader.count(for: NSFetchRequest<NSManagedObject>(entityName: "Coupon")), 2)
                }
            }
        }

        @Test func movedStores() throws {
            let current = try #require(model("/App/Kiosk.momd"))
            try withStoreURL { url in
                let coordinator = try openStore(current, url)
                let writer = makeContext(coordinator)
                try writer.performAndWait {
                    NSEntityDescription.insertNewObject(forEntityName: "Item", into: writer).setValue(
                        "Tea",
                        forKey: "name"
                    )
                    try writer.save()
                }
                let copyURL = url.deletingLastPathComponent().appendingPathComponent("Copy.sqlite")
                let store = try #require(coordinator.persistentStores.first)
                #expect(throws: UnsupportedFeatureError.self) {
                    try coordinator.migratePersistentStore(store, to: copyURL, withType: NSInMemoryStoreType)
                }
                expectEqual(coordinator.persistentStores.count, 1)
                let copy = try coordinator.migratePersistentStore(store, to: copyURL, withType: NSSQLiteStoreType)
                expectEqual(copy.url?.lastPathComponent, "Copy.sqlite")
                #expect(coordinator.persistentStores.count == 1 && coordinator.persistentStores.first === copy)
                expectEqual(copy.type, NSSQLiteStoreType)
                #expect(FileManager.default.fileExists(atPath: url.path))
                // Contexts of the previous file do not save to it.
                writer.performAndWait {
                    NSEntityDescription.insertNewObject(forEntityName: "Item", into: writer).setValue(
                        "Rye",
                        forKey: "name"
                    )
                    #expect(throws: UnsupportedFeatureError.self) { try writer.save() }
                }
                let reader = makeContext(coordinator)
                let items = NSFetchRequest<NSManagedObject>(entityName: "Item")
                try reader.performAndWait { () throws in
                    expectEqual(try reader.count(for: items), 1)
                    NSEntityDescription.insertNewObject(forEntityName: "Item", into: reader).setValue(
                        "Oat",
                        forKey: "name"
                    )
                    try reader.save()
                }
                let former = makeContext(try openStore(current, url))
                let count = try former.performAndWait { try former.count(for: items) }
                expectEqual(count, 1)
            }
        }
    }
#endif
