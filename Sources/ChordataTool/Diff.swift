internal import ArgumentParser
internal import ChordataApple
internal import ChordataDiagnostics
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
            Elements with a renaming identifier are listed as renamed. If there are changes, the last line says \
            whether Core Data opens stores of the old version with the new version without migration, according to the \
            version hashes of entities ('chordata hash').
            """
    )

    @Argument(help: "The old model, or the model whose versions are compared.") var old: String
    @Argument(help: "The new model.") var new: String?
    @Option(
        help:
            "The version of the old model; by default its current version or, if only one model is given, the version before the new version."
    ) var from: String?
    @Option(help: "The version of the new model; the current version by default.") var to: String?
    @Option(help: "The output format: text or json.") var format = OutputFormat.text

    func run() throws {
        let oldBundle = try load(old).bundle
        let newBundle = try new.map { try load($0).bundle } ?? oldBundle
        let newVersion = newBundle.versions[try newBundle.index(ofVersion: to)]
        let oldVersion = try oldVersion(in: oldBundle, before: newVersion)
        let changes = compareModels(oldVersion.model, newVersion.model)
        let (oldName, newName) = (oldVersion.name, newVersion.name)
        let compatibility = StoreCompatibility(VersionHashes(of: oldVersion.model), VersionHashes(of: newVersion.model))
        switch format {
        case .text:
            print(renderText(changes, oldName: oldName, newName: newName), terminator: "")
            if changes.isEmpty { return }
            print(escape(compatibility.explanation(oldName: oldName, newName: newName), with: .message))
        case .json:
            let members = [("coreDataCompatibility", json(compatibility))]
            print(renderJSON(changes, oldName: oldName, newName: newName, members: members), terminator: "")
        }
    }

    private func json(_ compatibility: StoreCompatibility) -> String {
        let (result, names): (String, [String]) =
            switch compatibility {
            case .compatible: ("compatible", [])
            case .incompatible(let names): ("incompatible", names)
            case .unknown(let names): ("unknown", names)
            }
        return jsonObject([("result", jsonString(result)), ("entityNames", jsonArray(names.map(jsonString)))])
    }

    /// Returns the version that the option names.
    ///
    /// Without the option, it is the current version if there are two models, and otherwise the version before the new
    /// one.
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
