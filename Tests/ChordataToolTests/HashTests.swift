import ChordataTestSupport
import Foundation
import Testing

/// `chordata hash`, and the last line of `chordata diff`.
struct HashTests {
    private static let derived = """
        <attribute name="folded" optional="YES" attributeType="String" derived="YES" \
        derivationExpression="canonical:(title)"/>
        """

    @Test func hashesOfAVersion() async throws {
        try await withWorkspace { workspace in
            try workspace.writeModel(
                "M",
                old: modelFile(entity("Node", attribute("title"))),
                new: modelFile(entity("Node", attribute("title"), Self.derived), entity("Leaf", attribute("title")))
            )
            let old = try await workspace.chordata("hash", "M.xcdatamodeld", "--version", "M")
            expectEqual(
                old.output,
                """
                Node      d7cbd5b6fb949a505503c74e3e256e16f94b9328f13ab4252e4128ad35861b22

                digest    \
                fD9UDiCmJGK7oyooLA6EM+jkw0MaZmmdrPbuokK8a1OEghr1Fag5ZoqdvlZmZYB5QAHBNTvtQk0IKgAeOZQ+Nw==
                checksum  X/k4hxnIpfujK3vT5Mi1SbVT+hOC69yEauoFHjkYysQ=

                """
            )
            let new = try await workspace.chordata("hash", "M.xcdatamodeld")
            #expect(new.output.contains("Node      not computed: attribute 'folded' is derived\n"))
            #expect(!new.output.contains("digest") && new.exitCode == 0 && new.errors == "")
        }
    }

    private struct Output: Decodable {
        struct Entity: Decodable {
            var name: String
            var hash: String?
            var reason: String?
        }
        var version: Int
        var versionName: String
        var entities: [Entity]
        var digest: String?
        var checksum: String?
    }

    @Test func asJSON() async throws {
        try await withWorkspace { workspace in
            try workspace.writeModel(
                "M",
                modelFile(entity("Node", attribute("title"), Self.derived), entity("Leaf", attribute("title")))
            )
            let result = try await workspace.chordata("hash", "M.xcdatamodeld", "--format", "json")
            let output = try JSONDecoder().decode(Output.self, from: Data(result.output.utf8))
            #expect(output.version == 1 && output.versionName == "M")
            expectEqual(output.entities.map(\.name), ["Leaf", "Node"])
            expectEqual(output.entities.map { $0.hash?.count }, [64, nil])
            expectEqual(output.entities.map(\.reason), [nil, "attribute 'folded' is derived"])
            #expect(output.digest == nil && output.checksum == nil)
        }
    }

    /// The last lines of a comparison, by the entities of the old and the new version.
    static let rows: [(old: String, new: String, result: String, line: String)] = [
        (
            entity("Node", attribute("title")), entity("Node", attribute("name")), "incompatible",
            "Core Data does not open stores of 'M' with 'M 2' without migration: the version hashes of 'Node' differ."
        ),
        (
            entity("Node", attribute("title")),
            entity("Node", attribute("title").replacing("/>", with: " defaultValueString=\"x\"/>")), "compatible",
            "Core Data opens stores of 'M' with 'M 2' without migration: all version hashes are equal."
        ),
        (
            entity("Node", attribute("title")), entity("Node", attribute("title"), derived), "unknown",
            "It is not known whether Core Data opens stores of 'M' with 'M 2' without migration: the version hashes of "
                + "'Node' cannot be computed."
        ),
        (
            entity("Node", attribute("title"), derived),
            entity("Node", attribute("title"), derived) + entity("Leaf", attribute("title")), "incompatible",
            "Core Data does not open stores of 'M' with 'M 2' without migration: the version hashes of 'Leaf' differ."
        ),
    ]

    @Test(arguments: rows.indices)
    func comparison(_ index: Int) async throws {
        let row = Self.rows[index]
        try await withWorkspace { workspace in
            try workspace.writeModel("M", old: modelFile(row.old), new: modelFile(row.new))
            let result = try await workspace.chordata("diff", "M.xcdatamodeld")
            expectEqual(result.output.split(separator: "\n").last.map(String.init), row.line)
            let json = try await workspace.chordata("diff", "M.xcdatamodeld", "--format", "json")
            #expect(json.output.contains("\"coreDataCompatibility\":{\"result\":\"\(row.result)\""))
        }
    }
}
