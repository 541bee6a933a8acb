internal import ArgumentParser
internal import Chordata
internal import ChordataApple
internal import ChordataDiagnostics
internal import ChordataGeneration
internal import ChordataMigrationFiles
internal import ChordataModelFile
internal import ChordataVerification
internal import Foundation

/// `chordata import`.
struct Import: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Imports a store of Core Data into a new store.",
        discussion: """
            Examples: chordata import Default.sqlite --model Shop.xcdatamodeld --output shop.sqlite
                      chordata import Default.sqlite --output shop.sqlite
            The source and its write-ahead log are only read. Objects keep their keys and versions, and the store its \
            UUID, so URIs of objects remain valid. With a model, a store of an older version is imported at that version \
            and then migrated to the current one; without a model, the store's own model is used. Values that cannot be \
            represented are listed before anything is written, and are errors unless they are accepted. Persistent \
            history and the metadata of the app are not imported.
            """
    )

    @Argument(help: "The store of Core Data.") var store: String
    @Option(name: .shortAndLong, help: "The path of the new store.") var output: String
    @Option(help: "The model of the app, an .xcdatamodeld.") var model: String?
    @Option(
        help:
            "A property, 'Entity.property', whose values may be left out if they cannot be represented, or an entity without a superentity, in whose table the rows of unknown entities may be left out; repeat the option for more."
    )
    var accept: [String] = []
    @Option(help: "The output format: text or json.") var format = OutputFormat.text

    func run() throws {
        try requireStoreFile(at: store)
        let source = try model.map { try loadDefinition($0) }
        let imported: ImportedStore
        do {
            imported = try importCoreDataStore(
                at: store,
                to: output,
                versions: source?.versions ?? [],
                makeDefinition: { identified in
                    source?.definition
                        ?? ModelDefinition(name: modelName, versionName: modelName, model: identified.model)
                },
                acceptedLosses: Set(accept),
                options: StoreOptions(),
                progress: {
                    showProgress(Double($0.completedObjectCount) / Double(max($0.totalObjectCount, 1)), "import")
                }
            )
            clearProgress()
        } catch {
            clearProgress()
            printError("error: \(escape("\(error)", with: .message))\n")
            throw ExitCode(1)
        }
        switch format {
        case .text: printText(imported)
        case .json: print(json(imported))
        }
    }

    /// The name of the model of a store that is imported with its own model, taken from the path of the new store.
    private var modelName: String {
        let name = URL(fileURLWithPath: output).deletingPathExtension().lastPathComponent
        return name.isEmpty ? "Model" : name
    }

    /// Reads the versions of a model and its definition with migrations, as `migrate run` uses it.
    private func loadDefinition(_ path: String) throws -> (versions: [NamedModel], definition: ModelDefinition) {
        let (bundle, configuration) = try load(path)
        let found = checkMigrations(
            of: bundle,
            configuration.migrationFiles,
            configuration: configuration.configuration,
            isStrict: configuration.isStrict
        )
        try report(found.diagnostics)
        return (namedModels(of: bundle), bundle.makeDefinition(configuration.migrationFiles))
    }

    // MARK: Output

    private func printText(_ imported: ImportedStore) {
        if let model {
            let migration =
                imported.sourceVersionName == imported.versionName
                ? "" : ", migrated to '\(imported.versionName)'"
            let name = URL(fileURLWithPath: model).lastPathComponent
            print(
                escape(
                    "Imported \(store) at version '\(imported.sourceVersionName)' of \(name)\(migration)",
                    with: .message
                )
            )
        } else {
            print(
                escape(
                    "Imported \(store) with the model in the store; 'chordata model extract' writes this model to a file",
                    with: .message
                )
            )
        }
        for (name, count) in imported.objectCounts.sorted(by: { $0.key < $1.key }) {
            print(escape("  \(name): \(count)", with: .message))
        }
        for (name, count) in imported.omittedCounts.sorted(by: { $0.key < $1.key }) {
            print(escape("Left out of \(name): \(count)", with: .message))
        }
    }

    private func json(_ imported: ImportedStore) -> String {
        func counts(_ counts: [String: Int]) -> String {
            jsonArray(
                counts.sorted { $0.key < $1.key }
                    .map { jsonObject([("name", jsonString($0.key)), ("count", "\($0.value)")]) }
            )
        }
        return jsonObject([
            ("version", "1"), ("storeUUID", jsonString(imported.storeUUID.uuidString)),
            ("sourceVersionName", jsonString(imported.sourceVersionName)),
            ("versionName", jsonString(imported.versionName)), ("entities", counts(imported.objectCounts)),
            ("omitted", counts(imported.omittedCounts)),
        ])
    }
}
