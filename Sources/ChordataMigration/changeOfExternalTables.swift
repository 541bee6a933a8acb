internal import ChordataSQL

/// What happens to the side tables of an entity's table, around the change of that table.
struct ExternalTableChanges {
    /// Before the table changes: what is gone, what makes way for others, and bytes that leave the rows.
    var before: [MigrationStep] = []
    /// After it: what bytes that came into the rows leave behind, and new names.
    var after: [MigrationStep] = []
    /// By column of the new table: its value, of which the old row has something else.
    var expressions: [String: String] = [:]
}

extension MigrationPlanner {
    /// The steps that take bytes out of rows into side tables or back, and that rename, make and drop these tables.
    func changeOfExternalTables(
        of table: Table,
        from origin: Table,
        _ changes: [ColumnChange],
        dropped: [Column]
    ) -> ExternalTableChanges {
        var result = ExternalTableChanges()
        for column in dropped {
            guard let old = sourceMapping.externalTable(ofColumn: column.name, in: origin.name) else { continue }
            let reason = "'\(column.name)' of '\(table.name)' is gone"
            result.before.append(MigrationStep(reason: reason, change: .dropTable(name: old.name)))
        }
        let wanted = Set(
            changes.compactMap { mapping.externalTable(ofColumn: $0.column.name, in: table.name)?.name }.map(foldedName)
        )
        var created: [MigrationStep] = []
        for change in changes {
            let new = mapping.externalTable(ofColumn: change.column.name, in: table.name)
            let old = change.origin.flatMap { sourceMapping.externalTable(ofColumn: $0.name, in: origin.name) }
            func step(_ change: MigrationStep.Change, because reason: String) -> MigrationStep {
                MigrationStep(reason: reason, change: change)
            }
            // Where the bytes are while the entity's table changes: attributes may change names among themselves.
            var place = old?.name ?? ""
            if let old, old.name != new?.name, wanted.contains(foldedName(old.name)) {
                place = "_moved" + old.name
                result.before.append(step(.renameTable(from: old.name, to: place), because: change.reason))
            }
            switch (old, new) {
            case (nil, nil): continue
            case (nil, let new?):
                let reason =
                    change.origin == nil
                    ? change.reason : "'\(change.column.name)' of '\(table.name)' goes into external storage"
                created.append(step(.createTable(new), because: reason))
                if let column = change.origin {
                    created.append(
                        step(
                            .moveIntoTable(new.name, from: origin.name, column: column.name),
                            because: reason
                        )
                    )
                    result.expressions[change.column.name] = "length(\(quoteIdentifier(column.name)))"
                }
            case (.some, nil):
                result.expressions[change.column.name] =
                    "(SELECT \"bytes\" FROM \(quoteIdentifier(place)) AS \"external\""
                    + " WHERE \"external\".\"_id\" = \(quoteIdentifier(origin.name)).\"_id\")"
                result.after.append(
                    step(
                        .dropTable(name: place),
                        because: "'\(change.column.name)' of '\(table.name)' comes out of external storage"
                    )
                )
            case (.some, let new?):
                guard place != new.name else { continue }
                result.after.append(step(.renameTable(from: place, to: new.name), because: change.reason))
            }
        }
        result.before += created
        return result
    }
}
