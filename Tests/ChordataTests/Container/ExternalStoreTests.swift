import ChordataTestSupport
import Foundation
import Testing

@testable import Chordata

/// Stores whose external data is not where this version expects it: stores of older model versions, and stores from
/// before side tables were introduced.
@Suite(.onlySQLite(.files))
struct ExternalStoreTests {
    private static let attributes = ["contents", "keywords", "thumbnail", "pages", "raw", "sizes", "stamp"]

    /// Converts a store to the form that it had before side tables were introduced.
    private func putInline(_ columns: [String], at path: String) throws {
        let connection = try SQLiteConnection(path: path, mode: .readWriteCreate)
        for column in columns {
            let side = "\"_external_Document_\(column)\""
            try connection.execute(
                """
                ALTER TABLE "Document" ADD COLUMN "_inline" BLOB;
                UPDATE "Document" SET "_inline" = (SELECT "bytes" FROM \(side) AS e WHERE e."_id" = "Document"."_id");
                ALTER TABLE "Document" DROP COLUMN "\(column)";
                ALTER TABLE "Document" RENAME COLUMN "_inline" TO "\(column)";
                CREATE INDEX "Document_\(column)" ON "Document" ("\(column)");
                DROP TABLE \(side);
                """
            )
        }
        // Stores of that time did not record their schema.
        try connection.execute("DELETE FROM \"_metadata\" WHERE \"key\" = 'schema'")
    }

    private func schema(_ path: String) throws -> Set<String> {
        let connection = try SQLiteConnection(path: path, mode: .readOnly)
        let statement = try connection.prepare(
            """
            SELECT m."name", m."tbl_name", c."name", c."type" FROM sqlite_schema m LEFT JOIN pragma_table_info(m."name") c
            """
        )
        var lines: Set<String> = []
        while try statement.step() {
            lines.insert((0..<4).map { statement.text(at: $0) ?? "-" }.joined(separator: "|"))
        }
        return lines
    }

    @Test func openingMovesExternalDataOutOfRows() throws {
        try ExternalDataTests.withStore { container, path in
            let context = container.newContext()
            let scan = Scan(context: context, pages: ExternalDataTests.bytes, sizes: [1])
            scan.title = "s"
            try context.save()
            let before = try schema(path)
            try putInline(Self.attributes, at: path)
            #expect(try schema(path) != before)

            let reopened = try ArchiveModel.container(at: path)
            let opened = reopened.newContext()
            expectEqual(try schema(path), before)
            expectEqual(try ExternalDataTests.sideRows(reopened), ["a|5000|5000", "b|0|0", "c|-|-", "s|-|-"])
            expectEqual(try ExternalDataTests.sideRows(reopened, "pages"), ["a|-|-", "b|-|-", "c|-|-", "s|5000|5000"])
            let documents = try ExternalDataTests.documents(opened)
            expectEqual(documents.map(\.contents), [ExternalDataTests.bytes, Data(), nil, nil])
            #expect((documents[3] as? Scan)?.sizes == [1])
            documents[0].contents = Data([1])
            try opened.save()
        }
    }

