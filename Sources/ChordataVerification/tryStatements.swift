package import Chordata
package import ChordataDiagnostics
package import ChordataMigrationFiles
internal import ChordataModel
package import ChordataModelFile

/// Runs hand-written files, each on a store of its older version without objects, and reports those that do not produce
/// a store of the newer version.
///
/// Steps with a stage are left out, because only the program has the stage. Effects of a file on objects are checked by
/// ``verifyMigrations(of:_:objectsPerEntity:in:report:)``.
/// - Parameter folder: The folder in which the stores are created and removed, one after the other.
package func tryStatements(
    of steps: [ModelMigration],
    in bundle: ModelBundle,
    _ files: MigrationFiles,
    folder: String
) throws(StoreError) -> [Diagnostic] {
    var diagnostics: [Diagnostic] = []
    for step in steps where step.canBeTried {
        let path = "\(folder)/empty.sqlite"
        _ = try PersistentContainer(
            model: ModelDefinition(name: bundle.name, versionName: step.source.name, model: step.source.model),
            path: path,
            options: StoreOptions(synchronous: .normal)
        )
        do throws(StoreError) {
            try MigrationManager(
                model: ModelDefinition(bundle, step: step),
                path: path,
                options: StoreOptions(synchronous: .normal)
            ).migrateStore()
        } catch {
            let cause = error.migrationCause
            diagnostics.append(
                unrunnableMigration(
                    step,
                    files,
                    cause?.message ?? error.message,
                    line: cause?.statementIndex.flatMap { step.line(ofStatementAt: $0) }
                )
            )
        }
        try PersistentStoreCoordinator.destroyPersistentStore(at: path)
    }
    return diagnostics
}

extension ModelMigration {
    /// A Boolean value that indicates whether the statements of the step are hand-written and unreleased, and can be
    /// run without the program.
    package var canBeTried: Bool {
        changesStores && origin == .written && !hasStage && !diagnostics.contains { $0.severity == .error }
    }
}
