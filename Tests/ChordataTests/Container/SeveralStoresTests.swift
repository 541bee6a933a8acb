import ChordataModel
import ChordataTestSupport
import Foundation
import Testing

@_spi(Generated) @testable import Chordata

/// Several stores of one coordinator, with and without configurations (S3).
///
/// In the model Museum, the configuration Collection has Exhibit, Keyword, Remark and Wing, and the configuration
/// Guests has Keyword, Remark and Visit.
@Suite(.onlySQLite(.severalStores))
struct SeveralStoresTests {
    private struct Museum {
        let container: PersistentContainer
        let collection: PersistentStore
        let guests: PersistentStore
        let paths: [String]

        init(
            in folder: String,
            collectionOptions: StoreOptions = StoreOptions(),
            guestsOptions: StoreOptions = StoreOptions()
        ) throws {
            paths = [folder + "-collection", folder + "-guests"]
            container = try PersistentContainer(
                model: MuseumModel.definition,
                storeDescriptions: [
                    PersistentStoreDescription(
                        path: paths[0],
                        configuration: "Collection",
                        options: collectionOptions
                    ),
                    PersistentStoreDescription(path: paths[1], configuration: "Guests", options: guestsOptions),
                ]
            )
            collection = container.persistentStoreCoordinator.persistentStores[0]
            guests = container.persistentStoreCoordinator.persistentStores[1]
        }

        /// The number of rows of a table in each file.
        func counts(of table: String) throws -> [Int64] {
            try paths.map {
                try SQLiteConnection(path: $0, mode: .readOnly).integer("SELECT count(*) FROM \"\(table)\"")
            }
        }
    }

    // MARK: Routing

    @Test func configurationsDecide() throws {
        try withStorePath { path in
            let museum = try Museum(in: path)
            let context = museum.container.newContext()
            let wing = Wing(context: context, name: "North")
            for name in ["Astrolabe", "Sextant"] { Exhibit(context: context, name: name).wing = wing }
            _ = Visit(context: context, guest: "Ann")
            try context.save()
            expectEqual(try museum.counts(of: "Exhibit"), [2, 0])
            expectEqual(try museum.counts(of: "Wing"), [1, 0])
            expectEqual(try museum.counts(of: "Visit"), [0, 1])
            expectEqual(museum.collection.configurationName, "Collection")
            // Another container reads the same objects.
            let other = try Museum(in: path).container.newContext()
            let exhibits = try other.fetch(Exhibit.fetchRequest().where(\.wing?.name == "North").sorted(by: \.name))
            expectEqual(exhibits.map(\.name), ["Astrolabe", "Sextant"])
            expectEqual(try other.fetch(Wing.fetchRequest())[0].exhibits.map(\.name), ["Astrolabe", "Sextant"])
            expectEqual(try other.count(for: Visit.fetchRequest()), 1)
            // Each file can be opened as a single store.
            let alone = try MuseumModel.container(at: museum.paths[1]).newContext()
            #expect(try alone.count(for: Visit.fetchRequest()) == 1 && alone.count(for: Exhibit.fetchRequest()) == 0)
        }
    }

    @Test func newObjectsAreAssigned() throws {
        try withStorePath { path in
            let museum = try Museum(in: path)
            let context = museum.container.newContext()
            // Without an assignment, an object is saved to the first store that has its entity.
            _ = Remark(context: context, text: "first")
            let assigned = Remark(context: context, text: "second")
            let keyword = Keyword(context: context, name: "loan")
            assigned.addToKeywords(keyword)
            let former = assigned.objectID
            try context.assign(assigned, to: museum.guests)
            try context.assign(keyword, to: museum.guests)
            #expect(assigned.objectID != former)
            #expect(context.registeredObject(for: assigned.objectID) === assigned)
            try context.save()
            #expect(try museum.counts(of: "Remark") == [1, 1] && museum.counts(of: "Keyword") == [0, 1])
            let coordinator = museum.container.persistentStoreCoordinator
            #expect(coordinator.persistentStore(for: assigned.objectID) === museum.guests)
            #expect(assigned.objectID.uriRepresentation.contains(museum.guests.identifier.uuidString))
            // Changes and deletions are written to the store that has the row.
            assigned.text = "changed"
            try context.save()
            let other = museum.container.newContext()
            let texts = try other.fetch(Remark.fetchRequest().sorted(by: \.text)).map(\.text)
            expectEqual(texts, ["changed", "first"])
            expectEqual(
                try other.fetch(Remark.fetchRequest().where(try FetchPredicate(format: "keywords.@count > 0"))).map(
                    \.text
                ),
                ["changed"]
            )
            context.delete(assigned)
            try context.save()
            #expect(try museum.counts(of: "Remark") == [1, 0] && museum.counts(of: "Keyword_remarks") == [0, 0])
        }
    }

