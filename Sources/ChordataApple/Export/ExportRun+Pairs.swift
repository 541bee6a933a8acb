internal import Chordata
internal import ChordataModel
internal import ChordataSQL

extension ExportRun {
    func insertAll(into table: ExportPlan.PairTable) throws {
        try requireNotCancelled()
        let list = table.columns.map(quoteIdentifier).joined(separator: ", ")
        try connection.run("INSERT INTO \(table.target) (\(list)) \(table.rows) ORDER BY 1, 2")
    }

    /// The kinds of changes of pairs.
    private enum PairChange: Int {
        case inserted, moved, deleted
    }

    /// Lists the pairs that differ, and their objects among the updated ones.
    func findChanges(of table: ExportPlan.PairTable, _ index: Int) throws {
        try requireNotCancelled()
        let names = table.columns.map(quoteIdentifier)
        let (first, second) = (names[0], names[1])
        let keys = table.sourceKeys
        let roots = table.sides.map { rootIndex(of: $0.entityName) }
        let list = "temp.\"pairs_\(index)\""
        try connection.run("CREATE TABLE \(list) (\"first\" INTEGER, \"second\" INTEGER, \"kind\" INTEGER)")
        try connection.run(
            "INSERT INTO \(list) SELECT n.\(keys.first), n.\(keys.second), \(PairChange.inserted.rawValue) "
                + "FROM \(keys.table) AS n WHERE NOT EXISTS (SELECT 1 FROM \(table.target) AS a "
                + "WHERE a.\(first) = n.\(keys.first) AND a.\(second) = n.\(keys.second))"
        )
        // A pair with a key that belongs to no object was left out by the import, and is kept.
        try connection.run(
            "INSERT INTO \(list) SELECT a.\(first), a.\(second), \(PairChange.deleted.rawValue) FROM \(table.target) AS a "
                + "WHERE NOT EXISTS (SELECT 1 FROM \(keys.table) AS n "
                + "WHERE n.\(keys.first) = a.\(first) AND n.\(keys.second) = a.\(second)) "
                + zip(roots, [first, second]).map { root, column in
                    "AND EXISTS (SELECT 1 FROM \(plan.rootTables[root].target) AS b WHERE b.\"Z_PK\" = a.\(column))"
                }.joined(separator: " ")
        )
        if names.count > 2 {
            let isDifferent = names.dropFirst(2).map { "a.\($0) IS NOT n.\($0)" }.joined(separator: " OR ")
            try connection.run(
                "INSERT INTO \(list) SELECT a.\(first), a.\(second), \(PairChange.moved.rawValue) FROM (\(table.rows)) AS n "
                    + "JOIN \(table.target) AS a ON a.\(first) = n.\(first) AND a.\(second) = n.\(second) WHERE \(isDifferent)"
            )
        }
        for (place, side) in table.sides.enumerated() {
            let root = plan.rootTables[roots[place]]
            try connection.run(
                "INSERT INTO temp.\"updated_\(roots[place])\" SELECT a.\"Z_PK\", a.\"Z_ENT\", "
                    + "\(changedProperty(side.relationshipName, of: root)) FROM \(root.target) AS a "
                    + "WHERE a.\"Z_PK\" IN (SELECT \"\(place == 0 ? "first" : "second")\" FROM \(list)) "
                    + "AND EXISTS (SELECT 1 FROM \(root.source) AS n WHERE n.\"_id\" = a.\"Z_PK\") "
                    + "ON CONFLICT (\"key\") DO UPDATE SET \"columns\" = \(merged(side.relationshipName, of: root))"
            )
        }
    }

    private func rootIndex(of entityName: String) -> Int {
        let root = plan.schema.model.entity(named: entityName)?.rootEntityName
        // Every entity has a root entity, and every root entity a table.
        return plan.rootTables.firstIndex { $0.entityName == root } ?? 0
    }

    /// Returns an expression for the history: the digits of a row in which one relationship has changed.
    private func changedProperty(_ name: String, of table: ExportPlan.RootTable) -> String {
        guard hasHistory else { return "NULL" }
        let cases = table.entities.map { number, entity in
            "WHEN \(number) THEN '\(propertyNames(of: entity).map { $0 == name ? "1" : "0" }.joined())'"
        }
        return "CASE a.\"Z_ENT\" \(cases.joined(separator: " ")) END"
    }

    /// Returns an expression for the history: the digits of a row, with the digit of one relationship set.
    private func merged(_ name: String, of table: ExportPlan.RootTable) -> String {
        guard hasHistory else { return "NULL" }
        let cases = table.entities.compactMap { number, entity in
            propertyNames(of: entity).firstIndex(of: name).map { place in
                "WHEN \(number) THEN substr(\"columns\", 1, \(place)) || '1' || substr(\"columns\", \(place + 2))"
            }
        }
        return "CASE \"entity\" \(cases.joined(separator: " ")) ELSE \"columns\" END"
    }

    func write(_ table: ExportPlan.PairTable, _ index: Int) throws {
        try requireNotCancelled()
        let names = table.columns.map(quoteIdentifier)
        let (first, second) = (names[0], names[1])
        func isListed(_ alias: String, _ kind: PairChange) -> String {
            "(\(alias).\(first), \(alias).\(second)) IN (SELECT \"first\", \"second\" FROM temp.\"pairs_\(index)\" "
                + "WHERE \"kind\" = \(kind.rawValue))"
        }
        try connection.run("DELETE FROM \(table.target) AS a WHERE \(isListed("a", .deleted))")
        if names.count > 2 {
            let assignments = names.dropFirst(2).map { "\($0) = n.\($0)" }.joined(separator: ", ")
            try connection.run(
                "UPDATE \(table.target) AS a SET \(assignments) FROM (\(table.rows)) AS n "
                    + "WHERE a.\(first) = n.\(first) AND a.\(second) = n.\(second) AND \(isListed("a", .moved))"
            )
        }
        let values = names.map { "n.\($0)" }.joined(separator: ", ")
        try connection.run(
            "INSERT INTO \(table.target) (\(names.joined(separator: ", "))) SELECT \(values) FROM (\(table.rows)) AS n "
                + "WHERE \(isListed("n", .inserted)) ORDER BY 1, 2"
        )
    }
}
