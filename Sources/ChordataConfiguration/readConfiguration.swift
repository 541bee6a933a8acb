package import ChordataDiagnostics
internal import ChordataPredicate

/// Reads a configuration.
///
/// All problems of a file are reported together; they are errors, because users rely on each setting.
///
/// - Parameter path: The path as the user gave it, for the locations of diagnostics.
/// - Returns: The configuration, or `nil` when there is an error, and the diagnostics.
package func readConfiguration(
    path: String,
    contents: [UInt8]
) -> (configuration: Configuration?, diagnostics: [Diagnostic]) {
    let file = JSONReader.read(path: path, contents: contents)
    var reader = ConfigurationReader(diagnostics: file.diagnostics)
    reader.configuration.fileName = String(path.split(separator: "/").last ?? "")
    reader.configuration.fileNameOfModel = reader.configuration.fileName
    if let value = file.value { reader.read(value) }
    let diagnostics = reader.diagnostics.sortedByLocation()
    return (diagnostics.hasErrors ? nil : reader.configuration, diagnostics)
}

/// Reads the settings from the values of a file.
struct ConfigurationReader {
    /// The possible keys of the file, in the order of the manual.
    private static let keys = [
        "$schema", "diagnostics", "access", "imports", "name", "codegen", "optionality", "entities", "types",
        "stores", "versions", "migrations",
    ]

    var configuration = Configuration()
    private(set) var diagnostics: [Diagnostic]

    init(diagnostics: [Diagnostic]) { self.diagnostics = diagnostics }

    mutating func read(_ file: JSONSyntax) {
        guard case .object(let members) = file.value else {
            typeMismatch("a configuration file must contain an object, such as '{}', not \(file.kind)", at: file)
            return
        }
        for member in members {
            switch member.key {
            case "$schema":
                guard case .string = member.value.value else {
                    typeMismatch("'$schema' must be a string, not \(member.value.kind)", at: member.value)
                    continue
                }
            case "diagnostics": readLevels(member.value)
            case "access": configuration.access = readChoice(member.value, "access")
            case "imports": readImports(member.value)
            case "name":
                configuration.name = readIdentifier(member.value, "name")
                configuration.nameLocation = member.keyLocation
            case "codegen": configuration.codeGeneration = readChoice(member.value, "codegen")
            case "optionality": configuration.optionality = readChoice(member.value, "optionality") ?? .model
            case "entities": readEntities(member.value)
            case "types": readTypes(member.value)
            case "stores": readStores(member.value)
            case "versions":
                configuration.versions = readVersions(member.value)
                configuration.versionsLocation = member.keyLocation
            case "migrations": readMigrations(member.value)
            default: unknownKey(member, among: Self.keys)
            }
        }
    }

    private mutating func readLevels(_ value: JSONSyntax) {
        guard case .object(let members) = value.value else {
            typeMismatch("'diagnostics' must be an object of ids and levels, not \(value.kind)", at: value)
            return
        }
        for member in members {
            let level = readLevel(member)
            guard let id = DiagnosticID(rawValue: member.key) else {
                let near =
                    nearID(member.key).map { "did you mean '\($0)'?" }
                    ?? "an id is printed in brackets after its message"
                unknown("there is no diagnostic '\(shortened(member.key))'; \(near)", at: member)
                continue
            }
            guard let level else { continue }
            if !id.canBeLowered, level != .error {
                let verb = level == .ignore ? "ignored" : "lowered to '\(level.rawValue)'"
                typeMismatch(
                    "'\(id.rawValue)' cannot be \(verb), because it reports a model from which Chordata cannot generate correct code; remove the setting and correct the model",
                    at: member.value
                )
                continue
            }
            configuration.diagnosticLevels[id] = level
        }
    }

    private mutating func readLevel(_ member: JSONSyntax.Member) -> DiagnosticLevel? {
        let levels = DiagnosticLevel.allCases.map(\.rawValue)
        let known = levels.dropLast().map { "'\($0)'" }.joined(separator: ", ") + " and '\(levels.last ?? "")'"
        guard case .string(let text) = member.value.value else {
            typeMismatch(
                "a level must be a string, not \(member.value.kind); the levels are \(known)",
                at: member.value
            )
            return nil
        }
        if let level = DiagnosticLevel(rawValue: text) { return level }
        let near = nearestName(to: text, among: levels).map { "; did you mean '\($0)'?" } ?? ""
        typeMismatch("there is no level '\(shortened(text))'; the levels are \(known)\(near)", at: member.value)
        return nil
    }

    /// Returns the id that a text is another spelling of.
    ///
    /// All ids are similar to one another, so guessing from similar digits would be misleading.
    private func nearID(_ text: String) -> String? {
        let digits = text.filter { $0.isASCII && $0.isNumber }
        guard (1...4).contains(digits.count), text.uppercased().filter(\.isLetter) == "CD" || text == digits else {
            return nil
        }
        return DiagnosticID(rawValue: "CD" + String(repeating: "0", count: 4 - digits.count) + digits)?.rawValue
    }

    // MARK: Problems

    mutating func unknownKey(_ member: JSONSyntax.Member, among keys: [String]) {
        let known =
            keys.count == 1
            ? "the key is '\(keys[0])'"
            : "the keys are " + keys.dropLast().map { "'\($0)'" }.joined(separator: ", ") + " and '\(keys.last ?? "")'"
        let near = nearestName(to: member.key, among: keys).map { "; did you mean '\($0)'?" } ?? ""
        unknown("there is no key '\(shortened(member.key))'; \(known)\(near)", at: member)
    }

    private mutating func unknown(_ message: String, at member: JSONSyntax.Member) {
        add(Diagnostic(.unknownConfigurationKey, message, at: member.keyLocation))
    }

    mutating func typeMismatch(_ message: String, at value: JSONSyntax) {
        add(Diagnostic(.invalidConfigurationValue, message, at: value.location))
    }

    private mutating func add(_ diagnostic: Diagnostic) {
        guard diagnostics.count <= JSONReader.problemLimit else { return }
        guard diagnostics.count < JSONReader.problemLimit else {
            let message = "too many problems; only the first \(JSONReader.problemLimit) are shown"
            return diagnostics.append(Diagnostic(.limitExceeded, message, at: diagnostic.location))
        }
        diagnostics.append(diagnostic)
    }
}
