internal import ChordataModel
internal import ChordataSQL

/// Where one column of a table comes from.
struct ColumnChange {
    var column: Column
    /// The column of the old table; `nil` for a new one.
    var origin: Column?
    /// What the rows get that have no value: the default of a required attribute.
    var fill: String?
    var reason: String
}

extension MigrationPlanner {
    /// The steps that turn a hierarchy's old table into its new one.
    mutating func changeOfEntityTable(_ table: Table, from origin: Table) -> [MigrationStep] {
        var steps: [MigrationStep] = []
        let changes = columnChanges(of: table, from: origin)
        let used = Set(changes.compactMap(\.origin?.name))
        let dropped = origin.columns.filter { !used.contains($0.name) }
        for column in dropped where !column.name.hasPrefix("_") {
            lose(
                "column '\(column.name)' of '\(origin.name)' is not in '\(destinationName)', so its values are dropped; "
                    + "give what replaces it its renaming identifier",
                entity: tableEntity(table)
            )
        }
        let external = changeOfExternalTables(
            of: table,
            from: origin,
            changes,
            dropped: dropped
        )
        if needsRebuild(table, origin, changes, dropped) {
            let columns = changes.compactMap { change -> MigrationStep.ColumnSource? in
                var expression = change.origin.map { quoteIdentifier($0.name) }
                if let old = change.origin, old.type != change.column.type {
                    expression = expression.map { "CAST(\($0) AS \(change.column.type.rawValue))" }
                }
                if let converted = external.expressions[change.column.name] { expression = converted }
                if change.column.name == "_entity", change.origin == nil, let name = rootSource(table)?.name {
                    expression = sqlLiteral(text: name)
                }
                if let fill = change.fill { expression = expression.map { "coalesce(\($0), \(fill))" } ?? fill }
                return expression.map { .init(column: change.column.name, expression: $0) }
            }
            steps.append(
                MigrationStep(
                    reason: "'\(table.name)' changed in a way that needs a new table",
                    change: .rebuildTable(table, from: origin.name, columns: columns)
                )
            )
        } else {
            if origin.name != table.name {
                steps.append(
                    MigrationStep(
                        reason: "entity '\(origin.name)' is now called '\(table.name)'",
                        change: .renameTable(from: origin.name, to: table.name)
                    )
                )
            }
            for column in dropped {
                steps.append(
                    MigrationStep(
                        reason: "'\(column.name)' of '\(table.name)' is gone",
                        change: .dropColumn(table: table.name, name: column.name)
                    )
                )
            }
            for change in changes {
                if let old = change.origin {
                    if old.name != change.column.name {
                        steps.append(
                            MigrationStep(
                                reason: change.reason,
                                change: .renameColumn(table: table.name, from: old.name, to: change.column.name)
                            )
                        )
                    }
                    if let fill = change.fill {
                        steps.append(
                            MigrationStep(
                                reason: change.reason,
                                change: .fill(table: table.name, column: change.column.name, value: fill)
                            )
                        )
                    }
                } else {
                    steps.append(
                        MigrationStep(
                            reason: change.reason,
                            change: .addColumn(change.column, table: table, value: change.fill)
                        )
                    )
                }
            }
        }
        return external.before + steps + external.after + entityRenames(in: table)
    }

    private func tableEntity(_ table: Table) -> String? {
        if case .entity(let name) = table.kind { name } else { nil }
    }

    private func rootSource(_ table: Table) -> EntityDescription? {
        tableEntity(table).flatMap { match.destination.entity(named: $0) }
    }

