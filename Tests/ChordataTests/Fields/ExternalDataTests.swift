import ChordataTestStores
import ChordataTestSupport
import Foundation
import Testing

@testable import Chordata

/// External data in side tables: reading, changing and saving it.
struct ExternalDataTests {
    static let bytes = Data((0..<5_000).map { UInt8(truncatingIfNeeded: $0) })

    /// A store with three documents: one with external data, one with empty data, and one without a value.
    static func withStore(_ body: (PersistentContainer, String) throws -> Void) throws {
        try withStorePath { path in
            let container = try ArchiveModel.definition.testContainer(at: path)
            let context = container.newContext()
            for (title, contents) in [("a", bytes), ("b", Data()), ("c", nil)] {
                let document = Document(context: context)
                document.title = title
                document.contents = contents
                document.thumbnail = contents.map { Data($0.reversed()) }
            }
            try context.save()
            try body(container, path)
        }
    }

    static func documents(_ context: ManagedObjectContext) throws -> [Document] {
        try context.fetch(Document.fetchRequest().sorted(by: \.title))
    }

    static func isRead(_ object: ManagedObject, _ name: String) throws -> Bool {
        let external = try #require(object.runtimeEntity.externalFields.first { $0.field.name == name })
        let value = try #require(external.value(at: object.address(of: external.field)))
        return value.data != nil
    }

    /// The title, the length in the row, and the length in the side table of all documents.
    static func sideRows(_ container: PersistentContainer, _ column: String = "contents") throws -> [String] {
        let store = container.store
        func text(_ value: String) -> String { "coalesce(CAST(\(value) AS text), '-')" }
        let rows = try store.texts(
            """
            SELECT \(text("d.\"title\"")), \(text("d.\"\(column)\"")), \(text("length(e.\"bytes\")")) FROM "Document" d \
            LEFT JOIN "_external_Document_\(column)" e ON e."_id" = d."_id" ORDER BY d."title"
            """,
            columnCount: 3
        )
        let orphans = try store.integer(
            """
            SELECT count(*) FROM "_external_Document_\(column)" WHERE "_id" NOT IN (SELECT "_id" FROM "Document")
            """
        )
        expectEqual(orphans, 0)
        return rows.map { $0.joined(separator: "|") }
    }

    // MARK: Reading

    @Test func theBytesAreReadOnFirstAccess() throws {
        try Self.withStore { container, path in
            let context = container.newContext()
            let documents = try Self.documents(context)
            #expect(try !Self.isRead(documents[0], "contents"))
            expectEqual(documents[0].contents, Self.bytes)
            #expect(try Self.isRead(documents[0], "contents"))
            #expect(try !Self.isRead(documents[0], "thumbnail"))
            // Empty data is a value, which is different from no value.
            expectEqual(documents[1].contents, Data())
            #expect(documents[2].contents == nil)
            expectEqual(try Self.sideRows(container), ["a|5000|5000", "b|0|0", "c|-|-"])
        }
    }

    /// A statement that names a missing table fails.
    @Test(.onlySQLite(.files)) func rowsAreReadWithoutTheTablesOfTheBytes() throws {
        try Self.withStore { container, path in
            let folders = container.newContext()
            let folder = Folder(context: folders)
            folder.documents = Set(try Self.documents(folders))
            try folders.save()

            let connection = try SQLiteConnection(path: path, mode: .readWriteCreate)
            for column in ["contents", "thumbnail"] {
                try connection.execute("DROP TABLE \"_external_Document_\(column)\"")
            }
            let context = container.newContext()
            let documents = try Self.documents(context)
            expectEqual(documents.map(\.title), ["a", "b", "c"])
            context.refresh(documents[0], mergeChanges: true)
            context.refresh(documents[1], mergeChanges: false)
            expectEqual(documents[1].title, "b")
            let hasNone = Document.fetchRequest().where(\.contents == nil)
            expectEqual(try context.fetch(hasNone).map(\.title), ["c"])
            expectEqual(try context.count(for: Document.fetchRequest().where(\.contents != nil)), 2)
            let values: [Document.Values] = try context.fetchValues(Document.fetchRequest().sorted(by: \.title))
            expectEqual(values.map(\.contents?.count), [5_000, 0, nil])
            let batched = try container.newContext().fetch(Document.fetchRequest().batchSize(2))
            expectEqual(batched.count, 3)
            let prefetching = container.newContext()
            let prefetched = try prefetching.fetch(Folder.fetchRequest().prefetching("documents"))
            expectEqual(prefetched.first?.documents.map(\.title).sorted(), ["a", "b", "c"])
            // Predicates in memory also find out without the external data whether there is a value.
            let matches = try FetchPredicate(format: "contents != nil")
            expectEqual(try context.filter(documents, by: matches).map(\.title), ["a", "b"])
            // Another attribute is saved without reading the external data.
            documents[0].title = "changed"
            try context.save()
            expectEqual(try container.newContext().count(for: Document.fetchRequest().where(\.title == "changed")), 1)
        }
    }

