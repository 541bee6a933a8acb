import Chordata
import ChordataModel
import ChordataSQL
import ChordataTestSupport
import ChordataVerification
import Foundation
import Testing

/// The comparison of stores with their expected contents finds each kind of difference.
///
/// All verifications of migrations depend on it.
struct StoreContentsTests {
    private static func model() throws -> ManagedObjectModel {
        func text(_ name: String) -> AttributeDescription {
            AttributeDescription(name: name, attributeType: .string, isOptional: true)
        }
        func number(_ name: String) -> AttributeDescription {
            AttributeDescription(name: name, attributeType: .integer64, isOptional: true)
        }
        let photo = AttributeDescription(
            name: "photo",
            attributeType: .binaryData,
            isOptional: true,
            allowsExternalBinaryDataStorage: true
        )
        func toMany(_ name: String, _ destination: String, _ inverse: String, isOrdered: Bool = false)
            -> RelationshipDescription
        {
            RelationshipDescription(
                name: name,
                destinationEntityName: destination,
                inverseName: inverse,
                isToMany: true,
                isOrdered: isOrdered
            )
        }
        return try ManagedObjectModel(entities: [
            EntityDescription(
                name: "Owner",
                attributes: [text("name"), photo],
                relationships: [
                    toMany("pets", "Animal", "owner", isOrdered: true), toMany("clubs", "Club", "members"),
                ]
            ),
            EntityDescription(
                name: "Animal",
                isAbstract: true,
                attributes: [text("name")],
                relationships: [
                    RelationshipDescription(name: "owner", destinationEntityName: "Owner", inverseName: "pets")
                ]
            ),
            EntityDescription(name: "Cat", superentityName: "Animal", attributes: [number("lives")]),
            EntityDescription(name: "Dog", superentityName: "Animal", attributes: [number("tricks")]),
            EntityDescription(
                name: "Club",
                attributes: [text("title")],
                relationships: [toMany("members", "Owner", "clubs", isOrdered: true)]
            ),
        ])
    }

    private static let contents = StoreContents([
        StoreContents.Object(
            id: 1,
            entityName: "Owner",
            values: ["name": .text("Ann"), "photo": .blob(Data([1, 2, 3]))],
            links: ["pets": [4, 3], "clubs": [5]]
        ),
        StoreContents.Object(
            id: 2,
            entityName: "Owner",
            values: ["name": .text("Bob"), "photo": .null],
            links: ["pets": [], "clubs": [5]]
        ),
        StoreContents.Object(
            id: 3,
            entityName: "Cat",
            values: ["name": .text("Tom"), "lives": .integer(9)],
            links: ["owner": [1]]
        ),
        StoreContents.Object(
            id: 4,
            entityName: "Dog",
            values: ["name": .null, "tricks": .integer(2)],
            links: ["owner": [1]]
        ),
        StoreContents.Object(
            id: 5,
            entityName: "Club",
            values: ["title": .text("Chess")],
            links: ["members": [2, 1]]
        ),
    ])

    /// Returns the problems of a store after running some SQL.
    private func problems(_ damage: String) throws -> [String] {
        let mapping = makeSchemaMapping(of: try Self.model())
        let connection = try SQLiteConnection(path: ":memory:", mode: .readWriteCreate)
        for statement in renderSchema(mapping) { try connection.execute(statement) }
        try Self.contents.write(to: connection, mapping)
        try connection.execute("PRAGMA foreign_keys = OFF; \(damage)")
        let read = try StoreContents.read(from: connection, mapping)
        return read.unexpectedValues + read.contents.differences(from: Self.contents)
    }

    @Test func writtenContentsAreReadBack() throws {
        expectEqual(try problems(""), [])
    }

    @Test(arguments: [
        ("UPDATE Animal SET lives = 8 WHERE _id = 3", ["'lives' of object 3 of 'Cat' is 8, not 9"]),
        (
            "UPDATE Animal SET lives = 9.0 WHERE _id = 4",
            ["rows of 'Dog' have values in 'lives', which is a column of another entity"]
        ),
        ("UPDATE Owner SET name = NULL WHERE _id = 1", ["'name' of object 1 of 'Owner' is NULL, not 'Ann'"]),
        (
            "UPDATE Animal SET owner = 2 WHERE _id = 4",
            [
                "'pets' of object 1 of 'Owner' references 3, not 4, 3",
                "'pets' of object 2 of 'Owner' references 4, not nothing",
                "'owner' of object 4 of 'Dog' references 2, not 1",
            ]
        ),
        (
            "UPDATE Animal SET _order_owner = 7 - _order_owner",
            ["'pets' of object 1 of 'Owner' references 3, 4, not 4, 3"]
        ),
        (
            "UPDATE Club_members SET _order = 7 - _order",
            ["'members' of object 5 of 'Club' references 1, 2, not 2, 1"]
        ),
        (
            "DELETE FROM Club_members WHERE destination = 2",
            [
                "'clubs' of object 2 of 'Owner' references nothing, not 5",
                "'members' of object 5 of 'Club' references 1, not 2, 1",
            ]
        ),
        ("DELETE FROM Club", ["object 5 of 'Club' is missing"]),
        (
            "INSERT INTO Club (_id, _version) VALUES (9, 1)",
            ["object 9 of 'Club' exists, but is not expected after the migration"]
        ),
        (
            "UPDATE Animal SET _entity = 'Unknown' WHERE _id = 4",
            [
                "table 'Animal' has rows whose column '_entity' does not have the name of an entity of the model",
                "object 4 of 'Dog' is missing",
            ]
        ),
        (
            "UPDATE Animal SET _entity = 'Cat', tricks = NULL WHERE _id = 4",
            [
                "object 4 is of 'Cat', not of 'Dog'", "'lives' of object 4 of 'Dog' is NULL, not missing",
                "'tricks' of object 4 of 'Dog' is missing, not 2",
            ]
        ),
        ("UPDATE Owner SET photo = 2 WHERE _id = 1", ["'photo' of object 1 of 'Owner' is 2, not x'010203'"]),
        (
            "UPDATE _external_Owner_photo SET bytes = x'010204'",
            ["'photo' of object 1 of 'Owner' is x'010204', not x'010203'"]
        ),
        ("DELETE FROM _external_Owner_photo", ["'photo' of object 1 of 'Owner' is 3, not x'010203'"]),
        (
            "DELETE FROM Club; INSERT INTO Animal (_id, _version, _entity) VALUES (5, 1, 'Unknown')",
            [
                "table 'Animal' has rows whose column '_entity' does not have the name of an entity of the model",
                "object 5 of 'Club' is missing",
            ]
        ),
    ])
    func eachDifferenceIsFound(_ damage: String, _ found: [String]) throws {
        expectEqual(try problems(damage), found)
    }

    @Test func aKeyThatTwoHaveIsFound() throws {
        let found = try problems("INSERT INTO Club (_id, _version) VALUES (2, 1)")
        expectEqual(found.first, "objects of 'Owner' and 'Club' have the same row key 2")
    }
}
