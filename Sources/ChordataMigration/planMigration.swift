package import ChordataDiagnostics
package import ChordataModel
internal import ChordataSQL

/// Plans the way from one version of a model to another.
///
/// - Parameter locate: the place of an entity or property of the destination.
/// - Returns: no plan when the change cannot be inferred; the diagnostics say why and what to do.
package func planMigration(
    from source: ManagedObjectModel,
    to destination: ManagedObjectModel,
    sourceName: String,
    destinationName: String,
    locate: (_ entity: String?, _ property: String?) -> SourceLocation?
) -> (plan: MigrationPlan?, diagnostics: [Diagnostic]) {
    var planner = MigrationPlanner(
        match: ModelMatch(source: source, destination: destination),
        sourceName: sourceName,
        destinationName: destinationName
    )
    planner.plan()
    let diagnostics = planner.findings.map { finding in
        Diagnostic(
            finding.id,
            finding.message,
            at: locate(finding.entity, finding.property) ?? locate(finding.entity, nil)
        )
    }
    guard !planner.findings.contains(where: { $0.id == .migrationNotInferred }) else { return (nil, diagnostics) }
    let plan = MigrationPlan(sourceName: sourceName, destinationName: destinationName, steps: planner.steps)
    return (plan, diagnostics)
}

/// Compares two versions table by table.
struct MigrationPlanner {
    struct Finding {
        var id: DiagnosticID
        var message: String
        var entity: String?
        var property: String?
    }

    let match: ModelMatch
    let sourceName: String
    let destinationName: String
    let sourceMapping: SchemaMapping
    let mapping: SchemaMapping
    private(set) var steps: [MigrationStep] = []
    private(set) var findings: [Finding] = []

    init(match: ModelMatch, sourceName: String, destinationName: String) {
        self.match = match
        self.sourceName = sourceName
        self.destinationName = destinationName
        sourceMapping = makeSchemaMapping(of: match.source)
        mapping = makeSchemaMapping(of: match.destination)
    }

    mutating func plan() {
        var usedTables: Set<String> = []
        var followed: Set<String> = []
        var createIndexes: [MigrationStep] = []
        var dropTables: [MigrationStep] = []
        var changes: [MigrationStep] = []

        for table in mapping.tables {
            // Side tables follow the tables of their entities, which come first.
            if case .external(let entityTable, _) = table.kind, followed.contains(entityTable) { continue }
            let origin = sourceTable(of: table)
            if table.kind == .system {
                usedTables.insert(table.name)
                continue
            }
            guard let origin, usedTables.insert(origin.name).inserted else {
                changes.append(MigrationStep(reason: reasonForNew(table), change: .createTable(table)))
                createIndexes += table.indexes.map {
                    MigrationStep(reason: reasonForNew(table), change: .createIndex($0, table: table.name))
                }
                continue
            }
            followed.insert(table.name)
            changes += change(of: table, from: origin)
            let kept = origin.name == table.name && isUnchanged(table, origin) ? Set(origin.indexes) : []
            let reason = "indexes of '\(table.name)'"
            for index in origin.indexes where !kept.contains(index) || !table.indexes.contains(index) {
                steps.append(MigrationStep(reason: reason, change: .dropIndex(name: index.name)))
            }
            for index in table.indexes where !kept.contains(index) {
                createIndexes.append(MigrationStep(reason: reason, change: .createIndex(index, table: table.name)))
            }
        }
        for table in sourceMapping.tables where table.kind != .system && !usedTables.contains(table.name) {
            let reason = "'\(table.name)' is gone"
            if case .external(let entityTable, _) = table.kind {
                if usedTables.contains(entityTable) { continue }
            } else {
                lose(
                    "'\(table.name)' is not in '\(destinationName)', so its rows are dropped; give what replaces it its renaming identifier"
                )
            }
            dropTables.append(MigrationStep(reason: reason, change: .dropTable(name: table.name)))
        }
        // Indexes go first and come last: SQLite cannot drop or rename what they use. Tables go before others take their
        // names.
        steps += dropTables + changes + createIndexes
    }

    private func isUnchanged(_ table: Table, _ origin: Table) -> Bool { table.columns == origin.columns }

    // MARK: Findings

    mutating func refuse(_ message: String, entity: String?, property: String? = nil) {
        findings.append(Finding(id: .migrationNotInferred, message: message, entity: entity, property: property))
    }

    mutating func lose(_ message: String, entity: String? = nil) {
        findings.append(Finding(id: .migrationLosesData, message: message, entity: entity))
    }

    mutating func leaveInvalid(_ message: String, entity: String, property: String) {
        findings.append(
            Finding(id: .migrationLeavesInvalid, message: message, entity: entity, property: property)
        )
    }

    // MARK: Tables

    private func sourceTable(of table: Table) -> Table? {
        switch table.kind {
        case .system: return sourceMapping.table(named: table.name)
        case .external: return nil  // Its entity's table is new.
        case .entity(let name):
            guard let entity = match.sourceEntity(of: name) else { return nil }
            return sourceMapping.entity(named: entity.rootEntityName).flatMap {
                sourceMapping.table(named: $0.tableName)
            }
        case .join(let entityName, let relationshipName):
            guard let entity = match.destination.entity(named: entityName),
                let relationship = entity.relationship(named: relationshipName),
                let sourceEntity = match.sourceEntity(of: entityName),
                let old = match.sourceRelationship(of: relationship, in: sourceEntity),
                case .joinTable(let name, _, _, _)? =
                    sourceMapping.entity(named: sourceEntity.name)?.relationship(named: old.name)?.storage
            else { return nil }
            return sourceMapping.table(named: name)
        }
    }

    private func reasonForNew(_ table: Table) -> String {
        switch table.kind {
        case .system: "Chordata's own table '\(table.name)'"
        case .entity(let name): "entity '\(name)' is new"
        case .join(let entity, let relationship): "relationship '\(relationship)' of '\(entity)' is new"
        case .external(let table, let column): "'\(column)' of '\(table)' is new"
        }
    }

    private mutating func change(of table: Table, from origin: Table) -> [MigrationStep] {
        switch table.kind {
        case .system: return []
        case .entity: return changeOfEntityTable(table, from: origin)
        case .join: return changeOfJoinTable(table, from: origin)
        case .external: return []
        }
    }

    private mutating func changeOfJoinTable(_ table: Table, from origin: Table) -> [MigrationStep] {
        guard table != origin else { return [] }
        let reason = "'\(table.name)' changed"
        if table.columns == origin.columns, table.primaryKey == origin.primaryKey {
            return table.name == origin.name
                ? [] : [MigrationStep(reason: reason, change: .renameTable(from: origin.name, to: table.name))]
        }
        let columns = table.columns.filter { column in origin.columns.contains { $0.name == column.name } }
            .map { MigrationStep.ColumnSource(column: $0.name, expression: quoteIdentifier($0.name)) }
        return [MigrationStep(reason: reason, change: .rebuildTable(table, from: origin.name, columns: columns))]
    }
}
