import ChordataModel
import ChordataTestSupport
import Testing

@testable import Chordata

/// A store's description of its version is different for each version.
struct ModelSummaryTests {
    private static func model(_ change: (inout EntityDescription) -> Void = { _ in }) throws -> ManagedObjectModel {
        var person = EntityDescription(
            name: "Person",
            attributes: [
                AttributeDescription(name: "name", attributeType: .string, isOptional: false),
                AttributeDescription(name: "age", attributeType: .integer16, isOptional: true),
            ],
            relationships: [
                RelationshipDescription(name: "team", destinationEntityName: "Team", inverseName: "players")
            ]
        )
        change(&person)
        let team = EntityDescription(
            name: "Team",
            relationships: [
                RelationshipDescription(
                    name: "players",
                    destinationEntityName: "Person",
                    inverseName: "team",
                    isToMany: true
                )
            ]
        )
        return try ManagedObjectModel(entities: [person, team])
    }

    private typealias Change = @Sendable (inout EntityDescription) -> Void

    private static let changes: [(Change, String)] = [
        ({ $0.isAbstract = true }, "'Person' itself (concrete in the store, abstract in the model)"),
        (
            { $0.declaredUniquenessConstraints = [["name", "age"]] },
            "'Person' itself (concrete in the store, concrete, unique by age+name in the model)"
        ),
        (
            { $0.versionHashModifier = "2" },
            "'Person' itself (concrete in the store, concrete, hash modifier '2' in the model)"
        ),
        (
            { $0.declaredAttributes[0].isOptional = true },
            "'name' of 'Person' (String in the store, String, optional in the model)"
        ),
        (
            { $0.declaredAttributes[1].attributeType = .integer32 },
            "'age' of 'Person' (Integer 16, optional in the store, Integer 32, optional in the model)"
        ),
        (
            { $0.declaredAttributes[1].isTransient = true },
            "'age' of 'Person' (Integer 16, optional in the store, Integer 16, optional, transient in the model)"
        ),
        (
            { $0.declaredAttributes[1].name = "a\tge\\" },
            "'a\tge\\' of 'Person' (Integer 16, optional) only in the model"
        ),
        (
            { $0.declaredRelationships[0].isOptional = false },
            "'team' of 'Person' (to-one, 'Team', inverse 'players', optional in the store, "
                + "to-one, 'Team', inverse 'players' in the model)"
        ),
    ]

    /// Each change of a version hash is named, and a summary is unchanged after it was written and parsed.
    @Test func eachChangeIsNamed() throws {
        for (change, words) in Self.changes {
            let (old, new) = (try Self.model(), try Self.model(change))
            #expect(old.versionHash != new.versionHash)
            let (store, model) = (ModelSummary(old), ModelSummary(new))
            expectEqual(ModelSummary(text: store.text), store)
            expectEqual(ModelSummary(text: model.text), model)
            let differences = ModelSummary.differences(store: store, model: model, in: ["Person"])
            #expect(differences.contains(words), "\(differences)")
            expectEqual(ModelSummary.differences(store: store, model: store, in: ["Person"]), [])
        }
    }
}
