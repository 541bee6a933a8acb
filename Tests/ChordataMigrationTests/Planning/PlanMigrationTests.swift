import ChordataDiagnostics
import ChordataMigration
import ChordataModel
import ChordataSQL
import ChordataTestSupport
import Testing

struct PlanMigrationTests {
    /// A change of a model, from table 4.2 of changes that can be inferred.
    struct Change: Sendable, CustomTestStringConvertible {
        var name: String
        var source: [EntityDescription]
        var destination: [EntityDescription]
        /// SQL that fills the store before the migration.
        var setUp: String
        /// A query after the migration, and its expected rows.
        var query: String
        var rows: [String]

        var testDescription: String { name }
    }

    private static func person(
        _ attributes: [AttributeDescription],
        _ relationships: [RelationshipDescription] = []
    ) -> EntityDescription {
        EntityDescription(name: "Person", attributes: attributes, relationships: relationships)
    }

    private static let name = AttributeDescription(name: "name", attributeType: .string, isOptional: true)
    private static let insert = "INSERT INTO Person (_id, _version, name) VALUES (1, 1, 'Ann'), (2, 1, NULL)"
    private static let team = EntityDescription(name: "Team")
    private static let toTeam = RelationshipDescription(name: "team", destinationEntityName: "Team")

    static let changes: [Change] = [
        Change(
            name: "optional attribute added",
            source: [person([name])],
            destination: [
                person([name, AttributeDescription(name: "age", attributeType: .integer16, isOptional: true)])
            ],
            setUp: insert,
            query: "SELECT _id, name, age FROM Person",
            rows: ["1|Ann|-", "2|-|-"]
        ),
        Change(
            name: "an explicit identifier comes before a name that is an older one",
            source: [
                person([
                    AttributeDescription(name: "t", attributeType: .string, isOptional: true, renamingIdentifier: "x"),
                    AttributeDescription(name: "x", attributeType: .string, isOptional: true, renamingIdentifier: "y"),
                ])
            ],
            destination: [
                person([
                    AttributeDescription(name: "x", attributeType: .string, isOptional: true),
                    AttributeDescription(name: "y", attributeType: .string, isOptional: true, renamingIdentifier: "t"),
                ])
            ],
            setUp: "INSERT INTO Person (_id, _version, t, x) VALUES (1, 1, 'is t', 'is x')",
            query: "SELECT _id, x, y FROM Person",
            rows: ["1|is x|is t"]
        ),
        Change(
            name: "required attribute with default added",
            source: [person([name])],
            destination: [
                person([
                    name, AttributeDescription(name: "kind", attributeType: .string, defaultValue: .string("it's")),
                ])
            ],
            setUp: insert,
            query: "SELECT _id, kind FROM Person",
            rows: ["1|it's", "2|it's"]
        ),
        Change(
            name: "optional attributes with defaults added",
            source: [person([name])],
            destination: [
                person([
                    name,
                    AttributeDescription(
                        name: "count",
                        attributeType: .integer32,
                        isOptional: true,
                        defaultValue: .integer(7)
                    ),
                    AttributeDescription(
                        name: "done",
                        attributeType: .boolean,
                        isOptional: true,
                        defaultValue: .boolean(true)
                    ),
                    AttributeDescription(name: "note", attributeType: .string, isOptional: true),
                ])
            ],
            setUp: insert,
            query: "SELECT _id, count, done, note FROM Person",
            rows: ["1|7|1|-", "2|7|1|-"]
        ),
        Change(
            name: "optional transient attribute with default became stored",
            source: [
                person([
                    name,
                    AttributeDescription(
                        name: "count",
                        attributeType: .integer32,
                        isOptional: true,
                        isTransient: true,
                        defaultValue: .integer(7)
                    ),
                ])
            ],
            destination: [
                person([
                    name,
                    AttributeDescription(
                        name: "count",
                        attributeType: .integer32,
                        isOptional: true,
                        defaultValue: .integer(7)
                    ),
                ])
            ],
            setUp: insert,
            query: "SELECT _id, count FROM Person",
            rows: ["1|7", "2|7"]
        ),
        Change(
            name: "optional attribute got a default",
            source: [person([name])],
            destination: [
                person([
                    AttributeDescription(
                        name: "name",
                        attributeType: .string,
                        isOptional: true,
                        defaultValue: .string("x"),
                        versionHashModifier: "2"
                    )
                ])
            ],
            setUp: insert,
            query: "SELECT name FROM Person",
            rows: ["Ann", "-"]
        ),
        Change(
            name: "Boolean renamed and became integer",
            source: [person([AttributeDescription(name: "isSilenced", attributeType: .boolean, isOptional: true)])],
            destination: [
                person([
                    AttributeDescription(
                        name: "mutedStatus",
                        attributeType: .integer32,
                        isOptional: true,
                        renamingIdentifier: "isSilenced"
                    )
                ])
            ],
            setUp: "INSERT INTO Person (_id, _version, isSilenced) VALUES (1, 1, 1), (2, 1, 0), (3, 1, NULL)",
            query: "SELECT mutedStatus, typeof(mutedStatus) FROM Person",
            rows: ["1|integer", "0|integer", "-|null"]
        ),
        Change(
            name: "integer became Boolean",
            source: [person([AttributeDescription(name: "n", attributeType: .integer64, isOptional: true)])],
            destination: [person([AttributeDescription(name: "n", attributeType: .boolean, isOptional: true)])],
            setUp: "INSERT INTO Person (_id, _version, n) VALUES (1, 1, -7), (2, 1, 0), (3, 1, NULL), (4, 1, 1)",
            query: "SELECT n FROM Person",
            rows: ["1", "0", "-", "1"]
        ),
        Change(
            name: "attribute removed",
            source: [person([name, AttributeDescription(name: "age", attributeType: .integer16, isIndexed: true)])],
            destination: [person([name])],
            setUp: insert,
            query: "SELECT * FROM Person",
            rows: ["1|1|Ann", "2|1|-"]
        ),
        Change(
            name: "attribute renamed",
            source: [person([name])],
            destination: [
                person([
                    AttributeDescription(
                        name: "fullName",
                        attributeType: .string,
                        isOptional: true,
                        renamingIdentifier: "name"
                    )
                ])
            ],
            setUp: insert,
            query: "SELECT fullName FROM Person",
            rows: ["Ann", "-"]
        ),
        Change(
            name: "two attributes change names",
            source: [
                person([
                    AttributeDescription(name: "a", attributeType: .string, isOptional: true),
                    AttributeDescription(name: "b", attributeType: .string, isOptional: true),
                ])
            ],
            destination: [
                person([
                    AttributeDescription(name: "b", attributeType: .string, isOptional: true, renamingIdentifier: "a"),
                    AttributeDescription(name: "a", attributeType: .string, isOptional: true, renamingIdentifier: "b"),
                ])
            ],
            setUp: "INSERT INTO Person (_id, _version, a, b) VALUES (1, 1, 'A', 'B')",
            query: "SELECT a, b FROM Person",
            rows: ["B|A"]
        ),
        Change(
            name: "optional attribute became required",
            source: [person([name])],
            destination: [
                person([AttributeDescription(name: "name", attributeType: .string, defaultValue: .string("nobody"))])
            ],
            setUp: insert,
            query: "SELECT name FROM Person",
            rows: ["Ann", "nobody"]
        ),
        Change(
            name: "integer became double",
            source: [person([AttributeDescription(name: "n", attributeType: .integer64, isOptional: true)])],
            destination: [person([AttributeDescription(name: "n", attributeType: .double, isOptional: true)])],
            setUp: "INSERT INTO Person (_id, _version, n) VALUES (1, 1, 7), (2, 1, NULL)",
            query: "SELECT n, typeof(n) FROM Person",
            rows: ["7.0|real", "-|null"]
        ),
        Change(
            name: "integer became smaller, which is checked",
            source: [person([AttributeDescription(name: "n", attributeType: .integer64, isOptional: true)])],
            destination: [person([AttributeDescription(name: "n", attributeType: .integer16, isOptional: true)])],
            setUp: "INSERT INTO Person (_id, _version, n) VALUES (1, 1, 32767), (2, 1, -32768), (3, 1, NULL)",
            query: "SELECT n FROM Person",
            rows: ["32767", "-32768", "-"]
        ),
        Change(
            name: "integer became decimal",
            source: [person([AttributeDescription(name: "n", attributeType: .integer64, isOptional: true)])],
            destination: [person([AttributeDescription(name: "n", attributeType: .decimal, isOptional: true)])],
            setUp: "INSERT INTO Person (_id, _version, n) VALUES (1, 1, 7)",
            query: "SELECT n, typeof(n) FROM Person",
            rows: ["7|text"]
        ),
        Change(
            name: "entity and to-one added",
            source: [person([name])],
            destination: [person([name], [toTeam]), team],
            setUp: insert,
            query: "SELECT name, team FROM Person",
            rows: ["Ann|-", "-|-"]
        ),
        Change(
            name: "to-one removed",
            source: [person([name], [toTeam]), team],
            destination: [person([name]), team],
            setUp: "INSERT INTO Team VALUES (9, 1); INSERT INTO Person VALUES (1, 1, 'Ann', 9)",
            query: "SELECT * FROM Person",
            rows: ["1|1|Ann"]
        ),
        Change(
            name: "entity renamed, with what refers to it",
            source: [person([name], [toTeam]), team],
            destination: [
                person([name], [RelationshipDescription(name: "team", destinationEntityName: "Club")]),
                EntityDescription(name: "Club", renamingIdentifier: "Team"),
            ],
            setUp: "INSERT INTO Team VALUES (9, 1); INSERT INTO Person VALUES (1, 1, 'Ann', 9)",
            query: "SELECT p.name, c._id FROM Person p JOIN Club c ON c._id = p.team",
            rows: ["Ann|9"]
        ),
        Change(
            name: "entity renamed and rebuilt, with what refers to it",
            source: [
                person([name], [toTeam]),
                EntityDescription(
                    name: "Team",
                    attributes: [AttributeDescription(name: "n", attributeType: .integer64, isOptional: true)]
                ),
            ],
            destination: [
                person([name], [RelationshipDescription(name: "team", destinationEntityName: "Club")]),
                EntityDescription(
                    name: "Club",
                    attributes: [AttributeDescription(name: "n", attributeType: .double, isOptional: true)],
                    renamingIdentifier: "Team"
                ),
            ],
            setUp: "INSERT INTO Team VALUES (9, 1, 3); INSERT INTO Person VALUES (1, 1, 'Ann', 9)",
            query: "SELECT p.name, c.n FROM Person p JOIN Club c ON c._id = p.team",
            rows: ["Ann|3.0"]
        ),
        Change(
            name: "entity removed",
            source: [person([name]), team],
            destination: [person([name])],
            setUp: insert,
            query: "SELECT count(*) FROM Person",
            rows: ["2"]
        ),
        Change(
            name: "subentity added, and so the entity column",
            source: [person([name])],
            destination: [person([name]), EntityDescription(name: "Employee", superentityName: "Person")],
            setUp: insert,
            query: "SELECT name, _entity FROM Person",
            rows: ["Ann|Person", "-|Person"]
        ),
        Change(
            name: "index and uniqueness added",
            source: [person([name])],
            destination: [
                EntityDescription(
                    name: "Person",
                    attributes: [name],
                    indexes: [FetchIndexDescription(name: "byName", elements: [.init(propertyName: "name")])],
                    uniquenessConstraints: [["name"]]
                )
            ],
            setUp: insert,
            query: "SELECT count(*) FROM Person",
            rows: ["2"]
        ),
    ]

