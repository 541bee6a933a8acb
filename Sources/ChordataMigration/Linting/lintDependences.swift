internal import ChordataDiagnostics
internal import ChordataModel
internal import ChordataSQL

/// Reports a step that fails on some stores.
func dependenceRemarks(_ step: MigrationStep, _ match: MigrationMatch, _ names: VersionNames) -> [PlanRemark] {
    // Values that do not fit, and references to another entity, are reported as a loss; several references to one
    // object are reported with the column.
    guard step.kind == .createIndex else { return [] }
    return step.causes.filter { $0.entityName.map { hasObjectsBefore($0, match) } != false }.map { change in
        remark(
            .migrationDependsOnData,
            "\(sentence(change)) in '\(names.destination)', and a store with duplicate values cannot be migrated; "
                + "before the migration, make the values unique with a program whose model is at version '\(names.source)'",
            on: change,
            match
        )
    }
}

/// Returns a Boolean value that indicates whether a store can have objects of an entity before the migration: the
/// entity or one of its subentities is not new.
private func hasObjectsBefore(_ entityName: String, _ match: MigrationMatch) -> Bool {
    match.destination.entities.contains { entity in
        match.destination.entity(entity.name, isKindOf: entityName)
            && match.models.sourceEntity(of: entity.name) != nil
    }
}

/// Reports to-ones whose inverse referenced several objects.
func oldestRemarks(_ plan: TablePlan, _ match: MigrationMatch, _ names: VersionNames) -> [PlanRemark] {
    plan.columns.filter(\.takesOldest).flatMap(\.causes).map { change in
        remark(
            .migrationDependsOnData,
            "\(sentence(change)) in '\(names.destination)', and \(oldestKeepsReference); to keep all references, "
                + "make the relationship to-many",
            on: change,
            match
        )
    }
}

// MARK: Uniqueness

/// Reports values that must be unique, and either were not or may become equal.
func collisionRemarks(_ plan: TablePlan, _ match: MigrationMatch, _ names: VersionNames) -> [PlanRemark] {
    plan.table.indexes.filter(\.isUnique).compactMap { index -> PlanRemark? in
        guard
            let constraint = match.destinationMapping.uniquenessConstraint(of: index, tableName: plan.table.name),
            !isNewConstraint(constraint, match), let found = collision(index, plan, match, names)
        else { return nil }
        let properties = constraint.properties.map { "'\($0)'" }.joined(separator: ", ")
        return PlanRemark(
            id: .migrationDependsOnData,
            message:
                "\(properties) of '\(constraint.entityName)' must be unique: a store in which \(found.reason) "
                + "cannot be migrated to '\(names.destination)'; \(found.remedy)",
            entity: constraint.entityName,
            property: constraint.properties.first
        )
    }
}

/// Returns a Boolean value that indicates whether a constraint is reported already, because it is new.
private func isNewConstraint(
    _ constraint: (entityName: String, properties: [String]),
    _ match: MigrationMatch
) -> Bool {
    match.causes.changes.contains { change in
        change.subject == .uniquenessConstraint && change.kind != .removed
            && change.entityName == constraint.entityName
            && change.name.map { $0 == constraint.properties.sorted().joined(separator: ", ") } != false
    }
}

/// Returns the reason why two rows may get the same values of an index, and the remedy; `nil` if their old values were
/// different.
private func collision(
    _ index: Index,
    _ plan: TablePlan,
    _ match: MigrationMatch,
    _ names: VersionNames
) -> (reason: String, remedy: String)? {
    let remedy =
        "before the migration, make the values unique with a program whose model is at version '\(names.source)'"
    let columns = index.elements.compactMap { element in
        plan.columns.first { $0.column.name == element.columnName }
    }
    let flows = plan.flows.filter { flow in columns.allSatisfy { $0.values[flow.source] != nil } }
    for flow in flows {
        let values = columns.compactMap { $0.values[flow.source] }
        if values.allSatisfy({ $0.isEmpty && $0.fill != nil }) {
            return (
                "there are two or more objects of '\(flow.destination)', which all get the same default value,",
                "make the property optional without a default, or give the objects different values in a migration stage"
            )
        }
        if values.contains(where: { $0.fill != nil }) { return ("two objects have no value", remedy) }
        if values.contains(where: { $0.expression != nil }),
            columns.contains(where: { $0.causes.contains(where: \.mayLoseData) })
        {
            return ("two objects would end up with the same value", remedy)
        }
    }
    let sources = Set(
        flows.map { flow in
            OldColumns(table: flow.origin, names: Set(columns.compactMap { $0.values[flow.source]?.origin }))
        }
    )
    guard let only = sources.first else { return nil }
    return sources.count == 1 && isUnique(only, match) ? nil : ("two objects have the same value", remedy)
}

/// Columns of an old table.
private struct OldColumns: Hashable {
    var table: String
    var names: Set<String>
}

private func isUnique(_ columns: OldColumns, _ match: MigrationMatch) -> Bool {
    match.sourceMapping.table(named: columns.table)?.indexes.contains { index in
        index.isUnique && Set(index.elements.map(\.columnName)) == columns.names
    } == true
}
