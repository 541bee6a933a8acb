import Chordata
import ChordataModel
import ChordataSQL
import ChordataTestSupport
import ChordataVerification
import Foundation
import Testing

@testable import ChordataApple

/// Converts random stores to Core Data's format and back.
struct ConversionLawTests {
    /// A folder that is removed when the object is deallocated.
    private final class Folder {
        let path: String

        init() throws {
            path = FileManager.default.temporaryDirectory.appendingPathComponent("apple-\(UUID().uuidString)").path
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        }

        deinit { try? FileManager.default.removeItem(atPath: path) }

        func callAsFunction(_ name: String) -> String { path + "/" + name }
    }

    private static let seeds: Range<UInt64> = 0..<setting("CHORDATA_APPLE_SEEDS", small: 15)

    private static func definition(_ model: ManagedObjectModel) -> ModelDefinition {
        ModelDefinition(name: "Random", versionName: "v1", model: model)
    }

    /// Writes a store without using the runtime to create its rows.
    private static func write(_ graph: RandomGraph, to path: String, _ uuid: UUID) throws {
        let connection = try createStore(of: definition(graph.model), at: path, storeUUID: uuid)
        try graph.contents.write(to: connection, makeSchemaMapping(of: graph.model))
        try connection.execute("PRAGMA journal_mode=WAL")
    }

    /// Replaces the objects of a store.
    private static func replace(_ path: String, by graph: RandomGraph) throws {
        let connection = try SQLiteConnection(path: path, mode: .readWriteCreate)
        let mapping = makeSchemaMapping(of: graph.model)
        try connection.execute("BEGIN")
        for table in mapping.tables {
            if case .system = table.kind { continue }
            try connection.execute("DELETE FROM \(quoteIdentifier(table.name))")
        }
        try connection.execute("COMMIT")
        try graph.contents.write(to: connection, mapping)
    }

    private static func read(_ path: String, _ model: ManagedObjectModel) throws -> StoreContents {
        let connection = try SQLiteConnection(path: path, mode: .readOnly)
        let (contents, unexpectedValues) = try StoreContents.read(from: connection, makeSchemaMapping(of: model))
        expectEqual(unexpectedValues, [])
        return contents
    }

    private static func rows(_ path: String, _ sql: String) throws -> [[SQLValue]] {
        try SQLiteConnection(path: path, mode: .readOnly).rows(sql)
    }

