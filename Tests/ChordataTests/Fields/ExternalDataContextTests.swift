import ChordataTestStores
import ChordataTestSupport
import Foundation
import Testing

@testable import Chordata

/// External data in cases with several contexts and several states of the store.
struct ExternalDataContextTests {
    private typealias Store = ExternalDataTests

    @Test func savesOfOtherContextsAreMerged() throws {
        try Store.withStore { container, _ in
            let (context, other) = (container.newContext(), container.newContext())
            context.automaticallyMergesChangesFromParent = true
            let documents = try Store.documents(context)
            #expect(documents[0].contents == Store.bytes && documents[1].contents == Data())
            for document in try Store.documents(other) { document.contents = Data([5, 5]) }
            try other.save()
            context.processPendingChanges()
            // The changes are merged without the external data, which is read again on access.
            #expect(try !Store.isRead(documents[0], "contents"))
            expectEqual(documents.map(\.contents), [Data([5, 5]), Data([5, 5]), Data([5, 5])])
            #expect(try Store.isRead(documents[0], "contents"))
        }
    }

    @Test func changeSetsHaveNoBytes() throws {
        try Store.withStore { container, _ in
            let (receiver, sender) = (container.newContext(), container.newContext())
            _ = try Store.documents(receiver)
            let documents = try Store.documents(sender)
            documents[0].contents = Data([1, 2])
            Document(context: sender).contents = Data([3])
            try sender.save()
            let rows = receiver.inbox.drain()
            expectEqual(rows.count, 2)
            for row in rows {
                let external = try #require(row.type.externalFields.first { $0.field.name == "contents" })
                let values = try #require(row.values)
                let value = try #require(external.value(at: values.address(of: external.field)))
                #expect(value.data == nil && [1, 2].contains(value.count))
            }
            expectEqual(documents[0].contents, Data([1, 2]))
        }
    }

    @Test func mergesKeepUnsavedBytes() throws {
        try Store.withStore { container, path in
            let (context, other) = (container.newContext(), container.newContext())
            context.automaticallyMergesChangesFromParent = true
            let document = try Store.documents(context)[0]
            document.contents = Data([1])
            try Store.documents(other)[0].thumbnail = Data([2])
            try other.save()
            context.processPendingChanges()
            #expect(document.contents == Data([1]) && document.thumbnail == Data([2]))
            try context.save()
            expectEqual(try Store.sideRows(container).first, "a|1|1")
            expectEqual(try Store.sideRows(container, "thumbnail").first, "a|1|1")
        }
    }

    @Test func readingNewerBytesRefreshesTheRow() throws {
        try Store.withStore { container, _ in
            let (context, other) = (container.newContext(), container.newContext())
            let document = try Store.documents(context)[0]
            let changed = try Store.documents(other)[0]
            changed.title = "A"
            changed.contents = Data([1])
            try other.save()
            expectEqual(document.title, "a")
            #expect(document.contents == Data([1]) && document.title == "A")
            // The object has the row version to which it was refreshed.
            document.title = "AA"
            try context.save()
        }
    }

    @Test func bytesRemovedInANewerRowAreNil() throws {
        try Store.withStore { container, _ in
            let (context, other) = (container.newContext(), container.newContext())
            let document = try Store.documents(context)[0]
            try Store.documents(other)[0].contents = nil
            try other.save()
            #expect(document.contents == nil)
        }
    }

    @Test func newerBytesConflictWithUnsavedChanges() throws {
        try Store.withStore { container, _ in
            let (context, other) = (container.newContext(), container.newContext())
            let document = try Store.documents(context)[0]
            document.title = "mine"
            let changed = try Store.documents(other)[0]
            changed.title = "theirs"
            changed.contents = Data([1])
            try other.save()
            #expect(document.contents == Data([1]) && document.title == "mine")
            #expect(throws: SaveConflictError.self) { try context.save() }
        }
    }

    @Test func anEventSeesOneState() throws {
        try Store.withStore { container, _ in
            let (context, other) = (container.newContext(), container.newContext())
            let changed = try Store.documents(other)[0]
            try context.performAndWait {
                let document = try Store.documents(context)[0]
                changed.contents = Data([1])
                try other.save()
                expectEqual(document.contents, Store.bytes)
                let values: [Document.Values] = try context.fetchValues(
                    Document.fetchRequest().sorted(by: \.title),
                    includesExternalData: true
                )
                expectEqual(values[0].contents?.data, Store.bytes)
            }
            expectEqual(
                try context.externalData(of: \Document.contents, for: ObjectID(try Store.documents(context)[0])),
                Data([1])
            )
        }
    }

