internal import ChordataModel
internal import ChordataSQL

/// Writes a plan as SQL that a person can review: one comment per change of the model.
///
/// The statements expect foreign keys to be off, and to run in one transaction.
package func renderMigration(_ plan: MigrationPlan) -> String {
    var lines = [migrationTitle(plan.sourceName, plan.destinationName)]
    append(plan.steps, to: &lines)
    if let stage = plan.stage {
        lines += ["", stageMarker]
        lines += stage.tasks.map { "-- to do: \(oneLine($0))" }
        append(stage.steps, to: &lines)
    }
    return lines.joined(separator: "\n") + "\n"
}

private func append(_ steps: [MigrationStep], to lines: inout [String]) {
    var comments: [String] = []
    for step in steps {
        let own = step.comments
        if own != comments {
            lines.append("")
            lines += own.map { "-- \(oneLine($0))" }
            comments = own
        }
        lines += step.statements.map { $0 + ";" }
    }
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
