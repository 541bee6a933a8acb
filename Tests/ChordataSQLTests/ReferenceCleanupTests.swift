import ChordataSQL
import ChordataTestSupport
import Testing

struct ReferenceCleanupTests {
    @Test func referencesAreRemoved() {
        let missing = renderReferences(from: "shelf", toNoneOf: "SELECT \"_id\" FROM \"Shelf\"")
        expectEqual(missing, "\"shelf\" NOT IN (SELECT \"_id\" FROM \"Shelf\")")
        expectEqual(
            renderReferenceCleanup(.nullifies(column: "shelf"), of: "Book", where: missing),
            "UPDATE \"Book\" SET \"shelf\" = NULL WHERE \"shelf\" IS NOT NULL AND \(missing)"
        )
        expectEqual(
            renderReferenceCleanup(.nullifiesInNewVersion(column: "shelf"), of: "Book", where: missing),
            "UPDATE \"Book\" SET \"shelf\" = NULL, \"_version\" = \"_version\" + 1 "
                + "WHERE \"shelf\" IS NOT NULL AND \(missing)"
        )
    }

    @Test func joinRowsAreDeleted() {
        let deleted = renderReferences(from: "a \"b\"", to: "SELECT value FROM json_each(?)")
        expectEqual(
            renderReferenceCleanup(.deletesRows, of: "a \"b\"", where: deleted),
            "DELETE FROM \"a \"\"b\"\"\" WHERE \"a \"\"b\"\"\" IN (SELECT value FROM json_each(?))"
        )
    }

    @Test func effectIsThatOfTheForeignKey() {
        expectEqual(ReferenceCleanup(deleteAction: "CASCADE", column: "owner"), .deletesRows)
        expectEqual(ReferenceCleanup(deleteAction: "SET NULL", column: "owner"), .nullifies(column: "owner"))
    }
}
