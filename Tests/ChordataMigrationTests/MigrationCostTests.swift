import ChordataMigration
import ChordataModel
import Testing

/// Measures the cost of a migration in calls to the disk, which are more reliable than time.
extension FaultyDiskTests {
    private static func change(_ name: String, to attribute: AttributeDescription, rows: Int)
        -> PlanMigrationTests.Change
    {
        let note = AttributeDescription(name: "note", attributeType: .string)
        let number = AttributeDescription(name: "number", attributeType: .integer32)
        return PlanMigrationTests.Change(
            name: "\(name), with \(rows) rows",
            source: [EntityDescription(name: "Entry", attributes: [note, number])],
            destination: [
                EntityDescription(
                    name: "Entry",
                    attributes: [note, attribute] + (attribute.name == "number" ? [] : [number])
                )
            ],
            setUp: """
                WITH RECURSIVE "count" ("n") AS (VALUES (1) UNION ALL SELECT "n" + 1 FROM "count" WHERE "n" < \(rows))
                INSERT INTO "Entry" ("_id", "_version", "note", "number") SELECT "n", 1, 'note ' || "n", "n" FROM "count"
                """,
            query: "",
            rows: []
        )
    }

    private func callCount(_ change: PlanMigrationTests.Change) throws -> Int64 {
        var count: Int64 = 0
        try withFaultyFolder { folder in
            count = try FaultyTrial(change, Self.plan(change), folder: folder).countCalls()
        }
        return count
    }

    /// The cost of adding a column, with or without a default, does not depend on the number of rows; only a rebuild
    /// reads all rows.
    @Test func addingAColumnCostsTheSameForAnyRowCount() throws {
        let optional = AttributeDescription(name: "kind", attributeType: .string, isOptional: true)
        let filled = AttributeDescription(name: "kind", attributeType: .string, defaultValue: .string("guest"))
        for (name, attribute) in [("column", optional), ("column with a default", filled)] {
            let few = try callCount(Self.change(name, to: attribute, rows: 200))
            let many = try callCount(Self.change(name, to: attribute, rows: 20_000))
            #expect(many - few < 20, "\(name): \(few) calls for 200 rows, \(many) for 20,000")
        }
        let double = AttributeDescription(name: "number", attributeType: .double)
        let few = try callCount(Self.change("rebuild", to: double, rows: 200))
        let many = try callCount(Self.change("rebuild", to: double, rows: 20_000))
        #expect(many > few + 200, "rebuild: \(few) calls for 200 rows, \(many) for 20,000")
    }
}
