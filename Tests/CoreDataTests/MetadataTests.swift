#if !canImport(Darwin)
    import CoreData
    import Testing

    struct MetadataTests {
        private let values: [String: Any] = [
            "text": "draft", "empty": "", "prefix": "plist:x", "number": 3, "negative": -7, "fraction": 2.25,
            "yes": true,
            "no": false, "date": Date(timeIntervalSinceReferenceDate: 0.125), "data": Data([0, 255, 7]),
            "list": ["a", 2, ["b"]] as [Any], "table": ["x": 1, "y": ["z": "w"]] as [String: Any],
        ]

        private func expectValues(_ metadata: [String: Any]) {
            #expect(metadata["text"] as? String == "draft")
            #expect(metadata["empty"] as? String == "")
            #expect(metadata["prefix"] as? String == "plist:x")
            #expect((metadata["number"] as? NSNumber)?.intValue == 3)
            #expect(metadata["number"] as? Int == 3)
            #expect(metadata["negative"] as? Int == -7)
            #expect(metadata["fraction"] as? Double == 2.25)
            #expect(metadata["yes"] as? Bool == true)
            #expect(metadata["no"] as? Bool == false)
            #expect(metadata["date"] as? Date == Date(timeIntervalSinceReferenceDate: 0.125))
            #expect(metadata["data"] as? Data == Data([0, 255, 7]))
            let list = metadata["list"] as? [Any]
            #expect(list?[0] as? String == "a" && list?[1] as? Int == 2 && list?[2] as? [String] == ["b"])
            let table = metadata["table"] as? [String: Any]
            #expect(table?["x"] as? Int == 1 && (table?["y"] as? [String: Any])?["z"] as? String == "w")
        }

        @Test func valuesAreKept() throws {
            try withStoreURL { url in
                let coordinator = NSPersistentStoreCoordinator(managedObjectModel: makeLibraryModel())
                let store = try coordinator.addPersistentStore(
                    ofType: NSSQLiteStoreType,
                    configurationName: nil,
                    at: url,
                    options: nil
                )
                let own = coordinator.metadata(for: store)
                #expect(own[NSStoreTypeKey] as? String == NSSQLiteStoreType)
                coordinator.setMetadata(own.merging(values) { first, _ in first }, for: store)
                expectValues(coordinator.metadata(for: store))
                try coordinator.remove(store)
                let stored = try NSPersistentStoreCoordinator.metadataForPersistentStore(
                    ofType: NSSQLiteStoreType,
                    at: url,
                    options: nil
                )
                expectValues(stored)
                #expect(stored[NSStoreUUIDKey] as? String == own[NSStoreUUIDKey] as? String)
            }
        }

        /// Keys that are missing in the new metadata are removed, except those that the store sets itself.
        @Test func metadataIsReplaced() throws {
            let coordinator = try makeLibrary().persistentStoreCoordinator
            let store = try #require(coordinator.persistentStores.first)
            coordinator.setMetadata(["first": 1, "second": "two"], for: store)
            coordinator.setMetadata(["second": 2, NSStoreUUIDKey: "another"], for: store)
            let metadata = coordinator.metadata(for: store)
            #expect(metadata["first"] == nil && metadata["second"] as? Int == 2)
            #expect(metadata[NSStoreUUIDKey] as? String != "another")
            coordinator.setMetadata(nil, for: store)
            #expect(coordinator.metadata(for: store)["second"] == nil)
        }

        @Test func othersThanPropertyListsTrap() async {
            await #expect(processExitsWith: .failure) {
                let coordinator = try makeLibrary().persistentStoreCoordinator
                let store = try #require(coordinator.persistentStores.first)
                coordinator.setMetadata(["value": NSObject()], for: store)
            }
        }
    }
#endif
