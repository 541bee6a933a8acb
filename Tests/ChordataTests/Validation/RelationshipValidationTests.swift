import Chordata
import ChordataModel
import ChordataTestStores
import ChordataTestSupport
import Testing

/// The model's rules about relationships: 1570, 1580, 1590, 1600, D4 and "more rules" of 5B.
struct RelationshipValidationTests {
    /// Teams with players, and tags without an inverse to their owners.
    private func container(
        isOptional: Bool,
        minimum: Int = 0,
        maximum: Int = 0,
        deleteRule: DeleteRule = .nullify,
        isManyToMany: Bool = false
    ) throws -> PersistentContainer {
        let model = try ManagedObjectModel(entities: [
            EntityDescription(
                name: "Team",
                attributes: [AttributeDescription(name: "name", attributeType: .string, isOptional: true)],
                relationships: [
                    RelationshipDescription(
                        name: "players",
                        destinationEntityName: "Player",
                        inverseName: "team",
                        isToMany: true,
                        isOptional: isOptional,
                        minimumCount: minimum,
                        maximumCount: maximum,
                        deleteRule: deleteRule
                    )
                ]
            ),
            EntityDescription(
                name: "Player",
                relationships: [
                    RelationshipDescription(
                        name: "team",
                        destinationEntityName: "Team",
                        inverseName: "players",
                        isToMany: isManyToMany
                    )
                ]
            ),
        ])
        return try ModelDefinition(name: "V", versionName: "1", model: model).testContainer(at: ":memory:")
    }

    private func insert(_ name: String, _ context: ManagedObjectContext) -> ManagedObject {
        EntityDescription.insertNewObject(forEntityName: name, into: context)
    }

    private func saveError(_ context: ManagedObjectContext) -> ValidationError? {
        #expect(throws: ValidationError.self) { try context.save() }
    }

    @Test func anEmptyRequiredRelationshipIs1570() throws {
        let context = try container(isOptional: false).newContext()
        let team = insert("Team", context)
        expectEqual(saveError(context)?.code, .missingMandatoryProperty)
        let player = insert("Player", context)
        team.setValue([player], forKey: "players")
        try context.save()
        team.setValue(nil, forKey: "players")
        expectEqual(saveError(context)?.failures.map(\.propertyName), ["players"])
        team.setValue([player], forKey: "players")
        try context.save()
    }

    @Test func aRequiredRelationshipBelowItsMinimumIs1580() throws {
        let context = try container(isOptional: false, minimum: 2).newContext()
        let team = insert("Team", context)
        let none = saveError(context)
        expectEqual(none?.code, .relationshipLacksMinimumCount)
        expectEqual(none?.failures.map(\.reason), ["has 0 objects; the minimum is 2; add objects"])
        let players = [insert("Player", context), insert("Player", context)]
        team.setValue([players[0]], forKey: "players")
        expectEqual(
            saveError(context)?.failures.map(\.reason),
            [
                "has 1 object; the minimum is 2; add objects"
            ]
        )
        team.setValue(players, forKey: "players")
        try context.save()
    }

    @Test func anOptionalRelationshipBelowItsMinimumMayBeEmpty() throws {
        let context = try container(isOptional: true, minimum: 2).newContext()
        let team = insert("Team", context)
        try context.save()
        let player = insert("Player", context)
        player.setValue(team, forKey: "team")
        expectEqual(saveError(context)?.code, .relationshipLacksMinimumCount)
        player.setValue(nil, forKey: "team")
        try context.save()
    }

    @Test func aRelationshipAboveItsMaximumIs1590() throws {
        let container = try container(isOptional: true, maximum: 2)
        let context = container.newContext()
        let team = insert("Team", context)
        let players = (0..<3).map { _ in insert("Player", context) }
        team.setValue(players, forKey: "players")
        let error = saveError(context)
        expectEqual(error?.code, .relationshipExceedsMaximumCount)
        expectEqual(error?.failures.map(\.reason), ["has 3 objects; the maximum is 2; remove objects"])
        team.setValue(Array(players.dropLast()), forKey: "players")
        try context.save()
        // Members that were not read are counted if they changed.
        let other = container.newContext()
        let same = try #require(try other.fetch(FetchRequest<ManagedObject>(entityName: "Team")).first)
        let added = insert("Player", other)
        added.setValue(same, forKey: "team")
        expectEqual(saveError(other)?.code, .relationshipExceedsMaximumCount)
        other.delete(added)
        try other.save()
    }

    @Test func aRequiredRelationshipThatIsEmptiedUnreadIs1570() throws {
        let container = try container(isOptional: false, isManyToMany: true)
        let context = container.newContext()
        insert("Team", context).setValue([insert("Player", context)], forKey: "players")
        try context.save()
        let other = container.newContext()
        let team = try #require(try other.fetch(FetchRequest<ManagedObject>(entityName: "Team")).first)
        let player = try #require(try other.fetch(FetchRequest<ManagedObject>(entityName: "Player")).first)
        team.mutableSetValue(forKey: "players").remove(player)
        expectEqual(saveError(other)?.code, .missingMandatoryProperty)
        team.mutableSetValue(forKey: "players").add(player)
        try other.save()
    }

    @Test func unchangedRelationshipsAreNotRead() throws {
        let container = try container(isOptional: false, minimum: 1, maximum: 1)
        let context = container.newContext()
        insert("Team", context).setValue([insert("Player", context)], forKey: "players")
        try context.save()
        let other = container.newContext()
        let team = try #require(try other.fetch(FetchRequest<ManagedObject>(entityName: "Team")).first)
        team.setValue("Reds", forKey: "name")
        try other.save()
        #expect(team.primitiveValue(forKey: "players") == nil)
    }

    @Test func aDeletionThatARuleDeniesIs1600() throws {
        let context = try container(isOptional: true, deleteRule: .deny).newContext()
        let (team, player) = (insert("Team", context), insert("Player", context))
        team.setValue([player], forKey: "players")
        try context.save()
        context.delete(team)
        let error = saveError(context)
        #expect(error?.code == .relationshipDeniedDelete && error?.code.rawValue == 1600)
        expectEqual(
            error?.failures.map(\.reason),
            ["has delete rule Deny and is not empty; remove its objects first"]
        )
        #expect(team.isDeleted)
        #expect(throws: ValidationError.self) { try team.validateForDelete() }
        // D4
        context.delete(player)
        try team.validateForDelete()
        try context.save()
        #expect(!context.hasChanges)
    }

    @Test func aValueOfARelationshipIsValidatedAlone() throws {
        let context = try container(isOptional: false, minimum: 1, maximum: 2).newContext()
        let team = insert("Team", context)
        let players = (0..<3).map { _ in insert("Player", context) }
        func code(_ value: Any?, _ key: String, of object: ManagedObject) -> ValidationError.Failure.Code? {
            do {
                try object.validateValue(value, forKey: key)
                return nil
            } catch {
                return (error as? ValidationError)?.code
            }
        }
        expectEqual(code(nil, "players", of: team), .relationshipLacksMinimumCount)
        #expect(code([players[0], players[0]], "players", of: team) == nil)
        expectEqual(code(Set(players), "players", of: team), .relationshipExceedsMaximumCount)
        expectEqual(code([team], "players", of: team), .managedObjectValidation)
        expectEqual(code(1, "players", of: team), .managedObjectValidation)
        #expect(code(nil, "team", of: players[0]) == nil)
        #expect(code(team, "team", of: players[0]) == nil)
        expectEqual(code(players[1], "team", of: players[0]), .managedObjectValidation)
        expectEqual(code("team", "team", of: players[0]), .managedObjectValidation)
    }
}
