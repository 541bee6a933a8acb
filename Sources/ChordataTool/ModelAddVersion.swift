internal import ArgumentParser
internal import ChordataConfiguration
internal import ChordataGeneration
internal import ChordataModelFile
internal import Foundation

/// `chordata model add-version`.
struct ModelAddVersion: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add-version",
        abstract: "Adds a version to a model, as a copy of the current version.",
        discussion: """
            Example: chordata model add-version Shop.xcdatamodeld --current
            The name of the new version is the name of the model with the next number, such as 'Shop 2', unless --name gives another name. \
            Edit the new version and leave the older versions unchanged, because stores with these versions exist.
            """
    )

    @Argument(help: "The model, an .xcdatamodeld.") var model: String
    @Option(help: "The name of the new version.") var name: String?
    @Flag(help: "Makes the new version the current version.") var current = false

    func run() throws {
        var model = model
        while model.hasSuffix("/") { model.removeLast() }
        guard model.hasSuffix(".xcdatamodeld") else {
            throw misuse(
                "'\(model)' is not an .xcdatamodeld, so it cannot have several versions; give the path of an .xcdatamodeld"
            )
        }
        let (bundle, configuration) = try load(model)
        let names = bundle.versions.map(\.name) + bundle.unreadVersionNames
        let name = name ?? nextName(of: bundle, names)
        guard !name.isEmpty, !name.hasPrefix("."), !name.contains("/") else {
            throw misuse(
                "'\(name)' cannot be the name of a version, because each version is a folder; choose a name that is not "
                    + "empty, does not begin with a period, and contains no '/'"
            )
        }
        guard !names.contains(name) else {
            throw misuse("there is a version '\(name)' already; choose another name")
        }
        let source = "\(model)/\(bundle.currentVersion.name).xcdatamodel/contents"
        let folder = "\(model)/\(name).xcdatamodel"
        try orFail(writing: folder) {
            let contents = try Data(contentsOf: URL(fileURLWithPath: source))
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try contents.write(to: URL(fileURLWithPath: folder + "/contents"), options: .atomic)
        }
        // With several versions, the bundle must name the current one.
        try orFail(writing: model + "/.xccurrentversion") {
            try Data(currentVersionContents(current ? name : bundle.currentVersion.name).utf8)
                .write(to: URL(fileURLWithPath: model + "/.xccurrentversion"), options: .atomic)
        }
        print(folder)
        summarize(
            "added version '\(name)', a copy of '\(bundle.currentVersion.name)'"
                + (current
                    ? ", and made it the current version"
                    : "; without --current, '.xccurrentversion' still names the older version")
        )
        if configuration.configuration.versions != nil {
            printError("remark: add '\(name)' to 'versions' in \(bundle.configurationFileName)\n")
        }
    }

    /// Returns the model's name with the next number after those of the existing versions, as Xcode proposes it.
    private func nextName(of bundle: ModelBundle, _ names: [String]) -> String {
        let numbers = names.compactMap { name -> Int? in
            if name == bundle.name { return 1 }
            guard name.hasPrefix(bundle.name + " ") else { return nil }
            return Int(name.dropFirst(bundle.name.count + 1))
        }
        return "\(bundle.name) \((numbers.max() ?? 1) + 1)"
    }
}
