package import ChordataDiagnostics
package import ChordataModel
internal import ChordataSQL

/// Plans the way from one version of a model to another.
///
/// - Parameters:
///   - isStage: whether the program does what cannot be inferred.
///   - locate: the place of an entity or property of the destination.
///   - rename: the fix that gives an entity or property a renaming identifier.
/// - Returns: no plan when the change cannot be inferred; the diagnostics say why and what to do.
package func planMigration(
    from source: ManagedObjectModel,
    to destination: ManagedObjectModel,
    sourceName: String,
    destinationName: String,
    isStage: Bool = false,
    locate: (_ entity: String?, _ property: String?) -> SourceLocation?,
    rename: (_ entity: String, _ property: String?, _ identifier: String) -> FixIt? = { _, _, _ in nil }
) -> (plan: MigrationPlan?, diagnostics: [Diagnostic]) {
    var planner = MigrationPlanner(
        from: source,
        to: destination,
        sourceName: sourceName,
        destinationName: destinationName,
        isStage: isStage
    )
    let steps = planner.plan()
    let diagnostics = planner.findings.map { finding in
        let fixIt = finding.renamingIdentifier.flatMap { identifier in
            finding.entity.flatMap { rename($0, finding.property, identifier) }
        }
        return Diagnostic(
            finding.id,
            finding.message,
            at: locate(finding.entity, finding.property) ?? locate(finding.entity, nil),
            fixIts: [fixIt].compactMap(\.self)
        )
    }
    guard !planner.findings.contains(where: { $0.id == .migrationNotInferred }) else { return (nil, diagnostics) }
    var plan = MigrationPlan(sourceName: sourceName, destinationName: destinationName, steps: steps)
    if isStage { plan.stage = MigrationPlan.Stage(tasks: planner.tasksOfStage, steps: planner.stepsAfterStage) }
    return (plan, diagnostics)
}
