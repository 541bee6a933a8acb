internal import ChordataModel
internal import ChordataSQL

/// Writes a plan as SQL that a person can review: one comment per change of the model.
///
/// The statements expect foreign keys to be off, and to run in one transaction.
package func renderMigration(_ plan: MigrationPlan) -> String {
    var lines = [migrationTitle(plan.sourceName, plan.destinationName)]
    appendSteps(plan.steps, to: &lines, \.statements)
    if let stage = plan.stage { appendStage(stage, to: &lines, \.statements) }
    return lines.joined(separator: "\n") + "\n"
}

/// Appends the statements of steps to the lines of a migration's SQL, with one comment per change of the model.
/// - Parameter statements: Returns the statements of a step, in the dialect of the SQL.
func appendSteps(
    _ steps: some Sequence<MigrationStep>,
    to lines: inout [String],
    _ statements: (MigrationStep) -> [String]
) {
    var comments: [String] = []
    for step in steps {
        let own = step.comments
        if own != comments {
            lines.append("")
            lines += own.map { "-- \(oneLine($0))" }
            comments = own
        }
        lines += statements(step).map { $0 + ";" }
    }
}

/// Appends the marker of a stage, its tasks and the statements of its steps to the lines of a migration's SQL.
func appendStage(_ stage: MigrationPlan.Stage, to lines: inout [String], _ statements: (MigrationStep) -> [String]) {
    lines += ["", stageMarker]
    lines += stage.tasks.map { "-- to do: \(oneLine($0))" }
    appendSteps(stage.steps, to: &lines, statements)
}

/// The first line of a migration's SQL.
package func migrationTitle(_ source: String, _ destination: String) -> String {
    "-- '\(oneLine(source))' to '\(oneLine(destination))'"
}

extension MigrationStep {
    /// The comments of the step in the SQL: its causes and its remark, one per line.
    package var comments: [String] {
        causes.map { sentence($0) + ($0.mayLoseData ? " (may lose data)" : "") } + [remark].compactMap(\.self)
    }
}