    @Test func assignmentsThatAreErrors() throws {
        try withStorePath { path in
            let museum = try Museum(in: path)
            let context = museum.container.newContext()
            let exhibit = Exhibit(context: context, name: "Globe")
            let id = exhibit.objectID
            #expect(
                throws: StoreAssignmentError.entityNotInConfiguration(
                    entityName: "Exhibit",
                    configurationName: "Guests"
                )
            ) { try context.assign(exhibit, to: museum.guests) }
            expectEqual(exhibit.objectID, id)
            let foreign = try MuseumModel.container(at: path + "-other")
            let store = foreign.persistentStoreCoordinator.persistentStores[0]
            #expect(throws: StoreAssignmentError.unknownStore(path: store.path)) {
                try context.assign(exhibit, to: store)
            }
            try context.assign(exhibit, to: museum.collection)
            try context.save()
            #expect(throws: StoreAssignmentError.notInserted(entityName: "Exhibit")) {
                try context.assign(exhibit, to: museum.collection)
            }
            let child = ManagedObjectContext()
            child.parent = context
            let remark = Remark(context: child, text: "child")
            #expect(throws: StoreAssignmentError.childContext) { try child.assign(remark, to: museum.guests) }
            // With one store, assigning an object to that store is allowed and has no effect.
            let alone = foreign.newContext()
            let wing = Wing(context: alone, name: "East")
            try alone.assign(wing, to: store)
            #expect(throws: StoreAssignmentError.unknownStore(path: museum.guests.path)) {
                try alone.assign(wing, to: museum.guests)
            }
        }
    }

    @Test func undoKeepsTheStore() throws {
        try withStorePath { path in
            let museum = try Museum(in: path)
            let context = museum.container.newContext()
            context.undoManager = ContextUndoManager()
            let remark = Remark(context: context, text: "a")
            try context.assign(remark, to: museum.guests)
            try context.save()
            context.delete(remark)
            try context.save()
            context.undo()
            try context.save()
            expectEqual(try museum.counts(of: "Remark"), [0, 1])
        }
    }

    @Test func entityWithoutAStore() throws {
        try withStorePath { path in
            let container = try PersistentContainer(
                model: MuseumModel.definition,
                storeDescriptions: [PersistentStoreDescription(path: path, configuration: "Guests")]
            )
            let context = container.newContext()
            #expect(try context.fetch(Exhibit.fetchRequest()).isEmpty)
            let exhibit = Exhibit(context: context, name: "Globe")
            let error = #expect(throws: StoreError.self) { try context.save() }
            #expect(error?.code == .noStoreForEntity && error?.message.contains("'Exhibit'") == true)
            #expect(exhibit.isInserted)
            context.delete(exhibit)
            _ = Visit(context: context, guest: "Bob")
            try context.save()
            #expect(throws: StoreError.self) {
                try context.insertValues([Wing.Values(objectID: ObjectID(), name: "West")])
            }
        }
    }

    // MARK: Fetching

    @Test func fetchesAreMergedInOrder() throws {
        try withStorePath { path in
            let museum = try Museum(in: path)
            let context = museum.container.newContext()
            for rank in 1...20 {
                let remark = Remark(context: context, text: "r\(rank % 3)")
                remark.rank = Int32(rank)
                if rank.isMultiple(of: 2) { try context.assign(remark, to: museum.guests) }
            }
            try context.save()
            expectEqual(try museum.counts(of: "Remark"), [10, 10])
            let other = museum.container.newContext()
            let sorted = Remark.fetchRequest().sorted(by: \.rank, .descending)
            expectEqual(try other.fetch(sorted).map(\.rank), Array((1...20).reversed()))
            var page = sorted
            page.fetchOffset = 3
            page.fetchLimit = 4
            expectEqual(try other.fetch(page).map(\.rank), [17, 16, 15, 14])
            expectEqual(try other.count(for: Remark.fetchRequest().where(\.rank > 5)), 15)
            let values: [Remark.Values] = try other.fetchValues(sorted)
            expectEqual(values.map(\.rank), Array((1...20).reversed()))
            let controller = FetchedResultsController(
                fetchRequest: Remark.fetchRequest().sorted(by: \.text).sorted(by: \.rank),
                managedObjectContext: other,
                sectionNameKeyPath: "text"
            )
            try controller.performFetch()
            expectEqual(controller.sections?.map(\.name), ["r0", "r1", "r2"])
            expectEqual(controller.sections?.map(\.numberOfObjects), [6, 7, 7])
        }
    }

    /// A uniqueness constraint holds within a store.
    @Test func uniquenessOfEachStore() throws {
        let model = try ManagedObjectModel(entities: [
            EntityDescription(
                name: "City",
                attributes: [
                    AttributeDescription(name: "name", attributeType: .string),
                    AttributeDescription(name: "size", attributeType: .integer32, isOptional: true),
                ],
                uniquenessConstraints: [["name"]]
            )
        ])
        let definition = ModelDefinition(name: "Cities", versionName: "Cities", model: model)
        try withStorePath { path in
            let container = try PersistentContainer(
                model: definition,
                storeDescriptions: ["a", "b"].map { PersistentStoreDescription(path: path + $0) }
            )
            let stores = container.persistentStoreCoordinator.persistentStores
            func insert(_ name: String, _ size: Int, _ store: Int, _ context: ManagedObjectContext) throws {
                let city = EntityDescription.insertNewObject(forEntityName: "City", into: context)
                city.setValue(name, forKey: "name")
                city.setValue(size, forKey: "size")
                try context.assign(city, to: stores[store])
            }
            func sizes() throws -> [[Int32]] {
                try stores.map { store in
                    var request = FetchRequest<ManagedObject>(entityName: "City")
                    request.affectedStores = [store]
                    return try container.newContext().fetch(request).compactMap { $0.value(forKey: "size") as? Int32 }
                        .sorted()
                }
            }
            let context = container.newContext()
            try insert("Ulm", 1, 0, context)
            try insert("Ulm", 2, 1, context)
            try context.save()
            expectEqual(try sizes(), [[1], [2]])
            let other = container.newContext()
            try insert("Ulm", 3, 1, other)
            #expect(throws: UniquenessConflictError.self) { try other.save() }
            other.mergePolicy = .mergeByPropertyObjectTrump
            try other.save()
            expectEqual(try sizes(), [[1], [3]])
            try insert("Bonn", 4, 0, other)
            try insert("Bonn", 5, 0, other)
            try insert("Bonn", 6, 1, other)
            try other.save()
            #expect(try sizes()[1] == [3, 6] && sizes()[0].count == 2)
        }
    }

    @Test func fetchesOfSomeStores() throws {
        try withStorePath { path in
            let museum = try Museum(in: path)
            let context = museum.container.newContext()
            for number in 0..<4 {
                let remark = Remark(context: context, text: "r\(number)")
                try context.assign(remark, to: number < 2 ? museum.collection : museum.guests)
            }
            _ = Exhibit(context: context, name: "Globe")
            func texts(_ stores: [PersistentStore], _ format: String? = nil) throws -> [String] {
                var request = Remark.fetchRequest().sorted(by: \.text)
                if let format { request = request.where(try FetchPredicate(format: format)) }
                request.affectedStores = stores
                let texts = try context.fetch(request).map(\.text)
                expectEqual(try context.count(for: request), texts.count)
                return texts
            }
            // The results are the same before and after the save.
            for _ in 0..<2 {
                expectEqual(try texts([museum.collection]), ["r0", "r1"])
                expectEqual(try texts([museum.guests]), ["r2", "r3"])
                expectEqual(try texts([museum.guests], "text != 'r2'"), ["r3"])
                expectEqual(try texts([museum.guests, museum.collection]), ["r0", "r1", "r2", "r3"])
                expectEqual(try texts([]), [])
                var exhibits = Exhibit.fetchRequest()
                exhibits.affectedStores = [museum.guests]
                #expect(try context.fetch(exhibits).isEmpty)
                exhibits.affectedStores = [museum.collection]
                expectEqual(try context.fetch(exhibits).count, 1)
                try context.save()
            }
            var update = BatchUpdateRequest<Remark>().setting(\.rank, to: 1)
            update.affectedStores = [museum.guests]
            expectEqual(try context.execute(update).updatedObjectsCount, 2)
            var delete = BatchDeleteRequest(fetchRequest: Remark.fetchRequest())
            delete.fetchRequest.affectedStores = [museum.collection]
            expectEqual(try context.execute(delete).deletedObjectsCount, 2)
            expectEqual(try museum.counts(of: "Remark"), [0, 2])
            var insert = BatchInsertRequest<Remark>(objects: [["text": "a"], ["text": "b"]])
            insert.affectedStores = [museum.guests]
            let inserted = try context.execute(insert)
            expectEqual(try museum.counts(of: "Remark"), [0, 4])
            #expect(
                try context.existingObject(with: inserted.insertedObjectIDs[0]).value(forKey: "text") as? String == "a"
            )
            // With one store, its objects are fetched only if the request includes that store.
            let alone = try MuseumModel.container(at: path + "-alone")
            let single = alone.newContext()
            _ = Wing(context: single, name: "East")
            var wings = Wing.fetchRequest()
            wings.affectedStores = alone.persistentStoreCoordinator.persistentStores
            expectEqual(try single.fetch(wings).count, 1)
            wings.affectedStores = [museum.collection]
            #expect(try single.fetch(wings).isEmpty)
        }
    }

    /// Rows are found by the keys and indexes of each file.
    @Test func viewsUseKeys() throws {
        try withStorePath { path in
            let museum = try Museum(in: path)
            try museum.container.store.sqlite.read { connection in
                for (table, condition, isOfBoth) in [
                    ("Exhibit", "_id = 1", false), ("Remark", "_id = 1", true), ("Exhibit", "wing = 1", false),
                    ("Keyword_remarks", "source = 1", true),
                ] {
                    let plan = try connection.prepare(
                        "EXPLAIN QUERY PLAN SELECT * FROM \(table) AS t0 WHERE t0.\(condition)"
                    )
                    var steps: [String] = []
                    while try plan.step() { steps.append(plan.text(at: 3) ?? "") }
                    let searches = steps.filter { $0.hasPrefix("SEARCH") }
                    #expect(
                        searches.count == (isOfBoth ? 2 : 1) && !steps.contains { $0.hasPrefix("SCAN") },
                        "\(steps)"
                    )
                }
            }
        }
    }

    /// The same operations give the same objects with two stores as with one.
    @Test func severalStoresAreAsOne() throws {
        let first = setting("CHORDATA_SEED", small: UInt64(1))
        let count = setting("CHORDATA_SEVERAL_STORES", small: UInt64(8))
        print("several stores: seeds \(first)..<\(first + count)")
        for seed in first..<first + count {
            try withStorePath { path in
                var random = ChordataTestSupport.SeededGenerator(seed: seed)
                let museum = try Museum(in: path)
                let contexts = [
                    museum.container.newContext(), try MuseumModel.container(at: path + "-one").newContext(),
                ]
                for step in 0..<60 {
                    let (choice, number, place) = (
                        Int.random(in: 0..<10, using: &random), Int.random(in: 0..<1_000, using: &random),
                        Int.random(in: 0..<2, using: &random)
                    )
                    for (index, context) in contexts.enumerated() {
                        let remarks = try context.fetch(Remark.fetchRequest().sorted(by: \.text))
                        let keywords = try context.fetch(Keyword.fetchRequest().sorted(by: \.name))
                        switch choice {
                        case 0..<3:
                            let remark = Remark(context: context, text: "r\(step)")
                            remark.rank = Int32(number)
                            let keyword = Keyword(context: context, name: "k\(step)")
                            keyword.addToRemarks(remark)
                            if index == 0 {
                                let store = place == 0 ? museum.collection : museum.guests
                                try context.assign(remark, to: store)
                                try context.assign(keyword, to: store)
                            }
                        case 3 where !remarks.isEmpty: context.delete(remarks[number % remarks.count])
                        case 4 where !keywords.isEmpty: context.delete(keywords[number % keywords.count])
                        case 5 where !remarks.isEmpty: remarks[number % remarks.count].rank = Int32(step)
                        case 6: context.rollback()
                        case 7: _ = Exhibit(context: context, name: "e\(step)")
                        case 8:
                            try context.save()
                            try context.execute(
                                BatchUpdateRequest<Remark>().where(\.rank < Int32(number)).setting(
                                    \.rank,
                                    to: Int32(step)
                                )
                            )
                            context.refreshAllObjects()
                        default: try context.save()
                        }
                    }
                    let states = try contexts.map { context in
                        try context.fetch(Remark.fetchRequest().sorted(by: \.text)).map { remark in
                            "\(remark.text) \(remark.rank) \(remark.keywords.map(\.name).sorted())"
                        }
                    }
                    expectEqual(states[0], states[1], "seed \(seed), step \(step), operation \(choice)")
                }
            }
        }
    }

    @Test func contextsMergeSavesOfEachStore() throws {
        try withStorePath { path in
            let museum = try Museum(in: path)
            let (writer, reader) = (museum.container.newContext(), museum.container.newContext())
            reader.automaticallyMergesChangesFromParent = true
            let remark = Remark(context: writer, text: "old")
            try writer.assign(remark, to: museum.guests)
            let exhibit = Exhibit(context: writer, name: "old")
            try writer.save()
            let read = try reader.fetch(Remark.fetchRequest())[0]
            let readExhibit = try reader.fetch(Exhibit.fetchRequest())[0]
            #expect(read.text == "old" && readExhibit.name == "old")
            #expect(read.objectID == remark.objectID && readExhibit.objectID == exhibit.objectID)
            remark.text = "new"
            exhibit.name = "new"
            try writer.save()
            reader.processPendingChanges()
            #expect(read.text == "new" && readExhibit.name == "new")
            // A conflict in the second store leaves the first one unchanged.
            read.text = "mine"
            readExhibit.name = "mine"
            try reader.save()
            writer.mergePolicy = .error
            remark.text = "theirs"
            exhibit.name = "theirs"
            #expect(throws: SaveConflictError.self) { try writer.save() }
            let fresh = museum.container.newContext()
            expectEqual(try fresh.fetch(Exhibit.fetchRequest())[0].name, "mine")
            expectEqual(try fresh.fetch(Remark.fetchRequest())[0].text, "mine")
        }
    }

    @Test func valuesAndBatches() throws {
        try withStorePath { path in
            let museum = try Museum(in: path)
            let context = museum.container.newContext()
            let wings = try context.insertValues([Wing.Values(objectID: ObjectID(), name: "West")])
            expectEqual(wings.count, 1)
            let remarks = (0..<4).map { Remark(context: context, text: "r\($0)") }
            for remark in remarks[2...] { try context.assign(remark, to: museum.guests) }
            try context.save()
            let updated = try context.execute(BatchUpdateRequest<Remark>().setting(\.rank, to: 7))
            expectEqual(updated.updatedObjectsCount, 4)
            expectEqual(Set(updated.updatedObjectIDs), Set(remarks.map(\.objectID)))
            context.mergeChanges(updated.changes)
            expectEqual(remarks.map(\.rank), [7, 7, 7, 7])
            let deleted = try context.execute(
                BatchDeleteRequest(fetchRequest: Remark.fetchRequest().where(\.text == "r1" || \.text == "r3"))
            )
            expectEqual(Set(deleted.deletedObjectIDs), [remarks[1].objectID, remarks[3].objectID])
            expectEqual(try museum.counts(of: "Remark"), [1, 1])
            let inserted = try context.execute(
                BatchInsertRequest<Visit>(entityName: "Visit", objects: [["guest": "Cem"], ["guest": "Dee"]])
            )
            expectEqual(inserted.insertedObjectsCount, 2)
            expectEqual(try museum.counts(of: "Visit"), [0, 2])
        }
    }

    // MARK: Relationships

    @Test func relationshipsAcrossStoresAreErrors() throws {
        try withStorePath { path in
            let museum = try Museum(in: path)
            let context = museum.container.newContext()
            let exhibit = Exhibit(context: context, name: "Globe")
            let remark = Remark(context: context, text: "a")
            try context.assign(remark, to: museum.guests)
            remark.exhibit = exhibit
            let toOne = try #require(#expect(throws: ValidationError.self) { try context.save() })
            expectEqual(toOne.failures.map(\.propertyName), ["exhibit"])
            expectEqual(toOne.failures[0].objectID, remark.objectID)
            #expect(toOne.failures[0].reason.contains("another store"))
            #expect(try museum.counts(of: "Exhibit") == [0, 0] && museum.counts(of: "Remark") == [0, 0])
            remark.exhibit = nil
            let keyword = Keyword(context: context, name: "k")
            remark.addToKeywords(keyword)
            let toMany = try #require(#expect(throws: ValidationError.self) { try context.save() })
            #expect(toMany.failures.allSatisfy { ["keywords", "remarks"].contains($0.propertyName) })
            try context.assign(keyword, to: museum.guests)
            try context.save()
            // The same holds for saved objects.
            remark.exhibit = exhibit
            #expect(throws: ValidationError.self) { try context.save() }
            context.rollback()
            let id = ObjectID<Exhibit>(exhibit)
            // Values are inserted into the first store, which has the exhibit; references cannot cross stores.
            try context.insertValues([Remark.Values(objectID: ObjectID(), rank: 1, text: "v", exhibit: id)])
            expectEqual(try museum.counts(of: "Remark"), [1, 1])
        }
    }

    // MARK: Stores

    @Test func readOnlyBesideReadWrite() throws {
        try withStorePath { path in
            do {
                let museum = try Museum(in: path)
                let context = museum.container.newContext()
                _ = Exhibit(context: context, name: "Globe")
                _ = Remark(context: context, text: "shipped")
                try context.save()
            }
            let museum = try Museum(in: path, collectionOptions: StoreOptions(isReadOnly: true))
            #expect(museum.collection.isReadOnly && !museum.guests.isReadOnly)
            let context = museum.container.newContext()
            let exhibit = try context.fetch(Exhibit.fetchRequest())[0]
            // New objects go to the first store that can be written.
            _ = Remark(context: context, text: "mine")
            _ = Visit(context: context, guest: "Ann")
            try context.save()
            expectEqual(try museum.counts(of: "Remark"), [1, 1])
            exhibit.name = "changed"
            let error = #expect(throws: StoreError.self) { try context.save() }
            #expect(error?.code == .readOnly && error?.path == museum.paths[0])
            context.rollback()
            expectEqual(exhibit.name, "Globe")
            // A save that would change both stores writes to neither.
            let remarks = try context.fetch(Remark.fetchRequest().sorted(by: \.text))
            for remark in remarks { remark.text += "!" }
            #expect(throws: StoreError.self) { try context.save() }
            let fresh = museum.container.newContext()
            expectEqual(try fresh.fetch(Remark.fetchRequest().sorted(by: \.text)).map(\.text), ["mine", "shipped"])
        }
    }

    @Test func metadataOfEachStore() throws {
        try withStorePath { path in
            let museum = try Museum(in: path)
            try museum.guests.setMetadata("2", forKey: "visits")
            expectEqual(try museum.guests.metadata().notes["visits"], "2")
            #expect(try museum.collection.metadata().notes["visits"] == nil)
            let coordinator = museum.container.persistentStoreCoordinator
            #expect(coordinator.persistentStore(for: URL(filePath: museum.paths[1])) === museum.guests)
            #expect(coordinator.persistentStore(for: URL(filePath: path)) == nil)
        }
    }

    @Test func objectsByURI() throws {
        try withStorePath { path in
            let museum = try Museum(in: path)
            let context = museum.container.newContext()
            let exhibit = Exhibit(context: context, name: "Globe")
            let remark = Remark(context: context, text: "a")
            try context.assign(remark, to: museum.guests)
            try context.save()
            let coordinator = try Museum(in: path).container.persistentStoreCoordinator
            let other = ManagedObjectContext()
            other.persistentStoreCoordinator = coordinator
            for object in [exhibit, remark] as [ManagedObject] {
                let uri = object.objectID.uriRepresentation
                let id = try #require(coordinator.managedObjectID(forURIRepresentation: uri))
                #expect(id == object.objectID && id.uriRepresentation == uri)
                expectEqual(try other.existingObject(with: id).objectID, object.objectID)
                // An object ID of another container with the same files is valid, too.
                expectEqual(try other.existingObject(with: object.objectID).objectID, id)
            }
            let predicate = try FetchPredicate(format: "SELF == %@", remark.objectID)
            expectEqual(try other.fetch(Remark.fetchRequest().where(predicate)).count, 1)
            // The store of a URI must match the entity and the row key.
            let wrong = remark.objectID.uriRepresentation
                .replacingOccurrences(
                    of: museum.guests.identifier.uuidString,
                    with: museum.collection.identifier.uuidString
                )
            #expect(coordinator.managedObjectID(forURIRepresentation: wrong) == nil)
        }
    }

    @Test func storesWithoutConfigurations() throws {
        try withStorePath { path in
            let coordinator = PersistentStoreCoordinator(managedObjectModel: LeagueModel.definition)
            let main = try coordinator.addPersistentStore(type: .sqlite, at: URL(filePath: path))
            let archive = try coordinator.addPersistentStore(type: .sqlite, at: URL(filePath: path + "-archive"))
            let context = ManagedObjectContext()
            context.persistentStoreCoordinator = coordinator
            let (reds, blues) = (Team(context: context, name: "Reds"), Team(context: context, name: "Blues"))
            try context.assign(blues, to: archive)
            let old = Player(context: context, name: "Old")
            try context.assign(old, to: archive)
            old.team = blues
            Player(context: context, name: "New").team = reds
            try context.save()
            let players = try context.fetch(Player.fetchRequest().sorted(by: \.team?.name))
            expectEqual(players.map(\.name), ["Old", "New"])
            expectEqual(coordinator.persistentStores.map(\.path), [main.path, archive.path])
            #expect(
                reds.objectID.key < 1 << StorePartition.keyBits && blues.objectID.key >= 1 << StorePartition.keyBits
            )
            let late = #expect(throws: StoreError.self) {
                try coordinator.addPersistentStore(type: .sqlite, at: URL(filePath: path + "-late"))
            }
            #expect(late?.message.contains("in use") == true)
        }
    }

    @Test func storesThatDoNotFitTogether() throws {
        try withStorePath { path in
            // Both files were created as the only store of a coordinator, so they have assigned the same row keys.
            for name in ["a", "b"] { _ = try LeagueModel.container(at: path + name) }
            let coordinator = PersistentStoreCoordinator(managedObjectModel: LeagueModel.definition)
            try coordinator.addPersistentStore(type: .sqlite, at: URL(filePath: path + "a"))
            let equal = #expect(throws: StoreError.self) {
                try coordinator.addPersistentStore(type: .sqlite, at: URL(filePath: path + "b"))
            }
            #expect(equal?.message.contains("same row keys") == true && equal?.path == path + "b")
            let twice = #expect(throws: StoreError.self) {
                try coordinator.addPersistentStore(type: .sqlite, at: URL(filePath: path + "a"))
            }
            expectEqual(twice?.message, "is already a store of this coordinator")
            let memory = #expect(throws: StoreError.self) {
                try coordinator.addPersistentStore(type: .inMemory, at: nil)
            }
            expectEqual(memory?.code, .unsupportedEnvironment)
            let unknown = #expect(throws: StoreError.self) {
                try coordinator.addPersistentStore(type: .sqlite, configuration: "Cloud", at: URL(filePath: path + "c"))
            }
            #expect(unknown?.message.contains("'Cloud'") == true)
            // The first store is still there and usable.
            expectEqual(coordinator.persistentStores.map(\.path), [path + "a"])
            let context = ManagedObjectContext()
            context.persistentStoreCoordinator = coordinator
            _ = Team(context: context, name: "Reds")
            try context.save()
        }
    }

    @Test func separateStoresWithDisjointConfigurations() throws {
        try withStorePath { path in
            // Both have objects with key 1.
            for (name, isExhibit) in [("a", true), ("b", false)] {
                let context = try MuseumModel.container(at: path + name).newContext()
                if isExhibit {
                    _ = Exhibit(context: context, name: "Globe")
                } else {
                    _ = Visit(context: context, guest: "Ann")
                }
                try context.save()
            }
            let model = try ManagedObjectModel.museumWithDisjointConfigurations
            let container = try PersistentContainer(
                model: model,
                storeDescriptions: [
                    PersistentStoreDescription(path: path + "a", configuration: "A"),
                    PersistentStoreDescription(path: path + "b", configuration: "B"),
                ]
            )
            let context = container.newContext()
            let exhibits = try context.fetch(FetchRequest<ManagedObject>(entityName: "Exhibit"))
            let visits = try context.fetch(FetchRequest<ManagedObject>(entityName: "Visit"))
            #expect(exhibits.count == 1 && visits.count == 1)
            expectEqual(exhibits[0].objectID.key, visits[0].objectID.key)
            visits[0].setValue("Bob", forKey: "guest")
            exhibits[0].setValue("Map", forKey: "name")
            try context.save()
            #expect(exhibits[0].objectID.uriRepresentation != visits[0].objectID.uriRepresentation)
        }
    }

    @Test func childContextsReadSeveralStores() throws {
        try withStorePath { path in
            let museum = try Museum(in: path)
            let parent = museum.container.newContext()
            let saved = Remark(context: parent, text: "saved")
            try parent.assign(saved, to: museum.guests)
            _ = Remark(context: parent, text: "other")
            try parent.save()
            saved.text = "changed"
            _ = Remark(context: parent, text: "new")
            let child = ManagedObjectContext()
            child.parent = parent
            let request = Remark.fetchRequest().sorted(by: \.text)
            expectEqual(try child.fetch(request).map(\.text), ["changed", "new", "other"])
            try child.fetch(request)[2].text = "by the child"
            try child.save()
            try parent.save()
            expectEqual(try child.fetch(request).map(\.text), ["by the child", "changed", "new"])
            expectEqual(
                try museum.container.newContext().fetch(request).map(\.text),
                ["by the child", "changed", "new"]
            )
            expectEqual(try museum.counts(of: "Remark"), [2, 1])
        }
    }

    @Test func historyOfEachStore() throws {
        try withStorePath { path in
            let options = StoreOptions(tracksPersistentHistory: true)
            let museum = try Museum(in: path, collectionOptions: options, guestsOptions: options)
            let context = museum.container.newContext()
            let start = try museum.guests.currentPersistentHistoryToken()
            let visit = Visit(context: context, guest: "Ann")
            try context.save()
            let exhibit = Exhibit(context: context, name: "Globe")
            try context.save()
            visit.guest = "Bob"
            try context.save()
            let all = try context.execute(PersistentHistoryChangeRequest.fetchHistory(after: nil))
            // The transactions are ordered by time, regardless of the order of the stores.
            expectEqual(
                all.map(\.storeID),
                [museum.guests, museum.collection, museum.guests].map(\.identifier)
            )
            expectEqual(all.map(\.timestamp), all.map(\.timestamp).sorted())
            expectEqual(all.map(\.transactionNumber), [1, 1, 2])
            expectEqual(
                all.map { $0.changes.map(\.changedObjectID) },
                [
                    [visit.objectID], [exhibit.objectID], [visit.objectID],
                ]
            )
            var limited = PersistentHistoryChangeRequest.fetchHistory(after: nil)
            limited.fetchLimit = 2
            expectEqual(try context.execute(limited).map(\.token), all.prefix(2).map(\.token))
            let guests = try context.execute(PersistentHistoryChangeRequest.fetchHistory(after: start))
            expectEqual(guests.map(\.token), [all[0].token, all[2].token])
            var request = PersistentHistoryChangeRequest.fetchHistory(after: nil)
            request.affectedStores = [museum.collection]
            expectEqual(try context.execute(request).map(\.storeID), [museum.collection.identifier])
            expectEqual(try context.execute(PersistentHistoryDeleteRequest.deleteHistory(before: .distantFuture)), 3)
        }
    }

    /// A batch operation is recorded in each store whose rows it writes.
    @Test func batchOperationsAreRecordedInEachStore() throws {
        try withStorePath { path in
            let options = StoreOptions(tracksPersistentHistory: true)
            let museum = try Museum(in: path, collectionOptions: options, guestsOptions: options)
            let context = museum.container.newContext()
            context.transactionAuthor = "batch"
            let stores = [museum.collection, museum.guests]
            var tokens = try stores.map { try $0.currentPersistentHistoryToken() }
            /// Returns what both stores have recorded since the last call.
            func recorded() throws -> [[String]] {
                try stores.indices.map { index in
                    let transactions = try context.execute(.fetchHistory(after: tokens[index]))
                    #expect(transactions.count <= 1 && transactions.allSatisfy { $0.author == "batch" })
                    tokens[index] = transactions.last?.token ?? tokens[index]
                    return transactions.flatMap(\.changes).map { change in
                        (["\(change.changeType)", change.changedObjectID.entityName] + change.updatedProperties.sorted())
                            .joined(separator: " ")
                    }
                }
            }
            try context.execute(BatchInsertRequest<Remark>(objects: [["text": "a"], ["text": "b"]]))
            expectEqual(try recorded(), [["insert Remark", "insert Remark"], []])
            var toGuests = BatchInsertRequest<Remark>(objects: [["text": "b"]])
            toGuests.affectedStores = [museum.guests]
            try context.execute(toGuests)
            expectEqual(try recorded(), [[], ["insert Remark"]])
            try context.insertValues([Wing.Values(objectID: ObjectID(), name: "West")])
            expectEqual(try recorded(), [["insert Wing"], []])
            try context.execute(BatchUpdateRequest<Remark>().where(\.text == "b").setting(\.rank, to: 7))
            expectEqual(try recorded(), [["update Remark rank"], ["update Remark rank"]])
            try context.execute(BatchDeleteRequest(fetchRequest: Remark.fetchRequest().where(\.text == "a")))
            expectEqual(try recorded(), [["delete Remark"], []])
            try context.execute(BatchDeleteRequest(fetchRequest: Remark.fetchRequest()))
            expectEqual(try recorded(), [["delete Remark"], ["delete Remark"]])
        }
    }

    /// The changes of other containers are reported from each store, and lists over both stores follow them.
    @Test func remoteChangesOfEachStore() async throws {
        try await withStorePath { path in
            let options = StoreOptions(reportsRemoteChanges: true)
            let museum = try Museum(in: path, collectionOptions: options, guestsOptions: options)
            let context = museum.container.newContext()
            context.automaticallyMergesChangesFromParent = true
            let request = Remark.fetchRequest().sorted(by: \.text)
            let list = FetchedResultsController(fetchRequest: request, managedObjectContext: context)
            let listChanges = list.changes
            defer { withExtendedLifetime(listChanges) {} }
            try list.performFetch()
            var changes = museum.container.remoteChanges.makeAsyncIterator()
            let foreign = try Museum(in: path)
            let other = foreign.container.newContext()
            let first = Remark(context: other, text: "collection")
            try await other.save()
            let ofCollection = try #require(await changes.next())
            expectEqual(ofCollection.token.storeID, museum.collection.identifier)
            expectEqual(ofCollection.changes.inserted, [first.objectID])
            let second = Remark(context: other, text: "guests")
            try other.assign(second, to: foreign.guests)
            try await other.save()
            let ofGuests = try #require(await changes.next())
            expectEqual(ofGuests.token.storeID, museum.guests.identifier)
            expectEqual(ofGuests.changes.inserted, [second.objectID])
            context.processPendingChanges()
            expectEqual(list.fetchedObjects?.map(\.text), ["collection", "guests"])
            // One save to both stores is one transaction in each.
            first.text = "z"
            other.delete(second)
            try await other.save()
            var both: [UUID: ObjectIDChanges] = [:]
            for _ in 0..<2 {
                let change = try #require(await changes.next())
                both[change.token.storeID] = change.changes
            }
            expectEqual(both[museum.collection.identifier]?.updated, [first.objectID])
            expectEqual(both[museum.guests.identifier]?.deleted, [second.objectID])
            context.processPendingChanges()
            expectEqual(list.fetchedObjects?.map(\.text), ["z"])
            let fresh = try museum.container.newContext().fetch(request)
            expectEqual(list.fetchedObjects?.map(\.objectID), fresh.map(\.objectID))
        }
    }

    @Test func generationsNeedOneStore() throws {
        try withStorePath { path in
            let context = try Museum(in: path).container.newContext()
            let error = #expect(throws: StoreError.self) { try context.setQueryGenerationFrom(.current) }
            expectEqual(error?.code, .unsupportedEnvironment)
        }
    }

    @Test func asynchronousSavesAndWrites() async throws {
        try await withStorePath { path in
            let museum = try Museum(in: path)
            let container = museum.container
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<8 {
                    group.addTask {
                        try await container.performBackgroundTask { context in
                            let exhibit = Exhibit(context: context, name: "e\(number)")
                            _ = Visit(context: context, guest: "g\(number)")
                            try await context.save()
                            exhibit.year = Int32(number)
                            try await context.save()
                        }
                    }
                }
                try await group.waitForAll()
            }
            let id = try await container.write { context in
                let remark = Remark(context: context, text: "written")
                return remark.objectID
            }
            #expect(!id.isTemporaryID)
            #expect(try museum.counts(of: "Exhibit") == [8, 0] && museum.counts(of: "Visit") == [0, 8])
            expectEqual(container.statistics.saveCount, 17)
        }
    }
}

extension ManagedObjectModel {
    /// The entities of Museum with configurations that have no entity in common.
    fileprivate static var museumWithDisjointConfigurations: ModelDefinition {
        get throws {
            let museum = MuseumModel.definition.model
            return ModelDefinition(
                name: "Museum",
                versionName: "Museum",
                model: try ManagedObjectModel(
                    entities: museum.entities,
                    configurations: [
                        Configuration(name: "A", entityNames: ["Exhibit", "Keyword", "Remark", "Wing"]),
                        Configuration(name: "B", entityNames: ["Visit"]),
                    ]
                )
            )
        }
    }
}