    /// A store that is exported and imported again has the same objects, orders, keys, versions and UUID.
    @Test func exportAndImportAreInverse() async throws {
        print("ConversionLawTests.exportAndImportAreInverse: seeds \(Self.seeds)")
        for seed in Self.seeds {
            let folder = try Folder()
            let graph = try RandomGraph(seed: seed)
            let uuid = UUID()
            try Self.write(graph, to: folder("native"), uuid)
            let exported = try await exportStore(
                at: folder("native"),
                toNewStoreAt: folder("apple"),
                model: graph.model
            )
            expectEqual(exported.insertedCount, graph.contents.objects.count, "seed \(seed)")
            let bytes = try Data(contentsOf: URL(fileURLWithPath: folder("apple")))
            // Once with the given model, and once with the model that the store contains.
            _ = try await importStore(at: folder("apple"), to: folder("again"), model: Self.definition(graph.model))
            let own = try extractModel(ofStoreAt: folder("apple"))
            expectEqual(own.omissions, [], "seed \(seed)")
            expectEqual(own.model.versionHash, graph.model.versionHash, "seed \(seed)")
            expectEqual(VersionHashes(of: own.model), VersionHashes(of: graph.model), "seed \(seed)")
            _ = try await importStore(at: folder("apple"), to: folder("own"), model: Self.definition(own.model))
            for copy in ["again", "own"] {
                let differences = try Self.read(folder(copy), graph.model).differences(from: graph.contents)
                expectEqual(differences, [], "seed \(seed)")
                let metadata = try PersistentStoreCoordinator.metadata(forStoreAt: folder(copy))
                expectEqual(metadata.storeUUID, uuid)
            }
            expectEqual(try Data(contentsOf: URL(fileURLWithPath: folder("apple"))), bytes)
            expectEqual(
                try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasPrefix("apple") },
                [
                    "apple"
                ]
            )
            let inspection = try inspectCoreDataStore(
                at: folder("apple"),
                versions: [.init(name: "v1", model: graph.model)]
            )
            expectEqual(inspection.identified?.source, .versionHashes(uncomputed: []), "seed \(seed)")
            #expect(inspection.brokenInvariants == [] && inspection.comparisons[0].differences == [], "seed \(seed)")
        }
    }

    /// An export into the original store changes only what was changed in the exported store.
    @Test func changesAreExported() async throws {
        print("ConversionLawTests.changesAreExported: seeds \(Self.seeds)")
        for seed in Self.seeds {
            let folder = try Folder()
            var graph = try RandomGraph(seed: seed)
            let before = graph.contents
            try Self.write(graph, to: folder("native"), UUID())
            _ = try await exportStore(at: folder("native"), toNewStoreAt: folder("apple"), model: graph.model)
            let hasHistory = seed.isMultiple(of: 2)
            if hasHistory { try Self.addHistory(to: folder("apple")) }
            _ = try await importStore(at: folder("apple"), to: folder("same"), model: Self.definition(graph.model))
            let unchanged = try await exportStore(at: folder("same"), into: folder("apple"))
            expectEqual(unchanged, ExportedStore(insertedCount: 0, updatedCount: 0, deletedCount: 0), "seed \(seed)")
            let changed = graph.change()
            // The import has the state of the target; then its objects are replaced with the changed objects.
            _ = try await importStore(at: folder("apple"), to: folder("changed"), model: Self.definition(graph.model))
            try Self.replace(folder("changed"), by: graph)
            let exported = try await exportStore(at: folder("changed"), into: folder("apple"))
            let inserted = Set(graph.contents.objects.keys).subtracting(before.objects.keys)
            let deleted = Set(before.objects.keys).subtracting(graph.contents.objects.keys)
            #expect(exported.insertedCount == inserted.count && exported.deletedCount == deleted.count, "seed \(seed)")
            #expect(exported.updatedCount >= changed.count, "seed \(seed)")
            _ = try await importStore(at: folder("apple"), to: folder("again"), model: Self.definition(graph.model))
            let differences = try Self.read(folder("again"), graph.model).differences(from: graph.contents)
            expectEqual(differences, [], "seed \(seed)")
            let inspection = try inspectCoreDataStore(at: folder("apple"), versions: [])
            expectEqual(inspection.brokenInvariants, [], "seed \(seed)")
            guard hasHistory else { continue }
            let kinds = Dictionary(
                grouping: try Self.rows(
                    folder("apple"),
                    "SELECT ZCHANGETYPE, ZENTITYPK, ZCOLUMNS IS NULL FROM ACHANGE"
                ),
                by: { $0[0] }
            )
            func keys(_ kind: Int64) -> Set<Int64> { Set((kinds[.integer(kind)] ?? []).compactMap { $0[1].integer }) }
            #expect(keys(0) == inserted && keys(2) == deleted, "seed \(seed)")
            #expect(keys(1).isSuperset(of: changed) && keys(1).count == exported.updatedCount, "seed \(seed)")
            #expect(
                kinds.values.joined().allSatisfy { ($0[2] == .integer(0)) == ($0[0] == .integer(1)) },
                "seed \(seed)"
            )
            // An object whose values are equal keeps its version.
            let versions = try Self.rows(folder("again"), "SELECT next FROM _sequence")
            #expect(versions[0][0].integer ?? 0 > graph.contents.objects.keys.max() ?? 0, "seed \(seed)")
        }
    }

    /// Creates the tables in which Core Data tracks changes, as they are before the first change.
    private static func addHistory(to path: String) throws {
        let connection = try SQLiteConnection(path: path, mode: .readWriteCreate)
        try connection.execute(
            """
            CREATE TABLE ACHANGE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCHANGETYPE INTEGER, \
            ZENTITY INTEGER, ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, ZCOLUMNS BLOB );
            CREATE TABLE ATRANSACTION ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZAUTHORTS INTEGER, \
            ZBUNDLEIDTS INTEGER, ZCONTEXTNAMETS INTEGER, ZPROCESSIDTS INTEGER, ZTIMESTAMP FLOAT, ZAUTHOR VARCHAR, \
            ZBUNDLEID VARCHAR, ZCONTEXTNAME VARCHAR, ZPROCESSID VARCHAR, ZQUERYGEN BLOB );
            CREATE TABLE ATRANSACTIONSTRING ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR )
            """
        )
    }

    /// A store that is opened in Core Data's format shows the same objects as the native store.
    @Test func openedStoresShowTheSame() async throws {
        print("ConversionLawTests.openedStoresShowTheSame: seeds \(Self.seeds)")
        for seed in Self.seeds {
            let folder = try Folder()
            let graph = try RandomGraph(seed: seed)
            try Self.write(graph, to: folder("native"), UUID())
            _ = try await exportStore(at: folder("native"), toNewStoreAt: folder("apple"), model: graph.model)
            let opened = try PersistentContainer(model: Self.definition(graph.model), appleStore: folder("apple"))
            let native = try PersistentContainer(model: Self.definition(graph.model), path: folder("native"))
            let (shown, expected) = try (Self.describe(opened), Self.describe(native))
            expectEqual(shown.count, graph.contents.objects.count, "seed \(seed)")
            expectEqual(shown, expected, "seed \(seed)")
        }
    }

    /// Returns the values of all objects of a container, by row key.
    private static func describe(_ container: PersistentContainer) throws -> [String: [String: String]] {
        let context = container.newContext()
        var objects: [String: [String: String]] = [:]
        for entity in container.persistentStoreCoordinator.managedObjectModel.entities
        where entity.superentityName == nil {
            let request = FetchRequest<ManagedObject>(entityName: entity.name)
            for object in try context.fetch(request) {
                let own = container.persistentStoreCoordinator.managedObjectModel.entity(named: object.entity.name)
                var values = ["entity": object.entity.name]
                for attribute in own?.attributes ?? [] {
                    values[attribute.name] = object.value(forKey: attribute.name).map { "\($0)" }
                }
                for relationship in own?.relationships ?? [] {
                    let ids = object.objectIDs(forRelationshipNamed: relationship.name).map {
                        $0.uriRepresentation.suffix(12)
                    }
                    let keys = ids.map { $0.split(separator: "/").last ?? "" }
                    values[relationship.name] =
                        relationship.isOrdered ? keys.joined(separator: ",") : keys.sorted().joined(separator: ",")
                }
                objects["\(entity.name) \(object.objectID.uriRepresentation.split(separator: "/").last ?? "")"] = values
            }
        }
        return objects
    }
}
