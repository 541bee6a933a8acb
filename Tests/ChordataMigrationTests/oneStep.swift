@_spi(Generated) import Chordata
import ChordataModel

/// Returns a definition whose model 'M' has the versions '1' and '2', and the migration between them.
func oneStep(
    from source: ManagedObjectModel,
    to destination: ManagedObjectModel,
    _ sql: String,
    hasStage: Bool = false
) -> ModelDefinition {
    ModelDefinition(
        name: "M",
        versionName: "2",
        model: destination,
        migrations: [
            ModelDefinition.Migration(
                source: "1",
                sourceHash: source.versionHash,
                destination: "2",
                destinationHash: destination.versionHash,
                sql: sql,
                stage: hasStage
                    ? .init(serializedSource: source.serialized(), serializedDestination: destination.serialized())
                    : nil
            )
        ],
        versionNames: [source.versionHash: "1"]
    )
}