    @Test func allRowsOfABatchHaveTheirBytes() throws {
        try Self.withStore { container, _ in
            let context = container.newContext()
            let documents = try context.fetch(Document.fetchRequest().sorted(by: \.title).batchSize(2))
            expectEqual(documents.map(\.isFault), [true, true, true])
            expectEqual(documents.map(\.contents), [Self.bytes, Data(), nil])
        }
    }

    @Test func deletedRowsHaveNoBytes() throws {
        try Self.withStore { container, path in
            let (reader, other) = (container.newContext(), container.newContext())
            let scan = Scan(context: other, pages: Self.bytes, sizes: [1])
            scan.title = "s"
            scan.contents = Self.bytes
            try other.save()
            let read = try #require(try reader.fetch(Scan.fetchRequest()).first)
            other.delete(scan)
            try other.save()
            #expect(read.contents == nil && read.pages == Data())
            expectEqual(try Self.sideRows(container, "pages").count, 3)
        }
    }

    @Test func inMemoryStoresHaveExternalData() throws {
        let container = try ArchiveModel.definition.testContainer(at: ":memory:")
        let context = container.newContext()
        Document(context: context).contents = Self.bytes
        try context.save()
        let other = container.newContext()
        let document = try #require(try other.fetch(Document.fetchRequest()).first)
        #expect(try !Self.isRead(document, "contents"))
        expectEqual(document.contents, Self.bytes)
    }

    // MARK: Changing

    @Test func changesAreSaved() throws {
        try Self.withStore { container, path in
            let context = container.newContext()
            let documents = try Self.documents(context)
            documents[0].contents = nil
            documents[1].contents = Data([1, 2, 3])
            documents[2].contents = Data()
            try context.save()
            expectEqual(try Self.sideRows(container), ["a|-|-", "b|3|3", "c|0|0"])
            expectEqual(try Self.sideRows(container, "thumbnail"), ["a|5000|5000", "b|0|0", "c|-|-"])
            documents[1].contents?.append(4)
            context.delete(documents[2])
            try context.save()
            expectEqual(try Self.sideRows(container), ["a|-|-", "b|4|4"])
            let fresh = container.newContext()
            expectEqual(try Self.documents(fresh).map(\.contents), [nil, Data([1, 2, 3, 4])])
        }
    }

    @Test func rollbackBringsTheStoredBytesBack() throws {
        try Self.withStore { container, _ in
            let context = container.newContext()
            let documents = try Self.documents(context)
            documents[0].contents = Data([1])
            _ = documents[1].contents
            documents[1].contents = nil
            documents[2].contents = Data([2])
            context.rollback()
            expectEqual(documents.map(\.contents), [Self.bytes, Data(), nil])
            #expect(!context.hasChanges)
        }
    }

    @Test func refreshReadsTheBytesAgain() throws {
        try Self.withStore { container, _ in
            let (context, other) = (container.newContext(), container.newContext())
            let documents = try Self.documents(context)
            expectEqual(documents.map(\.contents), [Self.bytes, Data(), nil])
            for document in try Self.documents(other) { document.contents = Data([9]) }
            try other.save()
            documents[1].contents = Data([1, 1])
            context.refresh(documents[0], mergeChanges: false)
            context.refresh(documents[1], mergeChanges: true)
            expectEqual(documents.map(\.contents), [Data([9]), Data([1, 1]), nil])
            context.refresh(documents[1], mergeChanges: false)
            context.refresh(documents[2], mergeChanges: true)
            expectEqual(documents.map(\.contents), [Data([9]), Data([9]), Data([9])])
        }
    }

