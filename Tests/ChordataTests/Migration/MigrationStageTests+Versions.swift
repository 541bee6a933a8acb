@_spi(Generated) import Chordata
import ChordataMigration
import ChordataModel
import Foundation
import Synchronization
import Testing

// The two versions that the tests of stages migrate between, and the stage itself.
extension MigrationStageTests {
    static func attribute(_ name: String, _ type: AttributeType = .string, isOptional: Bool = true)
        -> AttributeDescription
    {
        AttributeDescription(name: name, attributeType: type, isOptional: isOptional)
    }

    static func toMany(_ name: String, _ destination: String, _ inverse: String) -> RelationshipDescription {
        RelationshipDescription(name: name, destinationEntityName: destination, inverseName: inverse, isToMany: true)
    }

    static func toOne(_ name: String, _ destination: String, _ inverse: String) -> RelationshipDescription {
        RelationshipDescription(name: name, destinationEntityName: destination, inverseName: inverse)
    }

    /// A name is split into two, a string becomes a number, one of several teams is kept, and `kind` is removed.
    static func versions() throws -> Versions {
        var versions = try Versions([
            [
                EntityDescription(
                    name: "Person",
                    attributes: [attribute("name"), attribute("age"), attribute("kind")],
                    relationships: [toMany("teams", "Team", "members")]
                ),
                EntityDescription(
                    name: "Team",
                    attributes: [attribute("title")],
                    relationships: [toMany("members", "Person", "teams")]
                ),
            ],
            [
                EntityDescription(
                    name: "Person",
                    attributes: [
                        attribute("firstName", isOptional: false), attribute("lastName", isOptional: false),
                        attribute("age", .integer16),
                    ],
                    relationships: [toOne("team", "Team", "people")]
                ),
                EntityDescription(
                    name: "Team",
                    attributes: [attribute("title")],
                    relationships: [toMany("people", "Person", "team")]
                ),
            ],
        ])
        // The to-many relationship becomes a to-one.
        versions = try Versions(
            versions.models.enumerated().map { index, model in
                index == 0
                    ? model.entities
                    : model.entities.map { entity in
                        var entity = entity
                        for place in entity.declaredRelationships.indices {
                            entity.declaredRelationships[place].renamingIdentifier =
                                entity.name == "Person" ? "teams" : "members"
                        }
                        return entity
                    }
            }
        )
        versions.stages = [1]
        return versions
    }

    static func fill(_ context: ManagedObjectContext) throws {
        let teams = (0..<3).map { number in
            let team = EntityDescription.insertNewObject(forEntityName: "Team", into: context)
            team.setValue("team \(number)", forKey: "title")
            return team
        }
        for number in 0..<10 {
            let person = EntityDescription.insertNewObject(forEntityName: "Person", into: context)
            person.setValue("First\(number) Last\(number)", forKey: "name")
            person.setValue(number == 7 ? nil : "\(20 + number)", forKey: "age")
            for team in teams.prefix(number % 4) { person.mutableSetValue(forKey: "teams").add(team) }
        }
    }

    /// Splits names, converts ages to numbers, and chooses the team with the last title.
    static let didMigrate: @Sendable (MigrationContext) throws -> Void = { migration in
        for person in try migration.objects.fetch(FetchRequest<ManagedObject>(entityName: "Person")) {
            let name = try #require(try migration.previousValue(forKey: "name", of: person) as? String)
            let parts = name.split(separator: " ").map(String.init)
            person.setValue(parts[0], forKey: "firstName")
            person.setValue(parts[1], forKey: "lastName")
            let age = try migration.previousValue(forKey: "age", of: person) as? String
            person.setValue(age.flatMap { Int16($0) }, forKey: "age")
            let teams = try (try migration.previousValue(forKey: "teams", of: person) as? [ManagedObjectID] ?? [])
                .map { try migration.objects.existingObject(with: $0) }
            let last = teams.max {
                ($0.value(forKey: "title") as? String ?? "") < ($1.value(forKey: "title") as? String ?? "")
            }
            person.setValue(last, forKey: "team")
        }
    }

    static func options(_ stages: MigrationStage...) -> StoreOptions {
        StoreOptions(migrationStages: stages)
    }

    static func people(at path: String) throws -> [String] {
        try query(
            """
            SELECT firstName || ' ' || lastName || ' ' || coalesce(age, '-') || ' ' || coalesce(title, '-') \
            FROM Person LEFT JOIN Team ON Team._id = Person.team ORDER BY Person._id
            """,
            at: path
        )
    }

    static let expected = (0..<10).map { number in
        "First\(number) Last\(number) \(number == 7 ? "-" : "\(20 + number)") "
            + (number % 4 == 0 ? "-" : "team \(number % 4 - 1)")
    }
}
