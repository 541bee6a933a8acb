import ChordataModel

/// Changes of models whose names conflict with names in the generated SQL or with previous names, for the law of
/// ``PlanMigrationTests/migratedIsFresh(_:)``.
extension PlanMigrationTests {
    private static func file(_ isExternal: Bool) -> AttributeDescription {
        AttributeDescription(
            name: "bytes",
            attributeType: .binaryData,
            isOptional: true,
            allowsExternalBinaryDataStorage: isExternal
        )
    }

    private static let names = "INSERT INTO P (_id, _version, fullName, name, k) VALUES (1, 1, 'Ann Smith', 'Ann', 7)"

    static let awkwardChanges: [Change] = [
        Change(
            name: "an entity that is called as an alias gets a to-one inverse",
            source: [entity("Page", [], [to("Link", "link")]), entity("Link")],
            destination: [
                entity("Page", [], [to("Link", "link", inverse: "page")]),
                entity("Link", [], [to("Page", "page", inverse: "link")]),
            ],
            setUp: "INSERT INTO Link (_id, _version) VALUES (1, 1), (2, 1); "
                + "INSERT INTO Page (_id, _version, link) VALUES (3, 1, 2), (4, 1, 1), (5, 1, NULL)",
            query: "SELECT p._id, l._id, l.page FROM Page p LEFT JOIN Link l ON l._id = p.link ORDER BY 1",
            rows: ["3|2|3", "4|1|4", "5|-|-"]
        ),
        Change(
            name: "an entity that is called as another alias gets a to-one inverse",
            source: [entity("Page", [], [to("Other", "other")]), entity("Other")],
            destination: [
                entity("Page", [], [to("Other", "other", inverse: "page")]),
                entity("Other", [], [to("Page", "page", inverse: "other")]),
            ],
            setUp: "INSERT INTO Other (_id, _version) VALUES (1, 1), (2, 1); "
                + "INSERT INTO Page (_id, _version, other) VALUES (3, 1, 2), (4, 1, 1)",
            query: "SELECT p._id, o._id, o.page FROM Page p LEFT JOIN Other o ON o._id = p.other ORDER BY 1",
            rows: ["3|2|3", "4|1|4"]
        ),
        Change(
            name: "external bytes of an entity called External come into the row",
            source: [entity("External", [file(true)])],
            destination: [entity("External", [file(false)])],
            setUp: "INSERT INTO External (_id, _version, bytes) VALUES (1, 1, 1), (2, 1, 2), (3, 1, NULL); "
                + "INSERT INTO _external_External_bytes VALUES (1, x'01'), (2, x'0202')",
            query: "SELECT _id, hex(bytes) FROM External",
            rows: ["1|01", "2|0202", "3|"]
        ),
        Change(
            name: "a to-many to entities called Ranked becomes ordered",
            source: [
                entity("Box", [], [to("Ranked", "items", inverse: "box", isToMany: true)]),
                entity("Ranked", [], [to("Box", "box", inverse: "items")]),
            ],
            destination: [
                entity("Box", [], [to("Ranked", "items", inverse: "box", isToMany: true, isOrdered: true)]),
                entity("Ranked", [], [to("Box", "box", inverse: "items")]),
            ],
            setUp: "INSERT INTO Box (_id, _version) VALUES (1, 1); "
                + "INSERT INTO Ranked (_id, _version, box) VALUES (2, 1, 1), (3, 1, NULL), (4, 1, 1)",
            query: "SELECT _id, box, _order_box FROM Ranked",
            rows: ["2|1|0", "3|-|-", "4|1|1"]
        ),
        Change(
            name: "a renaming identifier that has done its work is cleared",
            source: [
                entity("P", [attribute("fullName", was: "name"), attribute("name"), attribute("k", type: .integer16)])
            ],
            destination: [entity("P", [attribute("fullName"), attribute("name"), attribute("k", type: .integer32)])],
            setUp: names,
            query: "SELECT fullName, name, k FROM P",
            rows: ["Ann Smith|Ann|7"]
        ),
        Change(
            name: "a renaming identifier of an entity that has done its work is cleared",
            source: [entity("Human", [attribute("name")], was: "Person"), entity("Person", [attribute("nick")])],
            destination: [
                entity("Human", [attribute("name")]), entity("Person", [attribute("nick"), attribute("z")]),
            ],
            setUp: "INSERT INTO Human (_id, _version, name) VALUES (1, 1, 'Ann'); "
                + "INSERT INTO Person (_id, _version, nick) VALUES (2, 1, 'B')",
            query: "SELECT _id, name FROM Human UNION ALL SELECT _id, nick FROM Person",
            rows: ["1|Ann", "2|B"]
        ),
        Change(
            name: "a name is claimed that another property has had as its identifier",
            source: [entity("P", [attribute("q", was: "p"), attribute("s", was: "q")])],
            destination: [entity("P", [attribute("r", was: "q"), attribute("s"), attribute("z")])],
            setUp: "INSERT INTO P (_id, _version, q, s) VALUES (1, 1, 'Q', 'S')",
            query: "SELECT r, s, z FROM P",
            rows: ["Q|S|-"]
        ),
        Change(
            name: "an identifier that goes through all versions counts more than a name that is new",
            source: [entity("P", [attribute("b", was: "a"), attribute("a")])],
            destination: [entity("P", [attribute("c", was: "a"), attribute("a"), attribute("z")])],
            setUp: "INSERT INTO P (_id, _version, b, a) VALUES (1, 1, 'B', 'A')",
            query: "SELECT c, a FROM P",
            rows: ["B|A"]
        ),
        Change(
            name: "a new unique attribute takes the name of one that is not unique any more",
            source: [entity("P", [attribute("code")], unique: [["code"]])],
            destination: [
                entity("P", [attribute("legacyCode", was: "code"), attribute("code", was: "none")], unique: [["code"]])
            ],
            setUp: "INSERT INTO P (_id, _version, code) VALUES (1, 1, 'a'), (2, 1, 'b')",
            query: "SELECT legacyCode, code FROM P",
            rows: ["a|-", "b|-"]
        ),
        Change(
            name: "a unique attribute and another one change names",
            source: [entity("P", [attribute("a"), attribute("b", type: .integer32)], unique: [["a"]])],
            destination: [
                entity("P", [attribute("b", was: "a"), attribute("a", was: "b", type: .integer32)], unique: [["a"]])
            ],
            setUp: "INSERT INTO P (_id, _version, a, b) VALUES (1, 1, 'x', 1), (2, 1, 'y', 2)",
            query: "SELECT a, b FROM P",
            rows: ["1|x", "2|y"]
        ),
        Change(
            name: "a sibling takes the name of a column with an index",
            source: [entity("Base"), entity("M", [], [to("Q", "owner")], below: "Base"), entity("Q")],
            destination: [
                entity("Base"), entity("M", [], [to("Q", "owner")], below: "Base"),
                entity("A", [], [to("Q", "owner")], below: "Base"), entity("Q"),
            ],
            setUp: "INSERT INTO Q (_id, _version) VALUES (9, 1); "
                + "INSERT INTO Base (_id, _version, _entity, owner) VALUES (1, 1, 'Base', NULL), (2, 1, 'M', 9)",
            query: "SELECT _id, owner, owner_M FROM Base",
            rows: ["1|-|-", "2|-|9"]
        ),
        Change(
            name: "a derived attribute gets another type",
            source: [entity("P", [attribute("n"), derived("d", .date, "now()")])],
            destination: [entity("P", [attribute("n"), derived("d", .string, "uppercase:(n)")])],
            setUp: "INSERT INTO P (_id, _version, n, d) VALUES (1, 1, 'a', 1.5)",
            query: "SELECT n, d FROM P",
            rows: ["a|-"]
        ),
        Change(
            name: "a stored attribute becomes derived, of another type",
            source: [entity("P", [attribute("n"), attribute("d", type: .integer64)])],
            destination: [entity("P", [attribute("n"), derived("d", .string, "uppercase:(n)")])],
            setUp: "INSERT INTO P (_id, _version, n, d) VALUES (1, 1, 'a', 5)",
            query: "SELECT n, d FROM P",
            rows: ["a|-"]
        ),
        Change(
            name: "a to-one gets a narrower destination, and its inverse loses members",
            source: [
                entity("X", [], [to("B", "b", inverse: "a")]), entity("B", [], [to("X", "a", inverse: "b")]),
                entity("Sub", below: "B"),
            ],
            destination: [
                entity("X", [], [to("Sub", "b", inverse: "a")]), entity("B", [], [to("X", "a", inverse: "b")]),
                entity("Sub", below: "B"),
            ],
            setUp: "BEGIN; INSERT INTO X (_id, _version, b) VALUES (1, 1, 11), (2, 1, 12); "
                + "INSERT INTO B (_id, _version, _entity, a) VALUES (11, 1, 'B', 1), (12, 1, 'Sub', 2); COMMIT",
            query: "SELECT x._id, x.b, b._id, b.a FROM X x JOIN B b ON b._id = x._id + 10 ORDER BY 1",
            rows: ["1|-|11|-", "2|12|12|2"]
        ),
        Change(
            name: "a default has carriage returns",
            source: [entity("P", [attribute("n")])],
            destination: [
                entity(
                    "P",
                    [
                        attribute("n"),
                        AttributeDescription(
                            name: "d",
                            attributeType: .string,
                            defaultValue: .string("a\r\n-- stage\n;b")
                        ),
                    ]
                )
            ],
            setUp: "INSERT INTO P (_id, _version, n) VALUES (1, 1, 'x')",
            query: "SELECT hex(d) FROM P",
            rows: ["610D0A2D2D2073746167650A3B62"]
        ),
    ]

    private static func derived(_ name: String, _ type: AttributeType, _ expression: String) -> AttributeDescription {
        AttributeDescription(
            name: name,
            attributeType: type,
            isOptional: true,
            derivationExpression: expression
        )
    }
}
