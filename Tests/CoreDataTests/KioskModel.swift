#if !canImport(Darwin)
    @_spi(Generated) import Chordata
    import ChordataModel

    /// A model with two versions, as generated code has it.
    enum KioskModel: GeneratedModel {
        private static let first = "M\t1.0\nE\tItem\nA\tname\tString\toptional=1"
        private static let second =
            "M\t2.0\nE\tItem\nA\tname\tString\toptional=1\nA\tprice\tInteger 32\toptional=1"

        static let definition: ModelDefinition = {
            guard let old = try? ManagedObjectModel(serialized: first),
                let new = try? ManagedObjectModel(serialized: second)
            else { preconditionFailure("the models of the test are not valid") }
            return ModelDefinition(
                name: "Kiosk",
                versionName: "Kiosk 2",
                serializedModel: second,
                classes: [],
                versionNames: [old.versionHash: "Kiosk", new.versionHash: "Kiosk 2"],
                serializedVersions: ["Kiosk": first],
                migrations: [
                    ModelDefinition.Migration(
                        source: "Kiosk",
                        sourceHash: old.versionHash,
                        destination: "Kiosk 2",
                        destinationHash: new.versionHash,
                        sql: "ALTER TABLE \"Item\" ADD COLUMN \"price\" INTEGER;"
                    )
                ]
            )
        }()
    }
#endif
