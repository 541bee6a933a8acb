@_spi(Generated) package import Chordata
package import ChordataMigrationFiles
internal import ChordataModel
package import ChordataModelFile

extension ModelDefinition {
    /// Creates the definition that generated code would have if the given version were the current one of the bundle.
    package init(_ bundle: ModelBundle, version index: Int, migrations: [ModelMigration]) {
        self.init(
            name: bundle.name,
            versionName: bundle.versions[index].name,
            model: bundle.versions[index].model,
            migrations: migrations.filter(\.changesStores).compactMap { Migration($0) },
            versionNames: bundle.versionNames,
            versionOrder: bundle.isOrderListed ? bundle.versions.map(\.name) : []
        )
    }
}

extension ModelDefinition {
    /// Creates a model definition that has only one migration, that of a step.
    init(_ bundle: ModelBundle, step: ModelMigration) {
        self.init(
            name: bundle.name,
            versionName: step.destination.name,
            model: step.destination.model,
            migrations: [Migration(step)].compactMap(\.self),
            versionNames: bundle.versionNames,
            versionOrder: bundle.isOrderListed ? bundle.versions.map(\.name) : []
        )
    }
}

extension ModelDefinition.Migration {
    /// Creates the migration of a step; `nil` if the step has no migration.
    fileprivate init?(_ step: ModelMigration) {
        guard let sql = step.sql else { return nil }
        self.init(
            source: step.source.name,
            sourceHash: step.source.model.versionHash,
            destination: step.destination.name,
            destinationHash: step.destination.model.versionHash,
            sql: sql,
            postgresSQL: step.postgresSQL,
            stage: step.hasStage
                ? Stage(
                    serializedSource: step.source.model.serialized(),
                    serializedDestination: step.destination.model.serialized()
                ) : nil
        )
    }
}

extension ModelBundle {
    /// Returns the model definition that generated code has, with its migrations.
    package func makeDefinition(_ files: MigrationFiles) -> ModelDefinition {
        ModelDefinition(
            self,
            version: currentVersionIndex,
            migrations: migrations(from: 0, to: currentVersionIndex, files)
        )
    }
}
