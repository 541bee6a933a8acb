package import Chordata
package import ChordataDiagnostics
package import ChordataGeneration
internal import ChordataModel
package import ChordataModelFile

/// Runs the files that somebody has written, each on a store of its older version without objects, and tells which do
/// not make one of the newer version of it.
///
/// Nobody can do so for steps with a stage, which only the program has. What a file does to objects is what
/// ``verifyMigrations(of:_:objectsPerEntity:in:report:)`` looks at.
/// - Parameter folder: the stores are made there, one after the other, and removed.
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
            diagnostics.append(unrunnableMigration(step, files, error.message))
        }
        try PersistentStoreCoordinator.destroyPersistentStore(at: path)
    }
    return diagnostics
}

extension ModelMigration {
    /// A Boolean value that indicates whether somebody has written its statements, may still change them, and anybody
    /// can run them.
    package var canBeTried: Bool {
        changesStores && origin == .written && !hasStage && !diagnostics.contains { $0.severity == .error }
    }
}