    @Test func changedAndCommittedValues() throws {
        try Self.withStore { container, _ in
            let context = container.newContext()
            let documents = try Self.documents(context)
            documents[0].contents = Self.bytes
            documents[0].thumbnail = Self.bytes
            expectEqual(documents[0].changedValues().keys.sorted(), ["thumbnail"])
            #expect(documents[0].changedValues()["thumbnail"] as? Data == Self.bytes)
            #expect(
                documents[0].committedValues(forKeys: ["thumbnail"])["thumbnail"] as? Data
                    == Data(Self.bytes.reversed())
            )
            documents[1].contents = nil
            #expect(documents[1].hasPersistentChangedValues)
            #expect(documents[1].committedValues(forKeys: ["contents"])["contents"] as? Data == Data())
            documents[2].title = "d"
            let committed = documents[2].committedValues(forKeys: nil)
            #expect(committed["contents"] as? Data == nil && committed["title"] as? String == "c")
            documents[2].contents = nil
            expectEqual(documents[2].changedValues().keys.sorted(), ["title"])
        }
    }

    @Test func keysAndPrimitiveValues() throws {
        try Self.withStore { container, path in
            let context = container.newContext()
            let documents = try Self.documents(context)
            #expect(documents[0].primitiveValue(forKey: "contents") as? Data == Self.bytes)
            #expect(documents[0].value(forKey: "thumbnail") as? Data == Data(Self.bytes.reversed()))
            #expect(documents[2].value(forKey: "contents") == nil)
            documents[1].setValue(Data([7]), forKey: "contents")
            documents[0].setValue(nil, forKey: "contents")
            documents[0].setPrimitiveValue(Data([6]), forKey: "contents")
            try context.save()
            expectEqual(try Self.sideRows(container), ["a|1|1", "b|1|1", "c|-|-"])
            context.refresh(documents[1], mergeChanges: false)
            _ = documents[1].primitiveValue(forKey: "contents")
            #expect(documents[1].isFault)
            expectEqual(documents[1].contents, Data([7]))
        }
    }

    @Test func objectsWithoutClasses() throws {
        try withStorePath { path in
            let definition = ModelDefinition(
                name: "Archive",
                versionName: "Archive 2",
                model: ArchiveModel.definition.model
            )
            let container = try definition.testContainer(at: path)
            let context = container.newContext()
            let scan = EntityDescription.insertNewObject(forEntityName: "Scan", into: context)
            scan.setValue(Self.bytes, forKey: "pages")
            scan.setValue(Data("[1]".utf8), forKey: "sizes")
            scan.setValue("s", forKey: "title")
            try context.save()
            let other = container.newContext()
            let read = try #require(
                try other.fetch(FetchRequest<ManagedObject>(entityName: "Document")).first
            )
            #expect(try !Self.isRead(read, "pages"))
            #expect(read.value(forKey: "pages") as? Data == Self.bytes)
            expectEqual(try Self.sideRows(container, "pages"), ["s|5000|5000"])
        }
    }

    @Test func transformables() throws {
        AttributeTransformer<Bool>(encode: { Data([$0 ? 1 : 0]) }, decode: { $0 == Data([1]) })
            .register(forName: "StampTransformer")
        try Self.withStore { container, _ in
            let context = container.newContext()
            let scan = Scan(context: context, pages: Self.bytes, sizes: [1, 2])
            scan.keywords = ["x", "y"]
            scan.stamp = true
            scan.raw = Data([3])
            try context.save()
            let other = container.newContext()
            let read = try #require(try other.fetch(Scan.fetchRequest()).first)
            #expect(try !Self.isRead(read, "sizes") && !Self.isRead(read, "keywords"))
            #expect(
                read.sizes == [1, 2] && read.keywords == ["x", "y"] && read.stamp == true && read.raw == Data([3])
            )
            read.sizes.append(3)
            read.stamp = nil
            try other.save()
            let last = container.newContext()
            let again = try #require(try last.fetch(Scan.fetchRequest()).first)
            #expect(again.sizes == [1, 2, 3] && again.stamp == nil)
        }
    }

    /// The elements of a composite are read together with the row.
    @Test(.onlySQLite(.files)) func compositeElementsAreStoredInTheRow() throws {
        try Self.withStore { container, path in
            let context = container.newContext()
            let document = try #require(try Self.documents(context).first)
            document.origin = ArchiveModel.Origin(logo: Data([1]), name: "n")
            try context.save()
            let values: [Document.Values] = try context.fetchValues(Document.fetchRequest().where(\.title == "a"))
            expectEqual(values.first?.origin, ArchiveModel.Origin(logo: Data([1]), name: "n"))
            let connection = try SQLiteConnection(path: path, mode: .readOnly)
            expectEqual(
                try connection.text("SELECT typeof(\"origin_logo\") FROM \"Document\" WHERE \"title\" = 'a'"),
                "blob"
            )
        }
    }

    // MARK: Inserting values

    @Test func insertedValuesBringTheirBytes() throws {
        try Self.withStore { container, path in
            let context = container.newContext()
            let all: [Document.Values] = try context.fetchValues(
                Document.fetchRequest().sorted(by: \.title),
                includesExternalData: true
            )
            try context.insertValues(all)
            expectEqual(
                try Self.sideRows(container).sorted(),
                [
                    "a|5000|5000", "a|5000|5000", "b|0|0", "b|0|0", "c|-|-", "c|-|-",
                ]
            )
            let reader = container.newContext()
            let copies = try reader.fetch(Document.fetchRequest().where(format: "title == 'a'"))
            expectEqual(copies.map(\.contents), [Self.bytes, Self.bytes])
            // Values that were not read cannot be inserted.
            let unread: [Document.Values] = try context.fetchValues(Document.fetchRequest().sorted(by: \.title))
            let error = #expect(throws: ValidationError.self) { try context.insertValues(unread) }
            expectEqual(error?.failures.first?.propertyName, "contents")
            expectEqual(try context.count(for: Document.fetchRequest()), 6)
        }
    }

    // MARK: Failing

    @Test(.onlySQLite(.engine)) func tooManyBytesAreAnErrorThatLosesNothing() throws {
        try Self.withStore { container, path in
            let store = try #require(container.persistentStoreCoordinator.persistentStores.first)
            let context = container.newContext()
            let documents = try Self.documents(context)
            try limitLength(of: store, to: 4_000)
            for count in [4_000, 4_001] {
                documents[1].title = "changed"
                documents[1].contents = Data(count: count)
                let error = #expect(throws: ValidationError.self) { try context.save() }
                let failure = try #require(error?.failures.first)
                #expect(failure.code == .managedObjectValidation && failure.propertyName == "contents")
                expectEqual(
                    failure.reason,
                    "has \(count) bytes, but the store allows fewer than 4000; store the bytes in a file, and "
                        + "the name of the file in the object"
                )
                #expect(documents[1].contents == Data(count: count) && documents[1].isUpdated)
            }
            expectEqual(try Self.sideRows(container), ["a|5000|5000", "b|0|0", "c|-|-"])
            documents[1].contents = Data(count: 3_000)
            try context.save()
            expectEqual(try Self.sideRows(container), ["a|5000|5000", "c|-|-", "changed|3000|3000"])
        }
    }

    @Test func aSaveThatFailsWritesNoBytes() throws {
        try Self.withStore { container, path in
            let (context, other) = (container.newContext(), container.newContext())
            let documents = try Self.documents(context)
            documents[0].contents = Data([1])
            documents[1].title = "conflict"
            for document in try Self.documents(other) where document.title == "b" { document.title = "B" }
            try other.save()
            #expect(throws: SaveConflictError.self) { try context.save() }
            expectEqual(try Self.sideRows(container), ["B|0|0", "a|5000|5000", "c|-|-"])
            #expect(documents[0].contents == Data([1]) && documents[0].isUpdated)
        }
    }

    @Test(.onlySQLite(.files)) func deletingARowWithSQLDeletesItsBytes() throws {
        try Self.withStore { container, path in
            let connection = try SQLiteConnection(path: path, mode: .readWriteCreate)
            try connection.execute("DELETE FROM \"Document\" WHERE \"title\" = 'a'")
            expectEqual(try Self.sideRows(container), ["b|0|0", "c|-|-"])
        }
    }

    @Test(.onlySQLite(.files)) func copiesOfAStoreHaveTheBytes() throws {
        try Self.withStore { container, path in
            let store = try #require(container.persistentStoreCoordinator.persistentStores.first)
            try store.backUp(to: path + ".copy")
            let context = try ArchiveModel.definition.testContainer(at: path + ".copy").newContext()
            expectEqual(try Self.documents(context).map(\.contents), [Self.bytes, Data(), nil])
        }
    }

    /// In a list, too, a predicate uses only whether there is external data.
    @Test func conditionsInListsCompareBytesWithNil() throws {
        try Self.withStore { container, _ in
            let context = container.newContext()
            let document = try #require(try Self.documents(context).last)
            #expect(document.contents == nil)
            for (isSaved, contents) in [(true, nil), (false, Self.bytes), (true, Self.bytes), (false, nil)] {
                document.contents = contents
                if isSaved { try context.save() }
                let found = try ["contents != nil", "ANY {contents} != nil", "ANY {nil, contents} != nil"].map {
                    try context.fetch(Document.fetchRequest().where(format: $0)).count
                }
                let with = try Self.documents(context).filter { $0.contents != nil }.count
                expectEqual(found, [with, with, with], "saved: \(isSaved), with: \(with)")
            }
        }
    }
}
