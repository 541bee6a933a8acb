package import ChordataDiagnostics
package import ChordataModel

/// Plans the migration from one version of a model to another.
///
/// - Parameters:
///   - isStage: A Boolean value that indicates whether a stage makes the changes that cannot be inferred.
///   - locate: Returns the location of an entity or property of the destination.
///   - rename: Returns the fix-it that gives an entity or property a renaming identifier.
/// - Returns: The plan, or `nil` when a change cannot be inferred, and the diagnostics with the reasons and remedies.
package func planMigration(
    from source: ManagedObjectModel,
    to destination: ManagedObjectModel,
    sourceName: String,
    destinationName: String,
    isStage: Bool = false,
    locate: (_ entity: String?, _ property: String?) -> SourceLocation?,
    rename: (_ entity: String, _ property: String?, _ identifier: String) -> FixIt? = { _, _, _ in nil }
) -> (plan: MigrationPlan?, diagnostics: [Diagnostic]) {
    let names = VersionNames(source: sourceName, destination: destinationName)
    var findings: [Finding] = []
    let match = matchModels(source, destination).value(addingFindingsTo: &findings)
    let tables = planTables(match).value(addingFindingsTo: &findings)
    var plan = MigrationPlan(
        sourceName: sourceName,
        destinationName: destinationName,
        steps: planSteps(tables, isStage: isStage)
    )
    findings += lintPlan(plan, tables, names)
    if isStage { plan.stage = MigrationPlan.Stage(tasks: stageTasks(findings), steps: planStepsAfterStage(tables)) }
    let remarks = planRemarks(findings, names, isStage: isStage)
    let diagnostics = remarks.map { remark in
        let fixIt = remark.renamingIdentifier.flatMap { identifier in
            remark.entity.flatMap { rename($0, remark.property, identifier) }
        }
        return Diagnostic(
            remark.id,
            remark.message,
            at: locate(remark.entity, remark.property) ?? locate(remark.entity, nil),
            fixIts: [fixIt].compactMap(\.self)
        )
    }
    return (remarks.contains { $0.id == .migrationNotInferred } ? nil : plan, diagnostics)
}
