@_spi(Generated) package import Chordata
package import ChordataMigrationFiles
internal import ChordataModel
package import ChordataModelFile

extension ModelDefinition {
    /// A model as a program has it whose current version is one of those of a bundle.
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
    /// A model as a program has it that knows of one step alone.
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
    /// A step as a program has it; `nil` where there is no way.
    fileprivate init?(_ step: ModelMigration) {
        guard let sql = step.sql else { return nil }
        self.init(
            source: step.source.name,
            sourceHash: step.source.model.versionHash,
            destination: step.destination.name,
            destinationHash: step.destination.model.versionHash,
            sql: sql,
            stage: step.hasStage
                ? Stage(
                    serializedSource: step.source.model.serialized(),
                    serializedDestination: step.destination.model.serialized()
                ) : nil
        )
    }
}

extension ModelBundle {
    /// The model as a program has it, with its migrations.
    package func makeDefinition(_ files: MigrationFiles) -> ModelDefinition {
        ModelDefinition(
            self,
            version: currentVersionIndex,
            migrations: migrations(from: 0, to: currentVersionIndex, files)
        )
    }
}