    static let allChanges = changes + externalChanges + relationshipChanges + awkwardChanges

    /// The law: a migrated store has its previous rows and the schema of a fresh store.
    @Test(arguments: allChanges)
    func migratedIsFresh(_ change: Change) throws {
        let source = try ManagedObjectModel(entities: change.source)
        let destination = try ManagedObjectModel(entities: change.destination)
        let planned = planMigration(
            from: source,
            to: destination,
            // Version names appear in SQL comments. They must not end the comments, or the SQL, early.
            sourceName: "1\n\u{0}\u{2028}\r",
            destinationName: "2*/;",
            locate: { _, _ in nil }
        )
        let plan = try #require(planned.plan, "\(planned.diagnostics.map(\.message))")
        let migrated = try ScratchDatabase()
        for statement in renderSchema(makeSchemaMapping(of: source)) { try migrated.run(statement) }
        try migrated.run(change.setUp)
        try migrated.run("PRAGMA foreign_keys=OFF; BEGIN; \(renderMigration(plan)); COMMIT; PRAGMA foreign_keys=ON")
        let fresh = try ScratchDatabase()
        for statement in renderSchema(makeSchemaMapping(of: destination)) { try fresh.run(statement) }
        let (after, wanted) = (try migrated.schema(), try fresh.schema())
        expectEqual(after.subtracting(wanted).sorted(), [])
        expectEqual(wanted.subtracting(after).sorted(), [])
        let rows = try migrated.rows(change.query)
        expectEqual(rows, change.rows, "\(change.name)")
        #expect(try migrated.rows("PRAGMA foreign_key_check").isEmpty)
        expectEqual(try migrated.rows("PRAGMA integrity_check"), ["ok"])
    }