    /// ALTER TABLE renames, adds and drops plain columns; everything else needs a new table.
    private func needsRebuild(
        _ table: Table,
        _ origin: Table,
        _ changes: [ColumnChange],
        _ dropped: [Column]
    ) -> Bool {
        // SQLite does not drop columns with a foreign key, https://sqlite.org/lang_altertable.html.
        if dropped.contains(where: { $0.references != nil || $0.name.hasPrefix("_") }) { return true }
        let oldNames = Set(origin.columns.map { foldedName($0.name) })
        for change in changes {
            guard let old = change.origin else {
                // A new column whose name another column still has, or one that may not be NULL.
                if oldNames.contains(foldedName(change.column.name)) || change.column.isNotNull { return true }
                continue
            }
            if old.type != change.column.type || old.isNotNull != change.column.isNotNull { return true }
            if referencedTable(old.references) != change.column.references { return true }
            // Names that change places.
            if old.name != change.column.name, oldNames.contains(foldedName(change.column.name)) { return true }
        }
        return false
    }

    /// What a table of the source is called after the migration.
    private func referencedTable(_ name: String?) -> String? {
        guard let name else { return nil }
        for table in mapping.tables {
            guard case .entity(let entity) = table.kind, let old = match.sourceEntity(of: entity),
                sourceMapping.entity(named: old.name)?.tableName == name
            else { continue }
            return table.name
        }
        return nil
    }

    // MARK: Columns

    private mutating func columnChanges(of table: Table, from origin: Table) -> [ColumnChange] {
        var changes: [String: ColumnChange] = [:]
        for column in table.columns {
            let old = origin.columns.first { $0.name == column.name && column.name.hasPrefix("_") }
            changes[column.name] = ColumnChange(
                column: column,
                origin: old,
                fill: nil,
                reason: "'\(column.name)' of '\(table.name)' is new"
            )
        }
        for entity in mapping.entities where entity.tableName == table.name {
            guard let description = match.destination.entity(named: entity.entityName) else { continue }
            let oldEntity = match.sourceEntity(of: entity.entityName)
            if let oldEntity, sourceMapping.entity(named: oldEntity.name)?.tableName != origin.name {
                refuse(
                    "entity '\(entity.entityName)' moved from the hierarchy of '\(oldEntity.rootEntityName)'; add a stage "
                        + "from '\(sourceName)' to '\(destinationName)'",
                    entity: entity.entityName
                )
            }
            for attribute in entity.attributes {
                matchAttribute(attribute, of: description, oldEntity, origin, &changes)
            }
            for relationship in entity.relationships {
                matchRelationship(relationship, of: description, oldEntity, origin, &changes)
            }
        }
        return table.columns.compactMap { changes[$0.name] }
    }

    private mutating func matchAttribute(
        _ mapped: AttributeMapping,
        of entity: EntityDescription,
        _ oldEntity: EntityDescription?,
        _ origin: Table,
        _ changes: inout [String: ColumnChange]
    ) {
        let attribute = mapped.attribute
        var change = changes[mapped.columnName]
        let place = "'\(attribute.name)' of '\(entity.name)'"
        let isInherited = !entity.declaredAttributes.contains { $0.name == mapped.path.first }
        defer { changes[mapped.columnName] = change }
        let fill = attribute.isOptional ? nil : attribute.defaultValue.map { sqlLiteral($0) }
        guard let oldEntity, mapped.path.count == 1,
            let old = match.sourceAttribute(of: attribute, in: oldEntity),
            let oldColumn = sourceMapping.entity(named: oldEntity.name)?.attribute(at: [old.name])?.columnName,
            let column = origin.columns.first(where: { $0.name == oldColumn })
        else {
            guard change?.origin == nil else { return }
            change?.fill = fill
            change?.reason = "attribute \(place) is new"
            if oldEntity != nil, !isInherited, !attribute.isOptional, fill == nil, !attribute.isDerived {
                refuse(
                    "attribute \(place) is new, required and has no default; give it one, make it optional, or add a "
                        + "stage from '\(sourceName)' to '\(destinationName)'",
                    entity: entity.name,
                    property: attribute.name
                )
            }
            return
        }
        change?.origin = column
        change?.reason =
            old.name == attribute.name
            ? "attribute \(place) changed"
            : "attribute '\(old.name)' of '\(entity.name)' is now called '\(attribute.name)'"
        if !attribute.isOptional, old.isOptional {
            change?.fill = fill
            change?.reason = "attribute \(place) became required"
            if fill == nil, !isInherited {
                refuse(
                    "attribute \(place) became required and has no default; give it one, or add a stage from "
                        + "'\(sourceName)' to '\(destinationName)'",
                    entity: entity.name,
                    property: attribute.name
                )
            }
        }
        if !isInferable(from: old.attributeType, to: attribute.attributeType), !isInherited {
            refuse(
                "attribute \(place) changed from '\(old.attributeType.rawValue)' to '\(attribute.attributeType.rawValue)', "
                    + "which cannot be converted by itself; add a stage from '\(sourceName)' to '\(destinationName)'",
                entity: entity.name,
                property: attribute.name
            )
        }
    }

