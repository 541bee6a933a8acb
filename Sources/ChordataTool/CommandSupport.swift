internal import ArgumentParser
internal import Chordata
internal import ChordataApple
internal import ChordataDiagnostics
internal import ChordataFiles
internal import ChordataGeneration
internal import ChordataMigrationFiles
internal import ChordataModelFile
internal import ChordataVerification
internal import Foundation

/// Reads a model, or prints its errors and ends the command: no command accepts a model that a build refuses.
///
/// - Parameter isBuild: A Boolean value that indicates whether the command itself makes all checks of a build.
func load(
    _ path: String,
    version: String? = nil,
    _ configuration: GeneratorConfiguration = GeneratorConfiguration(),
    isBuild: Bool = false
) throws -> (bundle: ModelBundle, configuration: GeneratorConfiguration) {
    try requireModelPath(path)
    let loaded = loadModel(at: path, version: version, configuration: configuration)
    try report(loaded.diagnostics)
    guard let bundle = loaded.bundle else { throw ExitCode(1) }
    if !isBuild { try report(checkModelErrors(of: bundle, configuration: loaded.configuration)) }
    return (bundle, loaded.configuration)
}

/// Reads a model, or prints its errors, as JSON if the command prints JSON, and ends the command.
///
/// - Parameters:
///   - parts: The other members of the JSON object with their empty values, which are printed with the errors.
///   - hasPostgresStores: Whether the steps have SQL for stores on PostgreSQL servers even if the configuration does
///     not name such stores.
/// - Returns: The model, its configuration, and the diagnostics that are not printed yet.
func load(
    _ path: String,
    _ format: OutputFormat,
    empty parts: [(String, String)],
    _ configuration: GeneratorConfiguration = GeneratorConfiguration(),
    version: String? = nil,
    hasPostgresStores: Bool = false
) throws -> (bundle: ModelBundle, configuration: GeneratorConfiguration, diagnostics: [Diagnostic]) {
    try requireModelPath(path)
    var loaded = loadModel(at: path, version: version, configuration: configuration)
    if hasPostgresStores { loaded.configuration.migrationFiles.hasPostgresStores = true }
    let diagnostics = try report(loaded.diagnostics, format, empty: parts)
    guard let bundle = loaded.bundle else { throw ExitCode(1) }
    let errors = checkModelErrors(of: bundle, configuration: loaded.configuration)
    return (bundle, loaded.configuration, diagnostics + (try report(errors, format, empty: parts)))
}

/// Ends the command if the argument for a model is a connection string.
///
/// No message contains the connection string.
private func requireModelPath(_ argument: String) throws {
    guard isConnectionString(argument) else { return }
    throw misuse(
        "this argument must be the path of a model, but it is a connection string; commands that also take a store have "
            + "the store as the second argument, or take the model with --model"
    )
}

/// Prints diagnostics on standard error, or returns them for the JSON of the command; ends the command if any is an
/// error.
func report(_ diagnostics: [Diagnostic], _ format: OutputFormat, empty parts: [(String, String)]) throws -> [Diagnostic]
{
    switch format {
    case .text:
        try report(diagnostics)
        return []
    case .json:
        guard diagnostics.hasErrors else { return diagnostics }
        print(jsonObject([("version", "1"), ("diagnostics", jsonDiagnostics(diagnostics))] + parts))
        throw ExitCode(1)
    }
}

/// Ends the command because its arguments contradict each other.
///
/// While a command runs, a `ValidationError` would be printed with the usage of the whole program.
func misuse(_ message: String) -> ExitCode {
    printError("Error: \(message)\n")
    return ExitCode.validationFailure
}

/// Prints diagnostics on standard error, and ends the command when there are errors among them.
func report(_ diagnostics: [Diagnostic]) throws {
    printError(renderText(diagnostics))
    if diagnostics.hasErrors { throw ExitCode(1) }
}

/// Writes to standard error.
func printError(_ text: String) {
    FileHandle.standardError.write(Data(text.utf8))
}

/// Writes to a file, or to standard output if `file` is `nil`.
func write(_ text: String, to file: String?) throws {
    guard let file else { return print(text, terminator: text.hasSuffix("\n") ? "" : "\n") }
    try orFail(writing: file) { try Data(text.utf8).write(to: URL(fileURLWithPath: file), options: .atomic) }
}

/// Ends the command if something cannot be written, with a message that has the path and the reason.
func orFail<Value>(writing path: String, _ body: () throws -> Value) throws -> Value {
    do {
        return try body()
    } catch {
        printError("error: \(path) cannot be written: \(error.localizedDescription)\n")
        throw ExitCode(1)
    }
}

/// Prints the error of a store and ends the command.
func orFail<Value>(_ body: () throws(StoreError) -> Value) throws -> Value {
    do throws(StoreError) {
        return try body()
    } catch {
        printError("error: \(error)\n")
        throw ExitCode(1)
    }
}

/// Prints the error of a store of Core Data and ends the command.
func orFail<Value>(_ body: () throws(CoreDataStoreError) -> Value) throws -> Value {
    do throws(CoreDataStoreError) {
        return try body()
    } catch {
        printError("error: \(escape("\(error)", with: .message))\n")
        throw ExitCode(1)
    }
}

/// Runs hand-written migrations on stores without objects.
func tryStatements(of steps: [ModelMigration], in bundle: ModelBundle, _ files: MigrationFiles) throws -> [Diagnostic] {
    let steps = steps.filter(\.canBeTried)
    guard !steps.isEmpty else { return [] }
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    return try orFail { () throws(StoreError) in
        try tryStatements(of: steps, in: bundle, files, folder: folder.path)
    }
}

extension ModelBundle {
    /// Returns the index of the version with a name, or of the current version if the name is `nil`.
    func index(ofVersion name: String?) throws -> Int {
        guard let name else { return currentVersionIndex }
        guard let index = versions.firstIndex(where: { $0.name == name }) else {
            if unreadVersionNames.contains(name) {
                throw misuse(
                    "version '\(name)' is in the format of an older Xcode, which is not supported; open the model in a later "
                        + "Xcode and save the version, or choose another version"
                )
            }
            let names = versions.map { "'\($0.name)'" }.joined(separator: ", ")
            throw misuse("there is no version '\(name)'; the versions are \(names)")
        }
        return index
    }
}

/// The output formats of commands.
enum OutputFormat: String, ExpressibleByArgument, CaseIterable {
    case text, json
}