    @Test func savedBytesAreReadWithinTheSameEvent() throws {
        try Store.withStore { container, _ in
            let context = container.newContext()
            try context.performAndWait {
                let document = try Store.documents(context)[0]
                document.title = "A"
                document.contents = Data([1])
                try context.save()
                #expect(document.thumbnail == Data(Store.bytes.reversed()) && document.title == "A")
                context.refresh(document, mergeChanges: false)
                #expect(document.contents == Data([1]) && document.title == "A")
            }
        }
    }

    /// A store may have an older state if its file is replaced by a copy.
    @Test(.onlySQLite(.files)) func rowsDeletedOrRestoredBeforeAnEvent() throws {
        try Store.withStore { container, path in
            let (context, other) = (container.newContext(), container.newContext())
            for document in try Store.documents(other) { document.title += "2" }
            try other.save()
            let documents = try Store.documents(context)
            let connection = try SQLiteConnection(path: path, mode: .readWriteCreate)
            try connection.execute("UPDATE \"Document\" SET \"_version\" = 1, \"title\" = 'old' WHERE \"title\" = 'a2'")
            try connection.execute("DELETE FROM \"Document\" WHERE \"title\" = 'b2'")
            context.performAndWait {
                #expect(documents[0].contents == Store.bytes && documents[0].title == "old")
                #expect(documents[1].contents == nil)
            }
        }
    }

    /// A derived attribute uses the complete external data from which it is derived.
    @Test func derivedFromBytesThatWereNotRead() throws {
        let model = try ManagedObjectModel(entities: [
            EntityDescription(
                name: "File",
                attributes: [
                    AttributeDescription(
                        name: "bytes",
                        attributeType: .binaryData,
                        isOptional: true,
                        allowsExternalBinaryDataStorage: true
                    ),
                    AttributeDescription(
                        name: "copy",
                        attributeType: .binaryData,
                        isOptional: true,
                        allowsExternalBinaryDataStorage: true,
                        derivationExpression: "bytes"
                    ),
                    AttributeDescription(name: "title", attributeType: .string, isOptional: true),
                ]
            )
        ])
        try withStorePath { path in
            let definition = ModelDefinition(name: "Files", versionName: "1", model: model)
            let container = try definition.testContainer(at: path)
            let context = container.newContext()
            EntityDescription.insertNewObject(forEntityName: "File", into: context)
                .setValue(Store.bytes, forKey: "bytes")
            try context.save()
            let other = container.newContext()
            let request = FetchRequest<ManagedObject>(entityName: "File")
            let file = try #require(try other.fetch(request).first)
            #expect(try !Store.isRead(file, "bytes"))
            #expect(file.primitiveValue(forKey: "copy") as? Data == Store.bytes)
            file.setValue("t", forKey: "title")
            try other.save()
            let last = container.newContext()
            #expect(try last.fetch(request).first?.value(forKey: "copy") as? Data == Store.bytes)
        }
    }

    // MARK: Values structures

    @Test func valuesHaveTheLengthOrTheBytes() throws {
        try Store.withStore { container, _ in
            let context = container.newContext()
            let request = Document.fetchRequest().sorted(by: \.title)
            let bare: [Document.Values] = try context.fetchValues(request)
            expectEqual(bare.map(\.contents?.count), [5_000, 0, nil])
            expectEqual(bare.map(\.contents?.data), [nil, nil, nil])
            let full: [Document.Values] = try context.fetchValues(request, includesExternalData: true)
            expectEqual(full.map(\.contents?.data), [Store.bytes, Data(), nil])
            expectEqual(full[0].thumbnail?.data, Data(Store.bytes.reversed()))
            #expect(full[0] != bare[0] && full[2] == bare[2])
            let again: [Document.Values] = try context.fetchValues(request)
            #expect(again == bare && Set(again) == Set(bare))
            for value in [full[0], bare[0], full[1], bare[2]] {
                let decoded = try JSONDecoder().decode(Document.Values.self, from: JSONEncoder().encode(value))
                expectEqual(decoded, value)
            }
        }
    }

