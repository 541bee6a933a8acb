import ChordataModel

/// Changes of relationships and of the hierarchy by table 4.2, for the law of
/// ``PlanMigrationTests/migratedIsFresh(_:)``.
extension PlanMigrationTests {
    /// Two teams and three people, two of whom are in a team.
    ///
    /// Ordered changes put the younger one first.
    private static let inTeam = """
        INSERT INTO Team (_id, _version) VALUES (8, 1), (9, 1);
        INSERT INTO Person (_id, _version, team) VALUES (1, 1, NULL), (2, 1, 9), (3, 1, 9);
        """
    private static let pairs = """
        INSERT INTO Team (_id, _version) VALUES (8, 1), (9, 1);
        INSERT INTO Person (_id, _version) VALUES (1, 1), (2, 1), (3, 1);
        INSERT INTO Person_teams (source, destination) VALUES (2, 9), (2, 8), (3, 9);
        """

    static let relationshipChanges: [Change] = [
        Change(
            name: "to-one became to-many",
            source: [entity("Person", [], [to("Team", "team")]), entity("Team")],
            destination: [entity("Person", [], [to("Team", "team", isToMany: true)]), entity("Team")],
            setUp: inTeam,
            query: "SELECT source, destination FROM Person_team ORDER BY 1",
            rows: ["2|9", "3|9"]
        ),
        Change(
            name: "to-one of an ordered to-many became to-many",
            source: [
                entity("Person", [], [to("Team", "team", inverse: "members")]),
                entity("Team", [], [to("Person", "members", inverse: "team", isToMany: true, isOrdered: true)]),
            ],
            destination: [
                entity("Person", [], [to("Team", "team", inverse: "members", isToMany: true)]),
                entity("Team", [], [to("Person", "members", inverse: "team", isToMany: true, isOrdered: true)]),
            ],
            setUp: inTeam + "UPDATE Person SET _order_team = 3 - _id WHERE team IS NOT NULL",
            query: "SELECT source, destination, _inverse_order FROM Person_team ORDER BY _inverse_order",
            rows: ["3|9|0", "2|9|1"]
        ),
        Change(
            name: "unordered became ordered",
            source: [entity("Person", [], [to("Team", "teams", isToMany: true)]), entity("Team")],
            destination: [
                entity("Person", [], [to("Team", "teams", isToMany: true, isOrdered: true)]), entity("Team"),
            ],
            setUp: pairs,
            query: "SELECT source, destination, _order FROM Person_teams ORDER BY source, _order",
            rows: ["2|8|0", "2|9|1", "3|9|0"]
        ),
        Change(
            name: "ordered became unordered",
            source: [entity("Person", [], [to("Team", "teams", isToMany: true, isOrdered: true)]), entity("Team")],
            destination: [entity("Person", [], [to("Team", "teams", isToMany: true)]), entity("Team")],
            setUp: pairs,
            query: "SELECT source, destination FROM Person_teams ORDER BY source, destination",
            rows: ["2|8", "2|9", "3|9"]
        ),
        Change(
            name: "relationship renamed",
            source: [entity("Person", [], [to("Team", "team")]), entity("Team")],
            destination: [entity("Person", [], [to("Team", "club", was: "team")]), entity("Team")],
            setUp: inTeam,
            query: "SELECT _id, club FROM Person",
            rows: ["1|-", "2|9", "3|9"]
        ),
        Change(
            name: "to-one inverse added: the oldest keeps what only one can have",
            source: [entity("Person", [], [to("Team", "team")]), entity("Team")],
            destination: [
                entity("Person", [], [to("Team", "team", inverse: "captain")]),
                entity("Team", [], [to("Person", "captain", inverse: "team")]),
            ],
            setUp: inTeam,
            query: "SELECT p._id, p.team, t.captain FROM Person p LEFT JOIN Team t ON t._id = p.team ORDER BY 1",
            rows: ["1|-|-", "2|9|2", "3|-|-"]
        ),
        Change(
            name: "to-many inverse added",
            source: [entity("Person", [], [to("Team", "team")]), entity("Team")],
            destination: [
                entity("Person", [], [to("Team", "team", inverse: "members")]),
                entity("Team", [], [to("Person", "members", inverse: "team", isToMany: true)]),
            ],
            setUp: inTeam,
            query: "SELECT _id, team FROM Person",
            rows: ["1|-", "2|9", "3|9"]
        ),
        Change(
            name: "destination narrowed",
            source: [
                entity("Person", [], [to("Team", "team"), to("Team", "teams", isToMany: true)]), entity("Team"),
                entity("Club", below: "Team"),
            ],
            destination: [
                entity("Person", [], [to("Club", "team"), to("Club", "teams", isToMany: true)]), entity("Team"),
                entity("Club", below: "Team"),
            ],
            setUp: """
                INSERT INTO Team (_id, _version, _entity) VALUES (8, 1, 'Club'), (9, 1, 'Team');
                INSERT INTO Person (_id, _version, team) VALUES (1, 1, 8), (2, 1, 9);
                INSERT INTO Person_teams (source, destination) VALUES (1, 8), (1, 9);
                """,
            query:
                "SELECT p._id, p.team, t.destination FROM Person p LEFT JOIN Person_teams t ON t.source = p._id ORDER BY 1",
            rows: ["1|8|8", "2|-|-"]
        ),
        Change(
            name: "relationship became required, and another one optional",
            source: [
                entity("Person", [], [to("Team", "team"), to("Team", "club", isOptional: false)]), entity("Team"),
            ],
            destination: [
                entity("Person", [], [to("Team", "team", isOptional: false), to("Team", "club")]), entity("Team"),
            ],
            setUp: inTeam,
            query: "SELECT _id, team, club FROM Person",
            rows: ["1|-|-", "2|9|-", "3|9|-"]
        ),
        Change(
            name: "attribute became optional",
            source: [entity("Person", [attribute("name", isOptional: false)])],
            destination: [entity("Person", [attribute("name")])],
            setUp: insertPerson,
            query: "SELECT name FROM Person",
            rows: ["Ann"]
        ),
        Change(
            name: "attribute became transient, and another one stored",
            source: [entity("Person", [attribute("name"), attribute("nick", isTransient: true)])],
            destination: [entity("Person", [attribute("name", isTransient: true), attribute("nick")])],
            setUp: insertPerson,
            query: "SELECT * FROM Person",
            rows: ["1|1|-"]
        ),
        Change(
            name: "hash modifier",
            source: [entity("Person", [attribute("name")])],
            destination: [entity("Person", [attribute("name", modifier: "2")])],
            setUp: insertPerson,
            query: "SELECT * FROM Person",
            rows: ["1|1|Ann"]
        ),
        Change(
            name: "subentity removed",
            source: [entity("Person"), entity("Employee", [attribute("title")], below: "Person"), guest],
            destination: [entity("Person"), guest],
            setUp: "INSERT INTO Person (_id, _version, _entity, title) VALUES (1, 1, 'Person', NULL), "
                + "(2, 1, 'Employee', 'boss'), (3, 1, 'Guest', NULL)",
            query: "SELECT * FROM Person",
            rows: ["1|1|Person", "3|1|Guest"]
        ),
        Change(
            name: "attribute moved down, and another one up",
            source: [
                entity("Person", [attribute("title")]), entity("Employee", [attribute("desk")], below: "Person"), guest,
            ],
            destination: [
                entity("Person", [attribute("desk")]), entity("Employee", [attribute("title")], below: "Person"), guest,
            ],
            setUp: "INSERT INTO Person (_id, _version, _entity, title, desk) VALUES (1, 1, 'Person', 'lost', NULL), "
                + "(2, 1, 'Employee', 'boss', 'A1'), (3, 1, 'Guest', 'lost', NULL)",
            query: "SELECT _id, title, desk FROM Person",
            rows: ["1|-|-", "2|boss|A1", "3|-|-"]
        ),
        Change(
            name: "superentity inserted, and an attribute moved to it",
            source: [entity("Person", [attribute("name")])],
            destination: [entity("Being", [attribute("name")], isAbstract: true), entity("Person", below: "Being")],
            setUp: insertPerson,
            query: "SELECT _id, _entity, name FROM Being",
            rows: ["1|Person|Ann"]
        ),
        Change(
            name: "entity left its hierarchy",
            source: [
                entity("Being", [attribute("name")]), entity("Person", [], [to("Being", "friend")], below: "Being"),
            ],
            destination: [
                entity("Being", [attribute("name")]), entity("Person", [attribute("name")], [to("Being", "friend")]),
            ],
            setUp: "INSERT INTO Being (_id, _version, _entity, name, friend) VALUES (1, 1, 'Being', 'a', NULL), "
                + "(2, 1, 'Person', 'b', 1), (3, 1, 'Person', 'c', 2)",
            query: "SELECT _id, name, friend FROM Person UNION ALL SELECT _id, name, '-' FROM Being",
            rows: ["2|b|1", "3|c|-", "1|a|-"]
        ),
        Change(
            name: "element of a composite renamed, and one added",
            source: [entity("Person", [place([attribute("street")])])],
            destination: [
                entity(
                    "Person",
                    [
                        place([
                            AttributeDescription(
                                name: "road",
                                attributeType: .string,
                                isOptional: true,
                                renamingIdentifier: "street"
                            ),
                            attribute("city"),
                        ])
                    ]
                )
            ],
            setUp: "INSERT INTO Person (_id, _version, place_street) VALUES (1, 1, 'Main')",
            query: "SELECT place_road, place_city FROM Person",
            rows: ["Main|-"]
        ),
    ]

    private static let guest = entity("Guest", below: "Person")
    private static let insertPerson = "INSERT INTO Person (_id, _version, name) VALUES (1, 1, 'Ann')"

    private static func place(_ elements: [AttributeDescription]) -> AttributeDescription {
        AttributeDescription(name: "place", attributeType: .composite, isOptional: true, elements: elements)
    }
}