    @Test func uninferableMigrationsNameARemedy() throws {
        func messages(_ source: [EntityDescription], _ destination: [EntityDescription]) throws -> [String] {
            let planned = planMigration(
                from: try ManagedObjectModel(entities: source),
                to: try ManagedObjectModel(entities: destination),
                sourceName: "1",
                destinationName: "2",
                locate: { _, _ in nil }
            )
            #expect(planned.plan == nil)
            return planned.diagnostics.filter { $0.id == .migrationNotInferred }.map(\.message)
        }
        let required = AttributeDescription(name: "email", attributeType: .string)
        let optional = AttributeDescription(name: "email", attributeType: .string, isOptional: true)
        expectEqual(
            try messages([Self.person([])], [Self.person([required])]),
            [
                "attribute 'email' of 'Person' is new, required and has no default; add a default, make it optional, "
                    + "or write the migration from '1' to '2' in SQL (chordata migrate new) or in Swift (chordata migrate new --stage '2')"
            ]
        )
        expectEqual(
            try messages([Self.person([optional])], [Self.person([required])]),
            [
                "attribute 'email' of 'Person' became required and has no default; add a default, or write the migration "
                    + "from '1' to '2' in SQL (chordata migrate new) or in Swift (chordata migrate new --stage '2')"
            ]
        )
        let date = AttributeDescription(name: "email", attributeType: .date, isOptional: true)
        expectEqual(
            try messages([Self.person([optional])], [Self.person([date])]),
            [
                "attribute 'email' of 'Person' changed from 'String' to 'Date', which cannot be converted "
                    + "automatically; write the migration from '1' to '2' in SQL (chordata migrate new) or in Swift "
                    + "(chordata migrate new --stage '2')"
            ]
        )
        let many = RelationshipDescription(name: "team", destinationEntityName: "Team", isToMany: true)
        expectEqual(
            try messages([Self.person([], [many]), Self.team], [Self.person([], [Self.toTeam]), Self.team]),
            [
                "relationship 'team' of 'Person' changed from to-many to to-one, and it is unknown which object to "
                    + "keep; write the migration from '1' to '2' in SQL (chordata migrate new) or in Swift (chordata "
                    + "migrate new --stage '2')"
            ]
        )
    }

