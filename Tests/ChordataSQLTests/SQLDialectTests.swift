import ChordataModel
import ChordataPredicate
import ChordataSQL
import ChordataTestSupport
import Foundation
import Testing

/// A dialect that differs from SQLite's in everything that differs between databases.
private struct OtherDialect: SQLDialect {
    func condition(_ isMet: Bool) -> String { isMet ? "TRUE" : "FALSE" }
    func parameters(_ positions: ClosedRange<Int>) -> String { positions.map { "$\($0)" }.joined(separator: ", ") }
    func repeatedParameter(_ position: Int) -> String { "$\(position)" }
    func areSame(_ left: String, _ right: String) -> String { "\(left) IS NOT DISTINCT FROM \(right)" }
    func areDifferent(_ left: String, _ right: String) -> String { "\(left) IS DISTINCT FROM \(right)" }
    func isAmongKeys(_ column: String, at position: Int) -> String { "\(column) = ANY($\(position))" }
    func withoutIndex(_ value: String) -> String { value }
    func contains(_ text: String, _ part: String) -> String { "strpos(\(text), \(part)) > 0" }

    func ends(_ text: String, with suffix: String, bind: (PredicateValue) -> String) -> String {
        let value = bind(.attribute(.string(suffix)))
        return "right(\(text), char_length(\(value))) = \(value)"
    }

    func range(limit: Int, offset: Int, bind: (PredicateValue) -> String) -> String {
        (limit > 0 ? " LIMIT \(bind(.attribute(.integer(Int64(limit)))))" : "")
            + (offset > 0 ? " OFFSET \(bind(.attribute(.integer(Int64(offset)))))" : "")
    }

    func elements(_ count: Int, of list: Data, hasPlaces: Bool, bind: (PredicateValue) -> String) -> String {
        "SELECT \(hasPlaces ? "place, " : "")value FROM unnest(\(bind(.attribute(.data(list)))))"
    }

    func collated(_ value: String, by collation: SQLCollation) -> String { "sorted(\(value), '\(collation)')" }
    var updateWithoutUndo: String { "UPDATE WITHOUT UNDO" }
    var nonNumber: String { "raise()" }
    func call(_ function: SQLFunction, _ arguments: String) -> String { "other.\(function)(\(arguments))" }
    func rowFunction(columnCount: Int) -> String? { nil }
}

struct SQLDialectTests {
    private func sql(_ format: String, _ arguments: (any PredicateArgument)?...) throws -> String {
        let predicate = try FetchPredicate(format: format, argumentArray: arguments)
            .bind(to: "Item", in: RenderPredicateModel.model)
        let sql = renderCount(predicate, entityName: "Item", in: RenderPredicateModel.mapping, OtherDialect()).sql
        return sql.range(of: " WHERE ").map { String(sql[$0.upperBound...]) } ?? ""
    }

    @Test(arguments: [
        ("name == 'x' AND count == 2", "t0.\"name\" = $1 AND t0.\"count\" = $2"),
        ("name != 'x'", "t0.\"name\" IS DISTINCT FROM $1"),
        ("name == nick", "t0.\"name\" IS NOT DISTINCT FROM t0.\"nick\""),
        ("SELF == twin", "t0.\"_id\" IS NOT DISTINCT FROM t0.\"twin\""), ("FALSEPREDICATE", "FALSE"),
        ("count IN {1, 2, 3}", "t0.\"count\" IN ($1, $2, $3)"), ("count IN {}", "FALSE"),
        ("price < 5", "sorted(t0.\"price\", 'decimal') < $1"), ("name CONTAINS 'x'", "strpos(t0.\"name\", $1) > 0"),
        ("name ENDSWITH 'x'", "right(t0.\"name\", char_length($1)) = $1"),
        ("name BEGINSWITH 'x'", "(t0.\"name\" >= $1 AND t0.\"name\" < $2)"),
        ("name LIKE 'x*y'", "other.like(t0.\"name\", $1, '')"), ("name ==[c] 'X'", "other.fold(t0.\"name\", 'c') = $1"),
        ("noindex:(name) == 'x'", "t0.\"name\" = $1"),
        ("price + 1 > 2", "other.test('>', '', 'vN', other.compute('add:to:', 'mN', t0.\"price\", $1), $2)"),
    ])
    func conditions(_ format: String, _ expected: String) throws { expectEqual(try sql(format), expected) }

    @Test func listsAndRanges() throws {
        expectEqual(try sql("count IN %@", Array(0..<501)), "t0.\"count\" IN (SELECT value FROM unnest($1))")
        let mapping = RenderPredicateModel.mapping
        let all = renderFetch(columns: ["_id"], offset: 3, entityName: "List", in: mapping, OtherDialect())
        expectEqual(all.sql, "SELECT t0.\"_id\" FROM \"List\" AS t0 ORDER BY t0.\"_id\" OFFSET $1")
        expectEqual(all.bindings, [.integer(3)])
    }

    @Test func updates() {
        let mapping = RenderPredicateModel.mapping
        let update = renderUpdate(
            [("name", .constant(.attribute(.string("x")))), ("nick", .constant(.null))],
            where: nil,
            asksOtherRows: false,
            isRolledBackIfItFails: true,
            entityName: "List",
            in: mapping,
            OtherDialect(),
            includesSubentities: true
        )
        expectEqual(
            update.sql,
            "UPDATE WITHOUT UNDO \"List\" AS t0 SET \"_version\" = t0.\"_version\" + 1, \"name\" = $1, \"nick\" = $2"
        )
        let row = renderRowUpdate(["name"], ifDifferent: true, entityName: "List", in: mapping, OtherDialect())
        expectEqual(
            row,
            "UPDATE \"List\" AS t0 SET \"_version\" = t0.\"_version\" + 1, \"name\" = $2 WHERE t0.\"_id\" = $1 "
                + "AND (t0.\"name\" IS DISTINCT FROM $2)"
        )
        expectEqual(
            renderFreeing("name", entityName: "List", in: mapping, OtherDialect()),
            "UPDATE \"List\" SET \"name\" = NULL WHERE \"_id\" = $1 AND \"name\" IS DISTINCT FROM $2"
        )
    }
}
