import ChordataModel

/// Changes of external data, for the law of ``PlanMigrationTests/migratedIsFresh(_:)``.
extension PlanMigrationTests {
    private static func file(
        _ attributes: [AttributeDescription],
        name: String = "File",
        renamingIdentifier: String? = nil
    ) -> EntityDescription {
        EntityDescription(name: name, attributes: attributes, renamingIdentifier: renamingIdentifier)
    }

    private static func bytes(
        _ name: String,
        external: Bool = true,
        was: String? = nil,
        type: AttributeType = .binaryData
    ) -> AttributeDescription {
        AttributeDescription(
            name: name,
            attributeType: type,
            isOptional: true,
            allowsExternalBinaryDataStorage: external,
            renamingIdentifier: was
        )
    }

    private static let title = AttributeDescription(name: "title", attributeType: .string, isOptional: true)

    /// Three rows: with bytes, with empty data, and without a value.
    private static func rows(of name: String, in table: String = "File") -> String {
        """
        INSERT INTO "\(table)" (_id, _version, \(name)) VALUES (1, 3, 3), (2, 1, 0), (3, 1, NULL);
        INSERT INTO "_external_\(table)_\(name)" VALUES (1, x'414200'), (2, x'');
        """
    }

    static let externalChanges: [Change] = [
        Change(
            name: "inline bytes go into external storage",
            source: [file([title, bytes("data", external: false)])],
            destination: [file([title, bytes("data")])],
            setUp: "INSERT INTO File (_id, _version, title, data) VALUES (1, 3, 'a', x'414200'), (2, 1, 'b', x''), "
                + "(3, 1, 'c', NULL)",
            query: "SELECT f._id, f._version, title, data, hex(bytes), typeof(bytes) FROM File f "
                + "LEFT JOIN _external_File_data e ON e._id = f._id",
            rows: ["1|3|a|3|414200|blob", "2|1|b|0||blob", "3|1|c|-||null"]
        ),
        Change(
            name: "external bytes come into the row",
            source: [file([title, bytes("data")])],
            destination: [file([title, bytes("data", external: false)])],
            setUp: rows(of: "data"),
            query: "SELECT _id, _version, hex(data), typeof(data) FROM File",
            rows: ["1|3|414200|blob", "2|1||blob", "3|1||null"]
        ),
        Change(
            name: "external attribute added",
            source: [file([title])],
            destination: [file([title, bytes("data")])],
            setUp: "INSERT INTO File (_id, _version, title) VALUES (1, 1, 'a')",
            query: "SELECT title, data FROM File",
            rows: ["a|-"]
        ),
        Change(
            name: "external attribute removed",
            source: [file([title, bytes("data")])],
            destination: [file([title])],
            setUp: rows(of: "data"),
            query: "SELECT _id FROM File",
            rows: ["1", "2", "3"]
        ),
        Change(
            name: "external attribute renamed",
            source: [file([bytes("data")])],
            destination: [file([bytes("contents", was: "data")])],
            setUp: rows(of: "data"),
            query: "SELECT f._id, contents, hex(bytes) FROM File f JOIN _external_File_contents USING (_id)",
            rows: ["1|3|414200", "2|0|"]
        ),
        Change(
            name: "external attributes change names",
            source: [file([bytes("a"), bytes("b")])],
            destination: [file([bytes("b", was: "a"), bytes("a", was: "b")])],
            setUp: """
                INSERT INTO File (_id, _version, a, b) VALUES (1, 1, 1, 2);
                INSERT INTO _external_File_a VALUES (1, x'41'); INSERT INTO _external_File_b VALUES (1, x'4242');
                """,
            query: "SELECT a, (SELECT hex(bytes) FROM _external_File_a), b, (SELECT hex(bytes) FROM _external_File_b) "
                + "FROM File",
            rows: ["2|4242|1|41"]
        ),
        Change(
            name: "an external and an inline attribute change names and places",
            source: [file([bytes("a"), bytes("b", external: false)])],
            destination: [file([bytes("b", external: false, was: "a"), bytes("a", was: "b")])],
            setUp: """
                INSERT INTO File (_id, _version, a, b) VALUES (1, 1, 1, x'4242');
                INSERT INTO _external_File_a VALUES (1, x'41');
                """,
            query: "SELECT a, (SELECT hex(bytes) FROM _external_File_a), hex(b) FROM File",
            rows: ["2|4242|41"]
        ),
        Change(
            name: "a new external attribute takes the name of a renamed one",
            source: [file([bytes("a")])],
            destination: [file([bytes("b", was: "a"), bytes("a", was: "new")])],
            setUp: rows(of: "a"),
            query: "SELECT f._id, a, b, hex(bytes) FROM File f LEFT JOIN _external_File_b e ON e._id = f._id",
            rows: ["1|-|3|414200", "2|-|0|", "3|-|-|"]
        ),
        Change(
            name: "the only entity with objects that inherits an external attribute removed",
            source: [
                EntityDescription(name: "File", isAbstract: true, attributes: [title, bytes("data")]),
                EntityDescription(name: "Photo", superentityName: "File"),
            ],
            destination: [EntityDescription(name: "File", isAbstract: true, attributes: [title, bytes("data")])],
            setUp: """
                INSERT INTO File (_id, _version, _entity, data) VALUES (1, 3, 'Photo', 3);
                INSERT INTO _external_File_data VALUES (1, x'414200');
                """,
            query: "SELECT (SELECT count(*) FROM File), (SELECT count(*) FROM _external_File_data)",
            rows: ["0|0"]
        ),
        Change(
            name: "entity with an external attribute renamed",
            source: [file([bytes("data")])],
            destination: [file([bytes("data")], name: "Document", renamingIdentifier: "File")],
            setUp: rows(of: "data"),
            query: "SELECT d._id, data, hex(bytes) FROM Document d JOIN _external_Document_data USING (_id)",
            rows: ["1|3|414200", "2|0|"]
        ),
        Change(
            name: "entity with an external attribute renamed and rebuilt",
            source: [
                file([bytes("data"), AttributeDescription(name: "n", attributeType: .integer64, isOptional: true)])
            ],
            destination: [
                file(
                    [bytes("data"), AttributeDescription(name: "n", attributeType: .double, isOptional: true)],
                    name: "Document",
                    renamingIdentifier: "File"
                )
            ],
            setUp: rows(of: "data"),
            query: "SELECT d._id, data, hex(bytes) FROM Document d JOIN _external_Document_data USING (_id)",
            rows: ["1|3|414200", "2|0|"]
        ),
        Change(
            name: "entity rebuilt beside its external attribute",
            source: [
                file([bytes("data"), AttributeDescription(name: "n", attributeType: .integer64, isOptional: true)])
            ],
            destination: [
                file([bytes("data"), AttributeDescription(name: "n", attributeType: .double, isOptional: true)])
            ],
            setUp: rows(of: "data"),
            query: "SELECT f._id, data, hex(bytes) FROM File f JOIN _external_File_data USING (_id)",
            rows: ["1|3|414200", "2|0|"]
        ),
        Change(
            name: "external attribute moves up a hierarchy, and so the entity column stays",
            source: [
                file([title]),
                EntityDescription(name: "Image", superentityName: "File", attributes: [bytes("data")]),
            ],
            destination: [file([title, bytes("data")]), EntityDescription(name: "Image", superentityName: "File")],
            setUp: """
                INSERT INTO File (_id, _version, _entity, data) VALUES (1, 1, 'Image', 3), (2, 1, 'File', NULL);
                INSERT INTO _external_File_data VALUES (1, x'414200');
                """,
            query: "SELECT f._id, _entity, data, hex(bytes) FROM File f LEFT JOIN _external_File_data e "
                + "ON e._id = f._id",
            rows: ["1|Image|3|414200", "2|File|-|"]
        ),
        Change(
            name: "external Transformable goes into the row",
            source: [file([bytes("data", type: .transformable)])],
            destination: [file([bytes("data", external: false, type: .transformable)])],
            setUp: rows(of: "data"),
            query: "SELECT hex(data) FROM File",
            rows: ["414200", "", ""]
        ),
        Change(
            name: "entity with an external attribute removed",
            source: [file([bytes("data")]), EntityDescription(name: "Other")],
            destination: [EntityDescription(name: "Other")],
            setUp: rows(of: "data"),
            query: "SELECT count(*) FROM Other",
            rows: ["0"]
        ),
        Change(
            name: "entity with an external attribute added",
            source: [EntityDescription(name: "Other")],
            destination: [EntityDescription(name: "Other"), file([bytes("data")])],
            setUp: "INSERT INTO Other VALUES (1, 1)",
            query: "SELECT count(*) FROM Other",
            rows: ["1"]
        ),
    ]
}