    /// Entities and hierarchies that cannot be matched, and their diagnostics.
    @Test func uninferableHierarchiesNameARemedy() throws {
        func messages(_ source: [EntityDescription], _ destination: [EntityDescription]) throws -> [String] {
            planMigration(
                from: try ManagedObjectModel(entities: source),
                to: try ManagedObjectModel(entities: destination),
                sourceName: "1",
                destinationName: "2",
                locate: { _, _ in nil }
            ).diagnostics.filter { $0.id == .migrationNotInferred }.map(\.message)
        }
        expectEqual(
            try messages([Self.team], [EntityDescription(name: "Team", isAbstract: true)]),
            [
                "entity 'Team' became abstract, and stores may have objects of it; keep it concrete, or write the migration from '1' to '2' in SQL (chordata migrate new) or in Swift (chordata migrate new --stage '2')"
            ]
        )
        expectEqual(try messages([EntityDescription(name: "Team", isAbstract: true)], [Self.team]), [])
        func below(_ name: String) -> EntityDescription { EntityDescription(name: name, superentityName: "Unit") }
        let unit = EntityDescription(name: "Unit", isAbstract: true)
        expectEqual(
            try messages([Self.team, Self.person([])], [unit, below("Team"), below("Person")]),
            [
                "entities 'Person', 'Team' were in different hierarchies and are in one now, below 'Unit'; keep "
                    + "separate hierarchies, or write the migration from '1' to '2' in SQL (chordata migrate new) or in "
                    + "Swift (chordata migrate new --stage '2')"
            ]
        )
        expectEqual(try messages([Self.team], [unit, below("Team")]), [])
        // An entity moves below another entity that existed before.
        let person = EntityDescription(name: "Person", superentityName: "Team")
        expectEqual(try messages([Self.team, Self.person([])], [Self.team, person]), [])
        // Siblings had a relationship each, with different destinations.
        func sibling(_ name: String, _ relationships: [RelationshipDescription]) -> EntityDescription {
            EntityDescription(name: name, superentityName: "Unit", relationships: relationships)
        }
        func to(_ name: String) -> [RelationshipDescription] {
            [RelationshipDescription(name: "others", destinationEntityName: name, isToMany: true)]
        }
        expectEqual(
            try messages(
                [unit, sibling("A", to("A")), sibling("B", to("B"))],
                [
                    EntityDescription(name: "Unit", isAbstract: true, relationships: to("Unit")), sibling("A", []),
                    sibling("B", []),
                ]
            ),
            [
                "relationship 'others' of 'Unit' replaces several relationships, which referenced 'A' and 'B'; keep "
                    + "separate relationships, or write the migration from '1' to '2' in SQL (chordata migrate new) or in "
                    + "Swift (chordata migrate new --stage '2')"
            ]
        )
    }