    /// Table 4.2: numbers become other numbers, Integer becomes Decimal; everything else needs a stage.
    private func isInferable(from old: AttributeType, to new: AttributeType) -> Bool {
        if old == new { return true }
        let integers: Set<AttributeType> = [.integer16, .integer32, .integer64]
        let numbers = integers.union([.double, .float])
        return numbers.contains(old) && numbers.contains(new) || integers.contains(old) && new == .decimal
    }

    private mutating func matchRelationship(
        _ mapped: RelationshipMapping,
        of entity: EntityDescription,
        _ oldEntity: EntityDescription?,
        _ origin: Table,
        _ changes: inout [String: ColumnChange]
    ) {
        let relationship = mapped.relationship
        let place = "'\(relationship.name)' of '\(entity.name)'"
        let old = oldEntity.flatMap { match.sourceRelationship(of: relationship, in: $0) }
        let isInherited = !entity.declaredRelationships.contains { $0.name == relationship.name }
        if oldEntity != nil, old == nil, !isInherited, !relationship.isOptional, !relationship.isToMany {
            leaveInvalid(
                "relationship \(place) is new and required, so objects from before cannot be saved until they have one; make "
                    + "it optional, or give it to them in your code",
                entity: entity.name,
                property: relationship.name
            )
        }
        if let old, old.isToMany != relationship.isToMany {
            refuse(
                "relationship \(place) changed between to-one and to-many; add a stage from '\(sourceName)' to "
                    + "'\(destinationName)'",
                entity: entity.name,
                property: relationship.name
            )
        }
        guard case .column(let name) = mapped.storage, var change = changes[name] else { return }
        if change.origin == nil { change.reason = "relationship \(place) is new" }
        if let oldEntity, let old,
            case .column(let oldName)? = sourceMapping.entity(named: oldEntity.name)?.relationship(named: old.name)?
                .storage,
            let column = origin.columns.first(where: { $0.name == oldName })
        {
            if match.isCounterpart(relationship.destinationEntityName, of: old.destinationEntityName) {
                change.origin = column
                change.reason =
                    old.name == relationship.name
                    ? "relationship \(place) changed"
                    : "relationship '\(old.name)' of '\(entity.name)' is now called '\(relationship.name)'"
            } else {
                lose("relationship \(place) leads elsewhere, so its old values are dropped", entity: entity.name)
            }
        }
        changes[name] = change
    }

    private func entityRenames(in table: Table) -> [MigrationStep] {
        guard table.columns.contains(where: { $0.name == "_entity" }) else { return [] }
        return mapping.entities.filter { $0.tableName == table.name }.compactMap { entity in
            guard let old = match.sourceEntity(of: entity.entityName), old.name != entity.entityName else { return nil }
            return MigrationStep(
                reason: "entity '\(old.name)' is now called '\(entity.entityName)'",
                change: .renameEntity(table: table.name, from: old.name, to: entity.entityName)
            )
        }
    }
}
