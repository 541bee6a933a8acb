internal import ArgumentParser
internal import ChordataMigration
internal import ChordataModel
internal import ChordataModelFile

/// `chordata diff`.
struct Diff: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Lists the changes between two models, or two versions of a model.",
        discussion: """
            Examples: chordata diff Done.xcdatamodeld (the current version and the one before it)
                      chordata diff Done.xcdatamodeld --from 'Done' --to 'Done 3'
                      chordata diff old/Done.xcdatamodeld new/Done.xcdatamodeld
            Elements with a renaming identifier are listed as renamed.
            """
    )

    @Argument(help: "The old model, or the model whose versions are compared.") var old: String
    @Argument(help: "The new model.") var new: String?
    @Option(
        help:
            "The version of the old model; by default its current version, or with one model the version before the new version."
    ) var from: String?
    @Option(help: "The version of the new model; the current version by default.") var to: String?
    @Option(help: "The output format: text or json.") var format = OutputFormat.text

    func run() throws {
        let oldBundle = try load(old).bundle
        let newBundle = try new.map { try load($0).bundle } ?? oldBundle
        let newVersion = newBundle.versions[try newBundle.index(ofVersion: to)]
        let oldVersion = try oldVersion(in: oldBundle, before: newVersion)
        let changes = compareModels(oldVersion.model, newVersion.model)
        switch format {
        case .text: print(renderText(changes, oldName: oldVersion.name, newName: newVersion.name), terminator: "")
        case .json: print(renderJSON(changes, oldName: oldVersion.name, newName: newVersion.name), terminator: "")
        }
    }

    /// The version that is named; of two models the current one, of one model that before the new version.
    private func oldVersion(in bundle: ModelBundle, before newVersion: ModelVersion) throws -> ModelVersion {
        guard from == nil, new == nil else { return bundle.versions[try bundle.index(ofVersion: from)] }
        guard let index = bundle.versions.firstIndex(where: { $0.name == newVersion.name }), index > 0 else {
            throw misuse(
                "there is no version before '\(newVersion.name)'; name a version with --from, or give a second model "
                    + "(\(bundle.orderExplanation))"
            )
        }
        return bundle.versions[index - 1]
    }
}
