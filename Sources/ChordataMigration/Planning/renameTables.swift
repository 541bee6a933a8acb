internal import ChordataModel
internal import ChordataSQL

/// Plans the removal of old tables: those without a successor, and those that are rebuilt.
func dropTables(_ tables: MigrationTables) -> [MigrationStep] {
    let kept = Set(
        tables.entities.compactMap(\.alteredTable?.name)
            + tables.joins.compactMap(\.existingTable?.name)
            + tables.externals.compactMap(\.existingTable?.name)
    )
    let rebuilt = Set(tables.entities.filter(\.isRebuilt).compactMap(\.existingTable?.name))
    return tables.match.sourceMapping.tables.filter { $0.kind != .system && !kept.contains($0.name) }.map { table in
        let causes = causesOfDropped(table, tables.match)
        return MigrationStep(
            .dropTable(table.name),
            causes: causes,
            remark: rebuilt.contains(table.name) ? "replaced by the new table" : nil,
            losesData: causes.contains(where: \.mayLoseData)
        )
    }
}

private func causesOfDropped(_ table: Table, _ match: MigrationMatch) -> [ModelChange] {
    switch table.kind {
    case .system: return []
    case .entity: return match.concreteEntities(in: table).flatMap { match.causes.ofOldEntity($0) }
    case .join(let entity, let relationship): return match.causes.ofRemovedProperty(relationship, declaredBy: entity)
    case .external(let owner, let column):
        for entity in match.sourceMapping.entities where entity.tableName == owner {
            guard let attribute = entity.attributes.first(where: { $0.columnName == column }) else { continue }
            let declarer = match.sourceDeclarer(of: attribute.path[0], in: entity.entityName)
            return declarer.map { match.causes.ofRemovedProperty(attribute.path[0], declaredBy: $0) } ?? []
        }
        return []
    }
}

/// Plans the final names of tables: first rebuilt tables get the names of the old tables that they replace, so that
/// other tables reference them, and then all tables get their own names.
func renameTables(_ tables: MigrationTables) -> [MigrationStep] {
    var steps: [MigrationStep] = []
    for plan in tables.entities where plan.isRebuilt {
        guard let existingTable = plan.existingTable else { continue }
        steps.append(MigrationStep(.renameTable(plan.newName, to: existingTable.name)))
    }
    var renamings: [Renaming] = []
    var causesByName: [String: [ModelChange]] = [:]
    func rename(_ name: String, _ table: Table, _ causes: [ModelChange]) {
        renamings.append(Renaming(from: name, to: table.name))
        causesByName[table.name] = causes
    }
    for plan in tables.entities {
        guard case .entity(let root) = plan.table.kind else { continue }
        rename(plan.currentName, plan.table, tables.match.causes.ofEntity(root))
    }
    for plan in tables.joins { rename(plan.currentName, plan.table, plan.causes) }
    for plan in tables.externals { rename(plan.currentName, plan.table, plan.causes) }
    return steps
        + ordered(renamings.filter { $0.from != $0.to }).map { renaming in
            MigrationStep(
                .renameTable(renaming.from, to: renaming.to),
                causes: causesByName[renaming.last] ?? []
            )
        }
}
