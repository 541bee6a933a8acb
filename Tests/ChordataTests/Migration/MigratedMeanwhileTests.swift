import ChordataModel
import Foundation
import Testing

@testable import Chordata

/// Stores that one program migrates while another one has them open with the version before.
struct MigratedMeanwhileTests {
    private static func entity(_ name: String, _ attributes: [String: String], was: String? = nil, below: String? = nil)
        -> EntityDescription
    {
        EntityDescription(
            name: name,
            superentityName: below,
            attributes: attributes.sorted { $0.key < $1.key }.map { name, identifier in
                AttributeDescription(
                    name: name,
                    attributeType: .string,
                    isOptional: true,
                    renamingIdentifier: identifier == name ? nil : identifier
                )
            },
            renamingIdentifier: was
        )
    }

    /// A subentity gets another name, and two attributes change theirs: the older program's SQL works with both
    /// versions.
    private static func versions() throws -> Versions {
        try Versions([
            [entity("Animal", ["a": "a", "b": "b"]), entity("Cat", [:], below: "Animal")],
            [entity("Animal", ["a": "b", "b": "a"]), entity("Feline", [:], was: "Cat", below: "Animal")],
        ])
    }

    private func insert(_ entity: String, _ context: ManagedObjectContext) {
        let object = EntityDescription.insertNewObject(forEntityName: entity, into: context)
        object.setValue("is a", forKey: "a")
        object.setValue("is b", forKey: "b")
    }

    private func expectRefused(_ body: () throws -> Void, sourceLocation: SourceLocation = #_sourceLocation) {
        do {
            try body()
            Issue.record("was written", sourceLocation: sourceLocation)
        } catch let error as StoreError {
            #expect(error.code == .incompatibleModel, sourceLocation: sourceLocation)
            #expect(
                error.message.contains("has been migrated to version 'Shelf 2' by another program while it was open"),
                "\(error)",
                sourceLocation: sourceLocation
            )
        } catch {
            Issue.record(error, sourceLocation: sourceLocation)
        }
    }

    @Test func theOlderProgramWritesNothingMore() throws {
        try withStorePath { path in
            let versions = try Self.versions()
            let older = try PersistentContainer(model: try versions.definition(upTo: 1), path: path)
            let context = older.newContext()
            insert("Cat", context)
            try context.save()
            let cat = try context.fetch(FetchRequest<ManagedObject>(entityName: "Cat"))[0]

            let newer = try PersistentContainer(model: try versions.definition(), path: path)
            let rows = "SELECT group_concat(_id || _version || _entity || a || b) FROM Animal"
            let before = try query(rows, at: path)
            insert("Cat", context)
            expectRefused { try context.save() }
            context.rollback()
            cat.setValue("changed", forKey: "a")
            expectRefused { try context.save() }
            context.rollback()
            context.delete(cat)
            expectRefused { try context.save() }
            context.rollback()
            expectRefused {
                let update = BatchUpdateRequest<ManagedObject>(entityName: "Cat").setting("a", to: "changed")
                _ = try context.execute(update)
            }
            expectRefused { try older.persistentStoreCoordinator.persistentStores[0].setMetadata("x", forKey: "y") }
            #expect(try query(rows, at: path) == before)

            // The newer one goes on, also behind others that write with its version.
            let other = try PersistentContainer(model: try versions.definition(), path: path)
            let one = newer.newContext()
            for context in [one, other.newContext(), one] {
                insert("Feline", context)
                try context.save()
            }
            #expect(try query("SELECT count(*) FROM Animal WHERE _entity = 'Feline'", at: path) == ["4"])
        }
    }
}