    @Test func aStoreThatCannotBeWrittenIsRefusedWithBytesInItsRows() throws {
        try ExternalDataTests.withStore { _, path in
            try putInline(["contents"], at: path)
            let before = try schema(path)
            let error = #expect(throws: StoreError.self) {
                try PersistentContainer(
                    model: ArchiveModel.definition,
                    path: path,
                    options: StoreOptions(isReadOnly: true)
                )
            }
            expectEqual(error?.code, .readOnly)
            expectEqual(
                error?.message,
                "has external data in the rows of its objects, which must be moved to side tables, but it is read-only; "
                    + "open it for writing once"
            )
            expectEqual(try schema(path), before)
        }
    }

    @Test func movingExternalDataOutOfRowsIsAtomic() throws {
        try ExternalDataTests.withStore { _, path in
            try putInline(["contents", "thumbnail"], at: path)
            let connection = try SQLiteConnection(path: path, mode: .readWriteCreate)
            // SQLite refuses to drop a column that a view names.
            try connection.execute("CREATE VIEW \"v\" AS SELECT \"thumbnail\" FROM \"Document\"")
            let before = try schema(path)
            let error = #expect(throws: StoreError.self) { try ArchiveModel.container(at: path) }
            expectEqual(error?.code, .migrationFailed)
            #expect(error?.message.hasPrefix("moving external data out of the rows failed and was undone") == true)
            expectEqual(try schema(path), before)
            try connection.execute("DROP VIEW \"v\"")
            let context = try ArchiveModel.container(at: path).newContext()
            expectEqual(
                try ExternalDataTests.documents(context).map(\.contents),
                [ExternalDataTests.bytes, Data(), nil]
            )
        }
    }

    // MARK: Migration

    /// The first version of the model, without classes.
    private func firstVersion() throws -> ModelDefinition {
        let model = try ManagedObjectModel(entities: [
            EntityDescription(
                name: "Document",
                attributes: [
                    AttributeDescription(name: "contents", attributeType: .binaryData, isOptional: true),
                    AttributeDescription(
                        name: "inline",
                        attributeType: .binaryData,
                        isOptional: true,
                        allowsExternalBinaryDataStorage: true
                    ),
                    AttributeDescription(
                        name: "preview",
                        attributeType: .binaryData,
                        isOptional: true,
                        allowsExternalBinaryDataStorage: true
                    ),
                    AttributeDescription(name: "title", attributeType: .string, defaultValue: .string("")),
                ]
            )
        ])
        expectEqual(ArchiveModel.definition.versionNames[model.versionHash], "Archive")
        return ModelDefinition(name: "Archive", versionName: "Archive", model: model)
    }

    private func makeFirstStore(at path: String) throws {
        let context = try PersistentContainer(model: firstVersion(), path: path).newContext()
        for (title, bytes) in [("a", Data([1, 2])), ("b", Data()), ("c", nil)] {
            let document = EntityDescription.insertNewObject(forEntityName: "Document", into: context)
            document.setValue(title, forKey: "title")
            for key in ["contents", "inline", "preview"] { document.setValue(bytes, forKey: key) }
        }
        try context.save()
    }

    @Test func migrationMovesBytesBetweenRowsAndTables() throws {
        try withStorePath { path in
            try makeFirstStore(at: path)
            let container = try ArchiveModel.container(at: path)
            let context = container.newContext()
            let documents = try ExternalDataTests.documents(context)
            expectEqual(documents.map(\.title), ["a", "b", "c"])
            for keyPath in [\Document.contents, \Document.inline, \Document.thumbnail] {
                let values = documents.map { $0[keyPath: keyPath] }
                expectEqual(values, [Data([1, 2]), Data(), nil])
            }
            expectEqual(try ExternalDataTests.sideRows(container), ["a|2|2", "b|0|0", "c|-|-"])
            expectEqual(try ExternalDataTests.sideRows(container, "thumbnail"), ["a|2|2", "b|0|0", "c|-|-"])
            let fresh = path + ".fresh"
            _ = try ArchiveModel.container(at: fresh)
            try expectEqual(schema(path), schema(fresh))
        }
    }

    /// Only the migration of an older version is known, not its tables, so the store is refused and left unchanged.
    @Test func anOlderVersionWithBytesInItsRowsIsRefusedWithARemedy() throws {
        try withStorePath { path in
            try makeFirstStore(at: path)
            try putInline(["inline", "preview"], at: path)
            let before = try schema(path)
            let error = #expect(throws: StoreError.self) { try ArchiveModel.container(at: path) }
            expectEqual(error?.code, .migrationFailed)
            #expect(
                error?.message.hasSuffix(
                    "; the store has external data in rows instead of in a side table; open it once with a program whose "
                        + "current version is the version of the store, which moves the data, then migrate"
                ) == true
            )
            expectEqual(try schema(path), before)
            _ = try PersistentContainer(model: firstVersion(), path: path)
            let context = try ArchiveModel.container(at: path).newContext()
            expectEqual(try ExternalDataTests.documents(context).map(\.thumbnail), [Data([1, 2]), Data(), nil])
        }
    }
}
