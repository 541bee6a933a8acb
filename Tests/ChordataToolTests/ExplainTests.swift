import ChordataTestSupport
import Foundation
import Testing

/// `chordata explain`.
struct ExplainTests {
    private func explain(
        _ model: String,
        _ arguments: String...,
        body: (Program.Result) throws -> Void
    ) async throws {
        try await withWorkspace { workspace in
            try workspace.writeModel("M", model)
            let result = try await Program.chordata.run(
                ["explain", "M.xcdatamodeld"] + arguments,
                in: workspace.folder
            )
            try body(result)
        }
    }

    private static let model = modelFile(
        entity(
            "Node",
            attribute("title")
                + #"<attribute name="rank" optional="YES" attributeType="Integer 16" usesScalarValueType="NO"/>"#
                + #"<relationship name="parent" optional="YES" maxCount="1" deletionRule="Nullify" "#
                + #"destinationEntity="Node" inverseName="children" inverseEntity="Node"/>"#
                + #"<relationship name="children" optional="YES" toMany="YES" deletionRule="Nullify" "#
                + #"destinationEntity="Node" inverseName="parent" inverseEntity="Node"/>"#
                + #"<fetchIndex name="byRank"><fetchIndexElement property="rank" type="Binary" order="ascending"/></fetchIndex>"#
        )
    )

    @Test func aConditionThatAnIndexServes() async throws {
        try await explain(Self.model, "--entity", "Node", "--predicate", "rank == 3 AND ANY children.rank > 1") {
            result in
            #expect(
                result.output == """
                    Predicate:
                      AND
                        rank (Integer 16) == 3
                        EXISTS $0 IN children (Node)
                          $0.rank (Integer 16) > 1
                    SQL:
                      SELECT t0."_id", t0."_version", t0."title", t0."rank", t0."parent" FROM "Node" AS t0 \
                    WHERE t0."rank" = ? AND EXISTS (SELECT 1 FROM "Node" AS s1 WHERE s1."parent" = t0."_id" \
                    AND s1."rank" > ?) ORDER BY t0."_id"
                    Values:
                      3
                      1
                    Plan:
                      SEARCH t0 USING INDEX Node_rank (rank=?)
                      CORRELATED SCALAR SUBQUERY 1
                        SEARCH s1 USING INDEX Node_parent (parent=?)
                    Remarks:
                      a subquery runs once for each row that matches the other conditions, to read the members of a \
                    to-many relationship; if a condition begins with a to-one relationship, as team.players does, and uses \
                    no other property of the fetched entity, its subquery runs once for each row of the to-one \
                    relationship's destination entity instead

                    """
            )
            expectEqual(result.errors, "")
            expectEqual(result.exitCode, 0)
        }
    }

    @Test func suggestedIndexes() async throws {
        let arguments = [
            "--entity", "Node", "--predicate", "title == 'a'", "--sort", "rank DESC, title", "--format", "json",
        ]
        try await withWorkspace { workspace in
            try workspace.writeModel("M", Self.model)
            let result = try await Program.chordata.run(
                ["explain", "M.xcdatamodeld"] + arguments,
                in: workspace.folder
            )
            let parsed = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any]
            #expect(
                parsed?["remarks"] as? [String] == [
                    "every row of Node is read; a fetch index of Node on title would help",
                    "the rows are sorted after all of them were found; a fetch index of Node on title, rank "
                        + "descending would return them in order",
                ]
            )
        }
    }

    @Test(
        arguments: [
            (["--entity", "Nod"], "Error: there is no entity 'Nod'; the entities are 'Node'", 64),
            (
                ["--entity", "Node", "--predicate", "titel == 'a'"],
                "error: entity 'Node' has no property 'titel'; did you mean 'title'?", 1
            ),
            (["--entity", "Node", "--predicate", "rank > $least"], "error: there is no value for '$least'", 1),
            (["--entity", "Node", "--sort", "size"], "error: entity 'Node' has no property 'size'", 1),
            (
                ["--entity", "Node", "--sort", "rank DECS"],
                "error: 'rank DECS' is not a valid sort key; write a key path", 1
            ),
            (["none.sqlite", "--entity", "Node"], "error: store 'none.sqlite': cannot be opened", 1),
        ] as [([String], String, Int32)]
    )
    func mistakes(_ arguments: [String], _ message: String, _ exitCode: Int32) async throws {
        try await withWorkspace { workspace in
            try workspace.writeModel("M", Self.model)
            let result = try await Program.chordata.run(
                ["explain", "M.xcdatamodeld"] + arguments,
                in: workspace.folder
            )
            #expect(result.errors.hasPrefix(message), "\(result.errors)")
            expectEqual(result.output, "")
            expectEqual(result.exitCode, exitCode)
        }
    }
}
