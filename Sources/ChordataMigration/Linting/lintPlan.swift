internal import ChordataDiagnostics
internal import ChordataModel

/// Finds the effects of a migration that the author of the model should know: values that it drops or rounds,
/// conditions on which it depends, possible renamings, and tables and columns that programs with their own SQL no
/// longer find.
func lintPlan(_ plan: MigrationPlan, _ tables: MigrationTables, _ names: VersionNames) -> [Finding] {
    let match = tables.match
    let changes = match.causes.changes
    var remarks = changes.filter(\.mayLoseData).compactMap { lossRemark($0, match, names) }
    remarks += lostLinkRemarks(match, names)
    remarks += changes.filter { $0.kind == .added }.compactMap { renamingRemark($0, match) }
    for step in plan.steps where step.dependsOnData { remarks += dependenceRemarks(step, match, names) }
    for table in tables.entities { remarks += oldestRemarks(table, match, names) }
    for table in tables.entities { remarks += collisionRemarks(table, match, names) }
    remarks += changes.compactMap { readerRemark($0, match, names) }
    for table in tables.entities { remarks += readerRemarks(table, names) }
    return remarks.map { .remark($0) }
}

/// Returns a remark on a change at the location of its element, or of its entity if a property was removed.
func remark(_ id: DiagnosticID, _ message: String, on change: ModelChange, _ match: MigrationMatch) -> PlanRemark {
    let isRemoved = change.kind == .removed && change.subject != .model
    let entity = change.entityName.flatMap { name in
        isRemoved && change.subject == .entity ? nil : match.destination.entity(named: name)?.name
    }
    return PlanRemark(id: id, message: message, entity: entity, property: isRemoved ? nil : change.name)
}
