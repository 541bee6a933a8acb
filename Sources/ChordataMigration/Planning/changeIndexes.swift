internal import ChordataModel
internal import ChordataSQL

/// Plans the removal of the indexes of altered tables that the new version does not have in the same form.
func dropIndexes(_ tables: MigrationTables) -> [MigrationStep] {
    keptTables(tables).flatMap { kept in
        kept.existingTable.indexes.filter { !kept.keeps($0) }.map { index in
            MigrationStep(
                .dropIndex(index, on: kept.existingTable.name),
                remark: "indexes of '\(kept.existingTable.name)' change"
            )
        }
    }
}

/// Plans the indexes that altered tables do not have yet, and those of new tables.
func createIndexes(_ tables: MigrationTables) -> [MigrationStep] {
    let kept = keptTables(tables)
    let all = tables.entities.map(\.table) + tables.joins.map(\.table) + tables.externals.map(\.table)
    return all.flatMap { table in
        let keptTable = kept.first { $0.table.name == table.name }
        return table.indexes.filter { keptTable?.keeps($0) != true }.map { index in
            let mapping = tables.match.destinationMapping
            let causes = index.isUnique ? tables.match.causes.ofConstraints(in: table, mapping) : []
            return MigrationStep(
                .createIndex(index, on: table.name),
                causes: causes,
                remark: causes.isEmpty ? "indexes of '\(table.name)'" : nil,
                dependsOnData: !causes.isEmpty
            )
        }
    }
}

/// Returns the old tables that are altered in place, with their new tables.
private func keptTables(_ tables: MigrationTables) -> [KeptTable] {
    tables.entities.compactMap { plan in
        plan.alteredTable.map { KeptTable(existingTable: $0, table: plan.table, columns: plan.columns) }
    }
        + tables.joins.compactMap { plan in
            plan.existingTable.map { KeptTable(existingTable: $0, table: plan.table) }
        }
        + tables.externals.compactMap { plan in
            plan.existingTable.map { KeptTable(existingTable: $0, table: plan.table) }
        }
}

/// A table that is altered in place.
private struct KeptTable {
    let existingTable: Table
    let table: Table
    /// The sources of the values of an entity's columns; other tables keep their columns.
    var columns: [ColumnPlan] = []

    /// Returns a Boolean value that indicates whether the table keeps an index: its columns must be the same columns,
    /// not other columns that now have their names, because an index follows a renamed column.
    func keeps(_ index: Index) -> Bool {
        guard table.name == existingTable.name, existingTable.indexes.contains(index), table.indexes.contains(index)
        else { return false }
        return index.elements.allSatisfy { element in
            guard !["_id", "_version", "_entity"].contains(element.columnName),
                let plan = columns.first(where: { $0.column.name == element.columnName })
            else { return true }
            return plan.origins == [element.columnName]
        }
    }
}
