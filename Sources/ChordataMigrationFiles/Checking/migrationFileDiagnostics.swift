package import ChordataDiagnostics
internal import ChordataMigration
internal import ChordataModel
internal import ChordataModelFile

// Diagnostics for the file of a step.

func emptyMigration(_ place: SourceLocation) -> Diagnostic {
    Diagnostic(
        .emptyMigration,
        "the file has no statements; write the statements that migrate a store from one version to the other, or remove the "
            + "file",
        at: place
    )
}

func staleMigration(_ place: SourceLocation) -> Diagnostic {
    Diagnostic(
        .staleMigration,
        "the model has changed since the file was generated, so the build ignores the file and generates the migration from the model; to update the file, run "
            + "'chordata migrate new'",
        at: place
    )
}

/// - Parameter versions: The correct end of the second line of the file.
func staleMigration(_ place: SourceLocation, writtenFor versions: String) -> Diagnostic {
    Diagnostic(
        .staleMigration,
        "the model has changed since the file was written; review its statements, and then replace "
            + "'for … to …' at the end of this line with '\(versions)'",
        at: place
    )
}

func unrunnableMigration(_ keyword: String, at place: SourceLocation) -> Diagnostic {
    Diagnostic(
        .unrunnableMigration,
        "\(keyword) is not allowed in a migration, because Chordata runs all its statements in one transaction, and they cannot use other database files; remove the statement",
        at: place
    )
}

/// - Parameters:
///   - reason: The failure of the file on a store without objects.
///   - line: The line of the statement that fails; `nil` if the statements run but have the wrong outcome.
package func unrunnableMigration(
    _ step: ModelMigration,
    _ files: MigrationFiles,
    _ reason: String,
    line: Int?
) -> Diagnostic {
    let versions = "from version '\(step.source.name)' to version '\(step.destination.name)'"
    return Diagnostic(
        .unrunnableMigration,
        line == nil
            ? "the statements do not migrate a store \(versions): \(oneLine(reason))"
            : "\(oneLine(reason)), so the statements cannot migrate a store \(versions); correct this statement",
        at: files.place(of: step.fileName, line: line ?? 1)
    )
}

extension MigrationPlan {
    /// A Boolean value that indicates whether the plan changes tables or rows.
    ///
    /// Changes of indexes do not count, because they are made when a store is opened.
    var hasStatements: Bool {
        allSteps.contains { step in
            switch step.kind {
            case .createTable, .dropTable, .renameTable, .copyRows, .deleteRows, .addColumn, .dropColumn, .renameColumn,
                .updateRows:
                true
            case .check, .stash, .createIndex, .dropIndex: false
            }
        }
    }
}
