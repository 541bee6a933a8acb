internal import ArgumentParser
internal import ChordataConfiguration
internal import ChordataDiagnostics
internal import ChordataFiles
internal import ChordataGeneration
internal import ChordataMigrationFiles
internal import ChordataModelFile
internal import Foundation

/// `chordata check`.
struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Checks all models of a package: the one command for continuous integration.",
        discussion: """
            Example: chordata check --format github
            The command runs the checks of 'validate', 'generate --check', 'migrate check' and 'migrate lint' for each \
            model that is given or, without arguments, for all models below the current folder. Generated code that is \
            checked in is found by its first line and compared with the model. Nothing is written. The exit code is 1 if there are errors, otherwise \
            2 if 'generate' or 'migrate new' would write files.
            """
    )

    @Argument(help: "The models; by default, all models below the current folder.") var models: [String] = []
    @Option(help: "The output format: text, json, or github for annotations of GitHub Actions.")
    var format = DiagnosticFormat.text
    @Flag(help: "Treats warnings as errors.") var strict = false

    func run() throws {
        let paths = models.isEmpty ? findModels(below: ".") : models
        guard !paths.isEmpty else {
            throw misuse(
                "there is no model below the current folder; give the path of a model, or create one with 'chordata model new'"
            )
        }
        var checked = paths.map { CheckedModel($0, isStrict: strict) }
        let generated = findGeneratedFolders(besides: paths)
        for folder in generated {
            // Two models with the same name generate into different folders; a folder belongs to the model with the
            // nearer path.
            let owner = checked.indices.filter { checked[$0].bundle?.name == folder.modelName }
                .max { commonPrefix(paths[$0], folder.path) < commonPrefix(paths[$1], folder.path) }
            if let owner { checked[owner].compare(folder) }
        }
        for index in checked.indices { try checked[index].checkMigrations(isStrict: strict) }
        // Models in the same folder share a configuration, whose problems are reported only once.
        var seen: Set<Diagnostic> = []
        let diagnostics = checked.flatMap(\.diagnostics).sortedByLocation().filter { seen.insert($0).inserted }
        let changes = checked.flatMap(\.changes)
        format.print(diagnostics)
        switch format {
        case .json:
            print(
                jsonObject([
                    ("version", "1"), ("diagnostics", jsonDiagnostics(diagnostics)),
                    ("changes", jsonArray(changes.map(\.json))),
                ])
            )
        case .text:
            for change in changes {
                print(change.path)
                printError(change.explanation)
            }
        case .github:
            for change in changes { print(change.annotation, terminator: "") }
        }
        let versionCount = checked.reduce(0) { $0 + ($1.bundle?.versions.count ?? 0) }
        summarize(
            "\(counted(paths.count, "model")), \(counted(versionCount, "version")), \(diagnostics.summary)"
                + (changes.isEmpty ? "" : ", \(counted(changes.count, "file")) not up to date")
        )
        if diagnostics.hasErrors { throw ExitCode(1) }
        if !changes.isEmpty { throw ExitCode(2) }
    }
}

/// A model with the diagnostics of all checks.
private struct CheckedModel {
    let path: String
    let bundle: ModelBundle?
    let configuration: GeneratorConfiguration
    private(set) var diagnostics: [Diagnostic]
    private(set) var changes: [FileChange] = []
    /// A Boolean value that indicates whether `migrate check` and `migrate lint` accept the model.
    ///
    /// They also accept a model if only its migrations have errors.
    private let acceptsMigrations: Bool

    init(_ path: String, isStrict: Bool) {
        let loaded = loadModel(at: path, configuration: GeneratorConfiguration(isStrict: isStrict))
        self.path = path
        bundle = loaded.bundle
        configuration = loaded.configuration
        diagnostics = loaded.diagnostics
        acceptsMigrations =
            loaded.bundle.map { checkModelErrors(of: $0, configuration: loaded.configuration).isEmpty } == true
            && !loaded.diagnostics.hasErrors
        if let bundle { diagnostics += checkBundle(bundle, configuration: configuration) }
    }

    /// Compares checked-in generated code with the code that would be generated now.
    mutating func compare(_ folder: GeneratedFolder) {
        // Warnings that are errors only because of `--strict` do not change the code.
        guard let bundle, acceptsMigrations,
            !diagnostics.contains(where: { $0.severity == .error && $0.id.severity == .error })
        else { return }
        // Infers the options with which the files were generated: the same number of files, and the access level with
        // the fewest differences, unless the configuration file sets it.
        let levels: [AccessLevel?] = configuration.configuration.access == nil ? [nil, .internal, .public] : [nil]
        let candidates = levels.compactMap {
            access -> (access: AccessLevel?, changes: FolderChanges)? in
            var configuration = configuration
            configuration.access = access
            configuration.shardCount = folder.shardCount
            configuration.isStrict = false
            let files = generateFiles(of: bundle, configuration: configuration).files
            guard let changes = try? FolderChanges(writing: files, ofModel: bundle.name, to: folder.path) else {
                return nil
            }
            return (access, changes)
        }
        guard let best = candidates.min(by: { $0.changes.names.count < $1.changes.names.count }) else { return }
        var words = ["chordata", "generate", shellWord(path), "--output", shellWord(folder.path)]
        if folder.shardCount != 1 { words += ["--shards", "\(folder.shardCount)"] }
        if let access = best.access { words += ["--access", access.rawValue] }
        let command = words.joined(separator: " ")
        for name in best.changes.names {
            changes.append(FileChange(generatedFile: name, in: folder.path, best.changes, command: command))
        }
    }

