@_spi(Generated) import Chordata
import ChordataModel
import ChordataTestStores
import ChordataTestSupport
import Foundation
import Testing

/// A class that was generated from another model, as those of a library are, must have the properties of its entity.
struct ClassCheckTests {
    /// A difference between the model of the classes and the model of the store, with the error message about it.
    struct Difference: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var message: String
        var change: @Sendable (inout EntityDescription) -> Void

        init(_ name: String, _ message: String, _ change: @escaping @Sendable (inout EntityDescription) -> Void) {
            testDescription = name
            self.message = message
            self.change = change
        }
    }

    static let differences: [Difference] = [
        Difference("order", "declares 'name' where the entity declares 'age', so the order differs") {
            $0.declaredAttributes.swapAt(0, 1)
        },
        Difference("name", "has no property 'title'") { $0.declaredAttributes[0].name = "title" },
        Difference("missing in the class", "has no property 'extra'") {
            $0.declaredAttributes.append(AttributeDescription(name: "extra", attributeType: .string, isOptional: true))
        },
        Difference("missing in the entity", "has a property 'age', which the entity lacks") {
            $0.declaredAttributes.removeAll { $0.name == "age" }
        },
        Difference("type of the same size", "declares 'age' as ") { $0.declaredAttributes[1].attributeType = .boolean },
        Difference("optionality", "declares 'name' as ") { $0.declaredAttributes[0].isOptional.toggle() },
        Difference("transience", "declares 'age' as ") { $0.declaredAttributes[1].isTransient = true },
        Difference("to-many", "declares 'team' as to-one relationship") { $0.declaredRelationships[0].isToMany = true },
        Difference("missing relationship", "has a property 'team', which the entity lacks") {
            $0.declaredRelationships.removeAll()
        },
    ]

    private static func definition(_ change: (inout EntityDescription) -> Void) throws -> ModelDefinition {
        var entities = LeagueModel.definition.model.entities.map { entity in
            EntityDescription(
                name: entity.name,
                managedObjectClassName: entity.managedObjectClassName,
                attributes: entity.declaredAttributes,
                relationships: entity.declaredRelationships
            )
        }
        let index = try #require(entities.firstIndex { $0.name == "Player" })
        change(&entities[index])
        return ModelDefinition(
            name: "App",
            versionName: "App",
            serializedModel: try ManagedObjectModel(entities: entities).serialized(),
            classes: [Player.self, Team.self],
            versionNames: [:],
            migrations: []
        )
    }

    @Test(arguments: differences)
    func aDifferenceIsAnErrorBeforeAFileIsMade(_ difference: Difference) throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "class-check-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }  // It does not exist, unless the test fails.
        let definition = try Self.definition(difference.change)
        // Opening the store again has the same result.
        for _ in 0..<2 {
            let error = try #require(throws: StoreError.self) {
                _ = try definition.testContainer(at: path)
            }
            expectEqual(error.code, .incompatibleClass)
            #expect(error.message.hasPrefix("entity 'Player' of model 'App' does not match its class '"), "\(error)")
            #expect(error.message.contains("the class of module 'ChordataTests' \(difference.message)"), "\(error)")
        }
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    /// The class does not depend on defaults and validation rules.
    @Test func settingsUnrelatedToTheClassMayDiffer() throws {
        let definition = try Self.definition { entity in
            entity.declaredAttributes[1].defaultValue = .integer(77)
            entity.declaredAttributes[1].isIndexed = true
        }
        for _ in 0..<2 { _ = try definition.testContainer(at: ":memory:") }
    }
}