    @Test func dataLossIsAWarning() throws {
        let planned = planMigration(
            from: try ManagedObjectModel(entities: [Self.person([Self.name]), Self.team]),
            to: try ManagedObjectModel(entities: [Self.person([])]),
            sourceName: "1",
            destinationName: "2",
            locate: { _, _ in nil }
        )
        expectEqual(planned.diagnostics.filter { $0.id == .migrationLosesData }.count, 2)
    }

    /// The other end keeps the references, so data is lost only if both ends are removed.
    @Test func removingOneEndOfARelationshipLosesNoData() throws {
        func model(toOne: Bool, toMany: Bool) throws -> ManagedObjectModel {
            let team = RelationshipDescription(
                name: "team",
                destinationEntityName: "Team",
                inverseName: toMany ? "members" : nil
            )
            let members = RelationshipDescription(
                name: "members",
                destinationEntityName: "Person",
                inverseName: toOne ? "team" : nil,
                isToMany: true
            )
            return try ManagedObjectModel(entities: [
                Self.person([], toOne ? [team] : []),
                EntityDescription(name: "Team", relationships: toMany ? [members] : []),
            ])
        }
        for (toOne, toMany) in [(true, false), (false, true), (false, false)] {
            let planned = planMigration(
                from: try model(toOne: true, toMany: true),
                to: try model(toOne: toOne, toMany: toMany),
                sourceName: "1",
                destinationName: "2",
                locate: { _, _ in nil }
            )
            let isLost = planned.diagnostics.contains { $0.id == .migrationLosesData }
            expectEqual(isLost, !toOne && !toMany)
        }
    }

    /// Core Data migrates these too (table 4.2); a save of such an object fails later.
    @Test(arguments: [false, true])
    func aRequiredDestinationThatIsNewIsAWarning(_ isOptional: Bool) throws {
        var toTeam = Self.toTeam
        toTeam.isOptional = isOptional
        let planned = planMigration(
            from: try ManagedObjectModel(entities: [Self.person([]), Self.team]),
            to: try ManagedObjectModel(entities: [Self.person([], [toTeam]), Self.team]),
            sourceName: "1",
            destinationName: "2",
            locate: { _, _ in nil }
        )
        #expect(planned.plan != nil)
        expectEqual(planned.diagnostics.map(\.id), isOptional ? [] : [.migrationLeavesInvalid])
    }
}