    /// Compares the migration files, and checks the effects of migrations on data.
    mutating func checkMigrations(isStrict: Bool) throws {
        guard let bundle, acceptsMigrations else { return }
        let files = configuration.migrationFiles
        let found = ChordataMigrationFiles.checkMigrations(
            of: bundle,
            files,
            configuration: configuration.configuration,
            isStrict: configuration.isStrict
        )
        diagnostics += found.diagnostics
        if found.diagnostics.haveModifiedReleases { return }
        diagnostics += try tryStatements(
            of: bundle.migrations(from: 0, to: bundle.currentVersionIndex, files),
            in: bundle,
            files
        )
        diagnostics +=
            lintMigrations(
                of: bundle,
                files,
                configuration: configuration.configuration,
                isStrict: configuration.isStrict
            ).diagnostics
        changes += found.fileNames.map { FileChange(migrationFile: $0, files, ofModel: path) }
    }
}

/// A folder with generated code of a model.
private struct GeneratedFolder {
    var path: String
    var modelName: String
    /// The number of files for the classes.
    var shardCount: Int
}

/// Finds the models below a folder as the plugins do: hidden folders and other packages are not searched.
private func findModels(below folder: String) -> [String] {
    var models: [String] = []
    walk(folder) { path, name in
        guard name.hasSuffix(".xcdatamodeld") || name.hasSuffix(".xcdatamodel") else { return true }
        models.append(path)
        return false
    }
    return models
}

/// Finds generated code in the packages of some models, or below the current folder for a model that is not in a
/// package.
private func findGeneratedFolders(besides models: [String]) -> [GeneratedFolder] {
    var found: [GeneratedFolder] = []
    for root in Set(models.map(packageFolder)).sorted() {
        var folders: [String: [(model: String, isShard: Bool)]] = [:]
        walk(root) { path, name in
            if name.hasSuffix(".xcdatamodeld") || name.hasSuffix(".xcdatamodel") { return false }
            if let model = generatedModelName(path, name) {
                let folder = String(path.dropLast(name.count + 1))
                folders[folder, default: []].append((model, name.contains("+Entities")))
            }
            return true
        }
        for (folder, files) in folders {
            for model in Set(files.map(\.model)) {
                let shards = files.filter { $0.model == model && $0.isShard }.count
                found.append(GeneratedFolder(path: folder, modelName: model, shardCount: max(1, shards)))
            }
        }
    }
    return found.sorted { ($0.path, $0.modelName) < ($1.path, $1.modelName) }
}

/// Returns the name of the model that a file was generated from; `nil` for other files.
private func generatedModelName(_ path: String, _ name: String) -> String? {
    guard name.hasSuffix(".swift"), let file = FileHandle(forReadingAtPath: path) else { return nil }
    defer { try? file.close() }  // It was only read.
    guard let beginning = try? file.read(upToCount: 400),
        let match = String(decoding: beginning, as: UTF8.self).prefixMatch(
            of: #/// Generated by Chordata from model '(.*?)'\. /#
        )
    else { return nil }
    return String(match.1)
}

/// Returns the folder of the package that contains a model; the current folder if no package contains it.
private func packageFolder(ofModel path: String) -> String {
    let start = URL(fileURLWithPath: path)
    var folder = start.deletingLastPathComponent()
    while folder.path != "/" {
        if FileManager.default.fileExists(atPath: folder.path + "/Package.swift") {
            let current = FileManager.default.currentDirectoryPath
            if folder.path == current { return "." }
            return folder.path.hasPrefix(current + "/") ? String(folder.path.dropFirst(current.count + 1)) : folder.path
        }
        folder.deleteLastPathComponent()
    }
    return "."
}

/// Visits the entries of a folder and of its subfolders, in the order of their names.
/// - Parameter visit: Returns whether the entry, if it is a folder, is searched too.
private func walk(_ folder: String, _ visit: (_ path: String, _ name: String) -> Bool) {
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else { return }
    for name in names.sorted() where !name.hasPrefix(".") {
        let path = folder == "." ? name : "\(folder)/\(name)"
        guard visit(path, name) else { continue }
        var isFolder: ObjCBool = false
        // Links are not followed, because they may point to a parent folder, and nested packages have their own checks.
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue,
            (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) == nil,
            !FileManager.default.fileExists(atPath: path + "/Package.swift")
        else { continue }
        walk(path, visit)
    }
}

/// Returns the number of components that two paths have in common at their beginning.
private func commonPrefix(_ left: String, _ right: String) -> Int {
    let components = [left, right].map { URL(fileURLWithPath: $0).pathComponents }
    return zip(components[0], components[1]).prefix { $0 == $1 }.count
}