    @Test func otherBytesOfTheSameLengthAreOtherValues() throws {
        try Store.withStore { container, _ in
            let context = container.newContext()
            let request = Document.fetchRequest().where(\.title == "a")
            let before: [Document.Values] = try context.fetchValues(request)
            try Store.documents(context)[0].contents = Data(count: Store.bytes.count)
            try context.save()
            let after: [Document.Values] = try context.fetchValues(request)
            expectEqual(before[0].contents?.count, after[0].contents?.count)
            #expect(before != after)
        }
    }

    @Test func valuesThatMakeNoSenseAreNotDecoded() throws {
        for text in [#"{"count": 3, "data": "AQ=="}"#, #"{"count": -1, "version": 1}"#, #"{"count": 1}"#, "{}"] {
            #expect(throws: DecodingError.self) {
                try JSONDecoder().decode(ExternalData.self, from: Data(text.utf8))
            }
        }
        let value = ExternalData(Data([1, 2]))
        #expect(value.count == 2 && value.data == Data([1, 2]) && value == ExternalData(Data([1, 2])))
        #expect(value != ExternalData(Data([2, 1])))
    }

    @Test func theBytesOfAnIdentity() throws {
        try Store.withStore { container, _ in
            let context = container.newContext()
            let values: [Document.Values] = try context.fetchValues(Document.fetchRequest().sorted(by: \.title))
            expectEqual(
                try values.map { try context.externalData(of: \.contents, for: $0.objectID) },
                [
                    Store.bytes, Data(), nil,
                ]
            )
            let error = #expect(throws: FetchError.self) {
                try context.externalData(of: \.title, for: values[0].objectID)
            }
            #expect(
                error?.description.contains("is not an attribute of 'Document' that allows external storage") == true
            )
            context.delete(try Store.documents(context)[0])
            try context.save()
            #expect(throws: MissingObjectError.self) {
                try context.externalData(of: \.contents, for: values[0].objectID)
            }
        }
    }

    @Test func dictionariesHaveTheBytes() throws {
        try Store.withStore { container, _ in
            let context = container.newContext()
            let rows = try context.fetch(Document.fetchRequest().sorted(by: \.title).dictionaries)
            #expect(rows.map { $0["contents"] as? Data } == [Store.bytes, Data(), nil])
        }
    }

    // MARK: Predicates

    @Test func predicatesOnlyCompareBytesWithNil() throws {
        try Store.withStore { container, _ in
            let context = container.newContext()
            let documents = try Store.documents(context)
            let hasNone = try FetchPredicate(format: "contents == nil")
            expectEqual(try documents.map { try hasNone.evaluate(with: $0) }, [false, false, true])
            #expect(try !Store.isRead(documents[0], "contents"))
            documents[0].contents = nil
            documents[2].contents = Data()
            let unsaved = try context.fetch(Document.fetchRequest().where(hasNone))
            expectEqual(unsaved.map(\.title), ["a"])
            try context.save()
            let saved = try container.newContext().fetch(Document.fetchRequest().where(hasNone))
            expectEqual(saved.map(\.objectID), [documents[0].objectID])
            let compares = try FetchPredicate(format: "contents == %@", Data([1]))
            let error = #expect(throws: FetchPredicateError.self) {
                try context.fetch(Document.fetchRequest().where(compares))
            }
            #expect(error?.message.contains("stored externally") == true)
        }
    }

    @Test func sortingByExternalDataThrows() throws {
        try Store.withStore { container, _ in
            let context = container.newContext()
            let error = #expect(throws: FetchPredicateError.self) {
                try context.fetch(FetchRequest<Document>(entityName: "Document").sorted(by: "contents"))
            }
            expectEqual(
                error?.message,
                "'contents' is stored externally, so it cannot be sorted by; sort by another "
                    + "attribute"
            )
        }
    }

    @Test func theValueOfAnExpressionIsTheBytes() throws {
        try Store.withStore { container, _ in
            let context = container.newContext()
            let document = try Store.documents(context)[0]
            expectEqual(try FetchExpression(format: "contents").value(with: document), .data(Store.bytes))
        }
    }
}
