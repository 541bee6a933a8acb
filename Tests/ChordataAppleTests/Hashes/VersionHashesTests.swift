import ChordataModel
import ChordataTestSupport
import Foundation
import Testing

@testable import ChordataApple

/// The expected hashes were computed by an independent program, whose results equal the hashes in stores of Core Data.
struct VersionHashesTests {
    private static func hexadecimal(_ data: Data?) -> String? {
        data?.map { String(format: "%02x", $0) }.joined()
    }

    private static let document = EntityDescription(
        name: "Document",
        superentityName: "Node",
        attributes: [
            AttributeDescription(name: "body", attributeType: .binaryData, allowsExternalBinaryDataStorage: true),
            AttributeDescription(name: "draft", attributeType: .string, isOptional: true, isTransient: true),
            AttributeDescription(name: "ratio", attributeType: .float, isOptional: true, versionHashModifier: "b"),
        ],
        relationships: [
            RelationshipDescription(
                name: "tags",
                destinationEntityName: "Tag",
                inverseName: "documents",
                isToMany: true,
                isOrdered: true
            )
        ],
        uniquenessConstraints: [["title", "ratio"], ["body"]],
        versionHashModifier: "2"
    )

    private static let node = EntityDescription(
        name: "Node",
        isAbstract: true,
        attributes: [
            AttributeDescription(name: "title", attributeType: .string, preservesValueInHistoryOnDeletion: true),
            AttributeDescription(name: "Ärger", attributeType: .integer16, isOptional: true),
        ],
        relationships: [RelationshipDescription(name: "parent", destinationEntityName: "Node")]
    )

    private static let types: [AttributeType] = [
        .integer32, .integer64, .decimal, .double, .boolean, .date, .uuid, .uri, .transformable,
    ]

    private static let tag = EntityDescription(
        name: "Tag",
        attributes: zip("abcdefghi", types).map { AttributeDescription(name: String($0), attributeType: $1) },
        relationships: [
            RelationshipDescription(
                name: "documents",
                destinationEntityName: "Document",
                inverseName: "tags",
                isToMany: true,
                isOptional: false,
                minimumCount: 1,
                maximumCount: 5
            )
        ]
    )

    @Test func everyPartOfAModel() throws {
        let hashes = VersionHashes(of: try ManagedObjectModel(entities: [Self.document, Self.node, Self.tag]))
        #expect(hashes.reasonsByEntityName.isEmpty)
        expectEqual(
            hashes.entityVersionHashesByName.mapValues { Self.hexadecimal($0) },
            [
                "Document": "125a9c6f90d806ad758de445a7eb8d3b91985f60fffacb4601492d8e3c69c460",
                "Node": "bb8c95431c4bfc2c387753959e5cc6ddd3556215d199d04276a1f7d48db87a63",
                "Tag": "fc30419702d11b39758ee99e4dfd79fddb4a9a49b6cea756be6ee5189f336c73",
            ]
        )
        expectEqual(
            hashes.digest,
            "gC4DTH+NADYIbuVvEGvU37a+ckA9uVwpxd21SPTfF5/h8a9toc+gxV6dFX6EslmW2VILR1RIHPJtQKXdicqagg=="
        )
        expectEqual(hashes.checksum, "BAoqUY8Lba3G8u/Msbis8kvxn8rkWLjgfXlBl2l35AU=")
    }

    /// Changes that do not affect Core Data's version hash.
    @Test func changesThatLeaveTheHash() throws {
        let hashes = VersionHashes(of: try ManagedObjectModel(entities: [Self.document, Self.node, Self.tag]))
        var changed = Self.tag
        changed.declaredAttributes[0].defaultValue = .integer(7)
        changed.declaredAttributes[1].renamingIdentifier = "old"
        changed.declaredAttributes[2].userInfo = ["note": "x"]
        changed.declaredRelationships[0].deleteRule = .cascade
        changed.declaredAttributes.append(
            AttributeDescription(name: "j", attributeType: .undefined, isOptional: true, isTransient: true)
        )
        changed.declaredAttributes.reverse()
        let other = VersionHashes(of: try ManagedObjectModel(entities: [changed, Self.node, Self.document]))
        expectEqual(other, hashes)
        changed.declaredAttributes[1].isOptional = true
        let third = VersionHashes(of: try ManagedObjectModel(entities: [changed, Self.node, Self.document]))
        #expect(third.entityVersionHashesByName["Tag"] != hashes.entityVersionHashesByName["Tag"])
        expectEqual(third.entityVersionHashesByName["Node"], hashes.entityVersionHashesByName["Node"])
    }

    @Test func whatIsNotComputed() throws {
        var node = Self.node
        node.declaredAttributes.append(
            AttributeDescription(
                name: "count",
                attributeType: .integer64,
                isOptional: true,
                derivationExpression: "title.length"
            )
        )
        var tag = Self.tag
        tag.declaredAttributes.append(
            AttributeDescription(
                name: "place",
                attributeType: .composite,
                isOptional: true,
                compositeName: "Place",
                elements: [AttributeDescription(name: "x", attributeType: .double)]
            )
        )
        let hashes = VersionHashes(of: try ManagedObjectModel(entities: [Self.document, node, tag]))
        #expect(hashes.entityVersionHashesByName.isEmpty && hashes.digest == nil && hashes.checksum == nil)
        expectEqual(
            hashes.reasonsByEntityName,
            [
                "Document": "attribute 'count' of 'Node' is derived", "Node": "attribute 'count' is derived",
                "Tag": "attribute 'place' is composite",
            ]
        )
    }

    /// Test vectors of FIPS 180-4, and lengths around the block size.
    @Test(arguments: [
        (
            0,
            "cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e"
        ),
        (
            111,
            "fa9121c7b32b9e01733d034cfc78cbf67f926c7ed83e82200ef86818196921760b4beff48404df811b953828274461673c68d04e297b0eb7b2b4d60fc6b566a2"
        ),
        (
            112,
            "c01d080efd492776a1c43bd23dd99d0a2e626d481e16782e75d54c2503b5dc32bd05f0f1ba33e568b88fd2d970929b719ecbb152f58f130a407c8830604b70ca"
        ),
        (
            128,
            "b73d1929aa615934e61a871596b3f3b33359f42b8175602e89f7e06e5f658a243667807ed300314b95cacdd579f3e33abdfbe351909519a846d465c59582f321"
        ),
    ])
    func sha512OfRepeatedLetters(count: Int, expected: String) {
        expectEqual(Self.hexadecimal(Data(sha512([UInt8](repeating: UInt8(ascii: "a"), count: count)))), expected)
    }
}
