import ChordataModel
import Foundation
import Testing

struct SHA256Tests {
    /// The examples of FIPS 180-4 and the empty message.
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        (String(repeating: "a", count: 1_000_000), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
    ])
    func vectors(_ text: String, _ hash: String) { #expect(sha256(Array(text.utf8)) == hash) }
}

struct VersionHashTests {
    private func hash(_ change: (inout EntityDescription) -> Void = { _ in }) throws -> String {
        var entity = EntityDescription(
            name: "Person",
            attributes: [AttributeDescription(name: "name", attributeType: .string)],
            relationships: [RelationshipDescription(name: "friend", destinationEntityName: "Person")]
        )
        change(&entity)
        return try ManagedObjectModel(entities: [entity]).versionHash
    }

    @Test func whatIsNotInTheHash() throws {
        let plain = try hash()
        #expect(try hash { $0.declaredAttributes[0].defaultValue = .string("x") } == plain)
        #expect(try hash { $0.declaredAttributes[0].renamingIdentifier = "x" } == plain)
        #expect(try hash { $0.declaredAttributes[0].userInfo = ["a": "b"] } == plain)
        #expect(try hash { $0.declaredAttributes[0].maximumValue = .integer(3) } == plain)
        #expect(try hash { $0.declaredAttributes[0].isIndexed = true } == plain)
        #expect(try hash { $0.declaredRelationships[0].deleteRule = .cascade } == plain)
        #expect(try hash { $0.managedObjectClassName = "Other" } == plain)
        #expect(try hash { $0.versionHashModifier = "" } == plain)
        #expect(try hash { $0.declaredRelationships[0].versionHashModifier = "" } == plain)
        #expect(try hash { $0.renamingIdentifier = "Other" } == plain)
    }

    @Test func whatIsInTheHash() throws {
        let all = [
            try hash(), try hash { $0.isAbstract = true }, try hash { $0.versionHashModifier = "2" },
            try hash { $0.declaredAttributes[0].attributeType = .date },
            try hash { $0.declaredAttributes[0].isOptional = true },
            try hash { $0.declaredAttributes[0].isTransient = true },
            try hash { $0.declaredAttributes[0].name = "title" },
            try hash { $0.declaredAttributes[0].versionHashModifier = "2" },
            try hash { $0.declaredRelationships[0].inverseName = "friend" },
            try hash { $0.declaredRelationships[0].minimumCount = 1 },
            try hash { $0.declaredRelationships[0].isToMany = true },
            try hash { $0.declaredUniquenessConstraints = [["name"]] },
        ]
        #expect(Set(all).count == all.count)
    }

    @Test func aSubentityChangesOnlyItsOwnHash() throws {
        func hashes(_ type: AttributeType) throws -> [String: String] {
            let child = EntityDescription(
                name: "Child",
                superentityName: "Parent",
                attributes: [AttributeDescription(name: "a", attributeType: type)]
            )
            return try ManagedObjectModel(entities: [child, EntityDescription(name: "Parent")])
                .versionHashesByEntityName
        }
        let (before, after) = (try hashes(.string), try hashes(.date))
        #expect(before["Parent"] == after["Parent"])
        #expect(before["Child"] != after["Child"])
    }

    @Test func theOrderOfACompositesElementsDoesNotMatter() throws {
        let parts = ["x", "y"].map { AttributeDescription(name: $0, attributeType: .double) }
        func hash(_ elements: [AttributeDescription]) throws -> String {
            let point = AttributeDescription(
                name: "p",
                attributeType: .composite,
                compositeName: "P",
                elements: elements
            )
            return try ManagedObjectModel(entities: [EntityDescription(name: "A", attributes: [point])]).versionHash
        }
        #expect(try hash(parts) == hash(parts.reversed()))
        #expect(try hash(parts) != hash([parts[0]]))
    }

    @Test func theOrderInTheFileDoesNotMatter() throws {
        let a = EntityDescription(name: "A")
        let b = EntityDescription(name: "B")
        #expect(
            try ManagedObjectModel(entities: [a, b]).versionHash == ManagedObjectModel(entities: [b, a]).versionHash
        )
    }
}
