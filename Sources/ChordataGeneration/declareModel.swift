internal import ChordataMigrationFiles
internal import ChordataModel
internal import ChordataModelFile
internal import ChordataSQL

/// The number of the runtime's `GeneratedCodeVersion` that generated code is for.
private let generatedCodeVersion = 5

/// Declares the enumeration that represents the model: its definition, its schema and the function that opens a store.
func declareModel(
    _ bundle: ModelBundle,
    _ migrations: [ModelMigration],
    _ context: GenerationContext
) -> SwiftDeclaration {
    let version = bundle.currentVersion
    let access = context.access
    let classes = version.model.entities.map { "\(context.namer.className(of: $0.name)).self" }
    let versionNames = bundle.versionNames.sorted { $0.key < $1.key }.map {
        "\(swiftLiteral($0.key)): \(swiftLiteral($0.value))"
    }
    // Without a list the runtime takes the order of the names, as the generator does.
    let versionOrder =
        bundle.isOrderListed
        ? "\n        versionOrder: [" + bundle.versions.map { swiftLiteral($0.name) }.joined(separator: ", ") + "],"
        : ""
    let steps = migrations.filter(\.changesStores).compactMap { step in
        step.sql.map { (step, $0) }
    }.map { step, sql in
        let stage = """
            ,
                        stage: Chordata.ModelDefinition.Migration.Stage(
                            serializedSource: \(swiftLiteral(step.source.model.serialized())),
                            serializedDestination: \(swiftLiteral(step.destination.model.serialized())))
            """
        return """
            Chordata.ModelDefinition.Migration(
                        source: \(swiftLiteral(step.source.name)), sourceHash: \(swiftLiteral(step.source.model.versionHash)),
                        destination: \(swiftLiteral(step.destination.name)), destinationHash: \(swiftLiteral(step.destination.model.versionHash)),
                        sql: \(swiftMultilineLiteral(sql, indentation: "                "))\(step.hasStage ? stage : ""))
            """
    }
    let definition = """
        Chordata.ModelDefinition(
                name: \(swiftLiteral(bundle.name)), versionName: \(swiftLiteral(version.name)),
                serializedModel: \(swiftLiteral(version.model.serialized())),
                classes: [\(classes.joined(separator: ", "))],
                versionNames: [\(versionNames.joined(separator: ", "))],\(versionOrder)
                migrations: [\(steps.joined(separator: ", "))])
        """
    let schema = renderSchema(makeSchemaMapping(of: version.model)).joined(separator: ";\n\n") + ";"
    return .type(
        SwiftTypeDeclaration(
            documentation: ["The model '\(bundle.name)', version '\(version.name)'."],
            introducer: access + "nonisolated enum",
            name: context.modelType,
            members: [
                .variable(
                    SwiftVariable(
                        documentation: [
                            "Fails to compile when the runtime is not the one this code was generated for."
                        ],
                        introducer: "private typealias",
                        name: "_GeneratedCode",
                        initialValue: "Chordata.GeneratedCodeVersion\(generatedCodeVersion)"
                    )
                ),
                .separated(
                    .variable(
                        SwiftVariable(
                            documentation: ["The model with its classes and migrations."],
                            introducer: access + "static let",
                            name: "definition",
                            initialValue: definition
                        )
                    )
                ),
                .separated(
                    .function(
                        SwiftFunction(
                            documentation: [
                                "Opens the store at a path or `:memory:`; creates it if needed, or migrates it from "
                                    + "any older version."
                            ],
                            introducer: access + "static func container",
                            parameters: [
                                "at path: Swift.String",
                                "options: Chordata.StoreOptions = Chordata.StoreOptions()",
                            ],
                            suffix: "throws(Chordata.StoreError) -> Chordata.PersistentContainer",
                            body: ["try Chordata.PersistentContainer(model: definition, path: path, options: options)"]
                        )
                    )
                ),
                .separated(
                    .variable(
                        SwiftVariable(
                            documentation: ["The SQL that creates the tables of a new store."],
                            introducer: access + "static let",
                            name: "schema",
                            initialValue: swiftMultilineLiteral(schema, indentation: "        ")
                        )
                    )
                ),
            ] + declareComposites(context)
        )
    )
}
