import CChordataSQLite
@_spi(Generated) import Chordata
import ChordataTestSupport
import Foundation
import Testing

@Suite(.onlySQLite(.migrations))
struct MigrationTests {
    /// A step that fails in the middle leaves the store unchanged.
    @Test func aFailingMigrationChangesNothing() throws {
        try withStorePath { path in
            let first = try firstVersion()
            do {
                let context = try PersistentContainer(model: first, path: path).newContext()
                let item = OldItem(context: context)
                item.title = "kept"
                try context.save()
            }
            let before = try Data(contentsOf: URL(fileURLWithPath: path))
            let columns = try query("SELECT name FROM pragma_table_info('OldItem')", at: path)
            let broken = try secondVersion(sql: "ALTER TABLE \"OldItem\" ADD COLUMN \"x\" TEXT; SELECT nonsense;")
            do {
                _ = try PersistentContainer(model: broken, path: path)
                Issue.record("was opened")
            } catch let error as StoreError {
                expectEqual(error.code, .migrationFailed)
                #expect(error.message.contains("'1' to '2'"))
            }
            expectEqual(try Data(contentsOf: URL(fileURLWithPath: path)), before)
            expectEqual(try query("SELECT name FROM pragma_table_info('OldItem')", at: path), columns)
            let context = try PersistentContainer(model: first, path: path).newContext()
            expectEqual(try context.fetch(OldItem.fetchRequest()).map(\.title), ["kept"])
        }
    }

    @Test func unknownVersionErrorNamesTheDifferences() throws {
        try withStorePath { path in
            _ = try PersistentContainer(model: try firstVersion(), path: path)
            do {
                _ = try PersistentContainer(model: try secondVersion(sql: nil), path: path)
                Issue.record("was opened")
            } catch let error as StoreError {
                expectEqual(error.code, .incompatibleModel)
                #expect(error.message.contains("changed: 'OldItem'"))
            }
        }
    }

    private func firstVersion() throws -> ModelDefinition {
        let text = "M\t\nE\tOldItem\nA\ttitle\tString\toptional=1"
        let hash = try ManagedObjectModelText(text).hash
        return ModelDefinition(
            name: "Shelf",
            versionName: "1",
            serializedModel: text,
            classes: [OldItem.self],
            versionNames: [hash: "1"],
            migrations: []
        )
    }

    private func secondVersion(sql: String?) throws -> ModelDefinition {
        let old = try ManagedObjectModelText("M\t\nE\tOldItem\nA\ttitle\tString\toptional=1").hash
        let text = "M\t\nE\tOldItem\tmodifier=2\nA\ttitle\tString\toptional=1"
        let new = try ManagedObjectModelText(text).hash
        let steps = sql.map {
            [
                ModelDefinition.Migration(
                    source: "1",
                    sourceHash: old,
                    destination: "2",
                    destinationHash: new,
                    sql: $0
                )
            ]
        }
        return ModelDefinition(
            name: "Shelf",
            versionName: "2",
            serializedModel: text,
            classes: [OldItem.self],
            versionNames: steps == nil ? [new: "2"] : [old: "1", new: "2"],
            migrations: steps ?? []
        )
    }
}

/// The version hash of a model that is given in its serialized form.
private struct ManagedObjectModelText {
    let hash: String
    init(_ text: String) throws {
        hash =
            ModelDefinition(
                name: "x",
                versionName: "x",
                serializedModel: text,
                classes: [],
                versionNames: [:],
                migrations: []
            ).model.versionHash
    }
}

/// A class as the generator writes it.
private final class OldItem: ManagedObject {
    private struct _Level {
        var title: String?
    }
    private final var _level = _Level()
    var title: String? {
        get {
            willAccess(0)
            return _level.title
        }
        set {
            willChange(0)
            _level.title = newValue
        }
    }
    override class var entityName: String { "OldItem" }
    override class func describe(_ object: ManagedObject, in layout: inout ClassLayout) {
        let object = unsafeDowncast(object, to: OldItem.self)
        layout.addLevel(&object._level, of: object)
    }
}
