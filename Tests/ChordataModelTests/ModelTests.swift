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

struct SerializationTests {
    @Test func everythingComesBack() throws {
        let hostile = "tab\t line\nreturn\r back\\slash \"quote\" \\(x) é 😀 "
        let point = AttributeDescription(
            name: "place",
            attributeType: .composite,
            compositeName: "Place",
            elements: [
                AttributeDescription(name: "x", attributeType: .double),
                AttributeDescription(
                    name: "inner",
                    attributeType: .composite,
                    compositeName: "Inner",
                    elements: [AttributeDescription(name: "deep", attributeType: .string)]
                ),
            ]
        )
        let values: [AttributeValue] = [
            .integer(.min), .double(0.1), .decimal(Decimal(-12.34)), .string(hostile), .boolean(true),
            .date(Date(timeIntervalSinceReferenceDate: 0.1)), .data(Data([0, 255, 16])), .uuid(UUID()),
        ]
        let attributes = values.enumerated().map { index, value in
            AttributeDescription(
                name: "a\(index)",
                attributeType: .string,
                isOptional: index % 2 == 0,
                defaultValue: value,
                minimumValue: value,
                regularExpression: hostile,
                versionHashModifier: hostile,
                userInfo: [hostile: hostile, "b": ""]
            )
        }
        let request = FetchRequestTemplate(
            name: "r",
            entityName: "E",
            predicateFormat: hostile,
            resultType: .count,
            fetchLimit: 3,
            includesSubentities: false,
            returnsDistinctResults: true
        )
        let entity = EntityDescription(
            name: "E",
            managedObjectClassName: ".E",
            isAbstract: true,
            codeGeneration: .category,
            attributes: attributes + [point],
            relationships: [
                RelationshipDescription(
                    name: "r",
                    destinationEntityName: "F",
                    inverseName: "x",
                    isToMany: true,
                    isOrdered: true,
                    isOptional: false,
                    minimumCount: 3,
                    maximumCount: 10,
                    deleteRule: .deny,
                    userInfo: ["k": hostile]
                )
            ],
            fetchedProperties: [FetchedPropertyDescription(name: "f", fetchRequest: request, userInfo: ["u": "v"])],
            indexes: [FetchIndexDescription(name: "i", elements: [.init(propertyName: "a0", isAscending: false)])],
            uniquenessConstraints: [["a0", "a1"], ["a2"]],
            renamingIdentifier: "Old",
            userInfo: ["doc": hostile]
        )
        let model = try ManagedObjectModel(
            versionIdentifier: hostile,
            entities: [EntityDescription(name: "F", superentityName: "E"), entity],
            fetchRequestTemplates: [request],
            configurations: [.init(name: "c", entityNames: ["E", "F"])]
        )
        let copy = try ManagedObjectModel(serialized: model.serialized())
        #expect(copy == model)
        #expect(copy.serialized() == model.serialized())
    }

    @Test func nonsenseIsAnErrorWithItsLine() {
        let error = #expect(throws: ModelSerializationError.self) {
            try ManagedObjectModel(serialized: "M\t\nE\tA\nX\tnonsense")
        }
        #expect(error?.line == 3)
    }
}
