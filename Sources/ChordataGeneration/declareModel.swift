internal import ChordataConfiguration
internal import ChordataMigrationFiles
internal import ChordataModel
internal import ChordataModelFile
internal import ChordataSQL

/// The number of the runtime's `GeneratedCodeVersion` that generated code is for.
private let generatedCodeVersion = 5

/// Declares the class that represents the model: its definition, its schema and the function that opens a store.
///
/// It has no instances. It is a class and not an enumeration, because the optimizer removes the metadata of an
/// enumeration that is not public and has no uses in its module, but never that of a class: the module `CoreData` finds
/// generated models in the type metadata of the program.
func declareModel(
    _ bundle: ModelBundle,
    _ migrations: [ModelMigration],
    _ context: GenerationContext
) -> SwiftDeclaration {
    let version = bundle.currentVersion
    let schema = renderSchema(makeSchemaMapping(of: version.model)).joined(separator: ";\n\n") + ";"
    return .type(
        SwiftTypeDeclaration(
            documentation: ["The model '\(bundle.name)', version '\(version.name)'."],
            access: context.access,
            modifiers: [.nonisolated, .final],
            kind: .class,
            name: context.modelType,
            inherits: [.chordata("GeneratedModel")],
            members: [
                .typealias(
                    SwiftTypealias(
                        documentation: [
                            "Fails to compile when the runtime is not the one this code was generated for."
                        ],
                        access: .private,
                        name: "_GeneratedCode",
                        type: .chordata("GeneratedCodeVersion\(generatedCodeVersion)")
                    )
                ),
                .separated(.function(SwiftFunction(access: .private, kind: .initializer, parameters: [], body: []))),
                .separated(
                    .variable(
                        SwiftVariable(
                            documentation: ["The model with its classes and migrations."],
                            access: context.access,
                            modifiers: [.static],
                            kind: .let,
                            name: "definition",
                            initialValue: makeDefinition(bundle, migrations, context)
                        )
                    )
                ),
                .separated(.function(declareContainer(context))),
                .separated(
                    .variable(
                        SwiftVariable(
                            documentation: ["The SQL that creates the tables of a new store."],
                            access: context.access,
                            modifiers: [.static],
                            kind: .let,
                            name: "schema",
                            initialValue: .multilineString(schema)
                        )
                    )
                ),
            ] + declareComposites(context)
        )
    )
}

private func makeDefinition(
    _ bundle: ModelBundle,
    _ migrations: [ModelMigration],
    _ context: GenerationContext
) -> SwiftExpression {
    let version = bundle.currentVersion
    let classes = version.model.entities.map { SwiftExpression.source("\(context.namer.classType(of: $0.name)).self") }
    let versionNames = bundle.versionNames.sorted { $0.key < $1.key }.map {
        SwiftDictionaryElement(key: .string($0.key), value: .string($0.value))
    }
    var lines = [
        [SwiftArgument("name", .string(bundle.name)), SwiftArgument("versionName", .string(version.name))],
        [SwiftArgument("serializedModel", .string(version.model.serialized()))],
        [SwiftArgument("classes", .array(classes))],
        [SwiftArgument("versionNames", .dictionary(versionNames))],
    ]
    // Without a list, the runtime orders the versions by their names, as the generator does.
    if bundle.isOrderListed {
        lines.append([SwiftArgument("versionOrder", .array(bundle.versions.map { .string($0.name) }))])
    }
    // Code for Core Data opens stores of older versions, for example to compare them with the current one.
    if context.configuration.optionality == .coreData, bundle.versions.count > 1 {
        let others = bundle.versions.filter { $0.name != version.name }.map {
            SwiftDictionaryElement(key: .string($0.name), value: .string($0.model.serialized()))
        }
        lines.append([SwiftArgument("serializedVersions", .dictionary(others))])
    }
    lines.append([SwiftArgument("migrations", .array(migrations.filter(\.changesStores).compactMap(makeMigration)))])
    return .call(SwiftCall(name: "Chordata.ModelDefinition", argumentLines: lines))
}

private func makeMigration(_ step: ModelMigration) -> SwiftExpression? {
    guard let sql = step.sql else { return nil }
    var lines = [
        [
            SwiftArgument("source", .string(step.source.name)),
            SwiftArgument("sourceHash", .string(step.source.model.versionHash)),
        ],
        [
            SwiftArgument("destination", .string(step.destination.name)),
            SwiftArgument("destinationHash", .string(step.destination.model.versionHash)),
        ],
        [SwiftArgument("sql", .multilineString(sql))],
    ]
    if let sql = step.postgresSQL { lines.append([SwiftArgument("postgresSQL", .multilineString(sql))]) }
    if step.hasStage {
        let models = [
            [SwiftArgument("serializedSource", .string(step.source.model.serialized()))],
            [SwiftArgument("serializedDestination", .string(step.destination.model.serialized()))],
        ]
        let stage = SwiftCall(name: "Chordata.ModelDefinition.Migration.Stage", argumentLines: models)
        lines.append([SwiftArgument("stage", .call(stage))])
    }
    return .call(SwiftCall(name: "Chordata.ModelDefinition.Migration", argumentLines: lines))
}

private func declareContainer(_ context: GenerationContext) -> SwiftFunction {
    SwiftFunction(
        documentation: [
            "Opens the store at a path or `:memory:`; creates it if needed, or migrates it from any older version."
        ],
        access: context.access,
        modifiers: [.static],
        kind: .function("container"),
        parameters: [
            SwiftParameter(label: "at", name: "path", type: .swift("String")),
            SwiftParameter(
                name: "options",
                type: .chordata("StoreOptions"),
                defaultValue: .source("Chordata.StoreOptions()")
            ),
        ],
        errorType: .chordata("StoreError"),
        resultType: .chordata("PersistentContainer"),
        body: ["try Chordata.PersistentContainer(model: definition, path: path, options: options)"]
    )
}
