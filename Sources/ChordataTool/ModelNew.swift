internal import ArgumentParser
internal import ChordataDiagnostics
internal import ChordataModel
internal import ChordataModelFile
internal import Foundation

/// `chordata model new`.
struct ModelNew: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new",
        abstract: "Creates a model with one version.",
        discussion: """
            Example: chordata model new Sources/App/Shop --entity 'Item: title String, price Decimal?, sold Boolean = NO'
            creates Sources/App/Shop.xcdatamodeld. Attributes have Core Data's types; a question mark makes an attribute \
            optional. Add relationships in Xcode or in the XML, which the manual explains under 'The model file'.
            """
    )

    @Argument(help: "The path of the new model, with or without '.xcdatamodeld'.") var path: String
    @Option(
        name: .customLong("entity"),
        help: "An entity: its name, or its name and attributes as in the example; repeat the option for more."
    )
    var entities: [String] = []

    func run() throws {
        let path = path.hasSuffix(".xcdatamodeld") ? path : path + ".xcdatamodeld"
        let name = modelName(path)
        guard !name.isEmpty, !name.hasPrefix(".") else {
            throw misuse("'\(path)' has no name before '.xcdatamodeld'; add a name")
        }
        guard !FileManager.default.fileExists(atPath: path) else {
            throw misuse("\(path) exists already; to add a version to it, run 'chordata model add-version \(path)'")
        }
        var seen: Set<String> = []
        let declared = try entities.map { try parseEntity($0) }
        for entity in declared where !seen.insert(entity.name).inserted {
            throw misuse("entity '\(entity.name)' is given twice; remove one of the two")
        }
        let contents = try modelContents(declared)
        try writeNewModel(at: path, name: name, contents: contents)
        print(path)
        summarize("created \(path) with \(counted(declared.count, "entity", plural: "entities"))")
    }

    private func modelName(_ path: String) -> String {
        let last = path.split(separator: "/").last ?? ""
        return String(last.dropLast(".xcdatamodeld".count))
    }

    /// The file of the version, as Xcode writes it.
    private func modelContents(_ entities: [NewEntity]) throws -> [UInt8] {
        let elements = entities.map { entity in
            let attributes = entity.attributes.map { attribute in
                let optional = attribute.isOptional ? #" optional="YES""# : ""
                let value =
                    attribute.defaultValue.map { #" defaultValueString="\#(escape($0, with: .xmlAttribute))""# } ?? ""
                let scalar = attribute.type.isScalar ? #" usesScalarValueType="YES""# : ""
                return
                    #"<attribute name="\#(attribute.name)"\#(optional) attributeType="\#(attribute.type.rawValue)"\#(value)\#(scalar)/>"#
            }
            return
                #"<entity name="\#(entity.name)" representedClassName="\#(entity.name)" syncable="YES" codeGenerationType="class">"#
                + attributes.joined() + "</entity>"
        }
        let text =
            #"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>"#
            + #"<model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" lastSavedToolsVersion="22758" "#
            + #"systemVersion="23F79" minimumToolsVersion="Automatic" sourceLanguage="Swift" "#
            + #"userDefinedModelVersionIdentifier="">"# + elements.joined() + "</model>"
        let file = ModelSourceFile(path: "contents", contents: Array(text.utf8))
        let formatted = formatModel(file)
        try report(formatted.diagnostics)
        guard let contents = formatted.contents else { throw ExitCode(1) }
        // These are the same checks as for every model: names, defaults.
        let source = ModelBundleSource(
            path: "",
            versions: [.init(name: "", file: .init(path: "--entity", contents: contents))]
        )
        var found = readModelBundle(source, version: nil).diagnostics
        // A new model has no reason for an invalid default, so the warnings are errors here.
        for index in found.indices where found[index].severity == .warning { found[index].severity = .error }
        try report(found)
        return contents
    }
}

/// An entity as the option `--entity` describes it.
private struct NewEntity {
    struct Attribute {
        var name: String
        var type: AttributeType
        var isOptional: Bool
        var defaultValue: String?
    }

    var name: String
    var attributes: [Attribute] = []
}

/// Reads `Item` or `Item: title String, price Decimal?, sold Boolean = NO`.
private func parseEntity(_ text: String) throws -> NewEntity {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    var entity = NewEntity(name: trimmed(parts[0]))
    try requireName(entity.name, of: "entity")
    guard parts.count == 2, !trimmed(parts[1]).isEmpty else { return entity }
    for part in parts[1].split(separator: ",", omittingEmptySubsequences: false) {
        let sides = part.split(separator: "=", maxSplits: 1)
        let words = (sides.first ?? "").split(separator: " ")
        guard words.count >= 2 else {
            throw misuse(
                "'\(trimmed(part))' of entity '\(entity.name)' is not an attribute; write a name and a type, such as 'title String'"
            )
        }
        var typeName = words.dropFirst().joined(separator: " ")
        let isOptional = typeName.hasSuffix("?")
        if isOptional { typeName = trimmed(typeName.dropLast()) }
        let attribute = NewEntity.Attribute(
            name: String(words[0]),
            type: try attributeType(typeName, of: String(words[0])),
            isOptional: isOptional,
            defaultValue: sides.count == 2 ? trimmed(sides[1]) : nil
        )
        try requireName(attribute.name, of: "attribute")
        entity.attributes.append(attribute)
    }
    return entity
}

private func attributeType(_ text: String, of attribute: String) throws -> AttributeType {
    let types = AttributeType.allCases.filter { attributeTypeNames.contains($0.rawValue) && $0 != .composite }
    if let type = types.first(where: { $0.rawValue == text }) { return type }
    let suggestion = suggestAttributeType(for: text).map { "; did you mean '\($0.rawValue)'?" } ?? ""
    throw misuse(
        "attribute '\(attribute)' has unknown type '\(text)' (the types are "
            + types.map(\.rawValue).sorted().joined(separator: ", ") + ")" + suggestion
    )
}

private func requireName(_ name: String, of kind: String) throws {
    guard let first = name.first, first.isLetter || first == "_",
        name.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" })
    else {
        throw misuse(
            "'\(name)' cannot be the name of an \(kind); use ASCII letters, digits and underscores, not beginning with a digit"
        )
    }
}

private func trimmed(_ text: some StringProtocol) -> String { text.trimmingCharacters(in: .whitespaces) }

extension AttributeType {
    /// A Boolean value that indicates whether Xcode gives a new attribute of the type a scalar property.
    fileprivate var isScalar: Bool {
        switch self {
        case .integer16, .integer32, .integer64, .double, .float, .boolean: true
        default: false
        }
    }
}

/// Writes a model with one version, or ends the command.
func writeNewModel(at path: String, name: String, contents: [UInt8]) throws {
    try orFail(writing: path) {
        let version = "\(path)/\(name).xcdatamodel"
        try FileManager.default.createDirectory(atPath: version, withIntermediateDirectories: true)
        try Data(contents).write(to: URL(fileURLWithPath: version + "/contents"), options: .atomic)
        try Data(currentVersionContents(name).utf8)
            .write(to: URL(fileURLWithPath: path + "/.xccurrentversion"), options: .atomic)
    }
}

/// The file `.xccurrentversion`, as Xcode writes it.
func currentVersionContents(_ version: String) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0">
    <dict>
    \t<key>_XCCurrentVersionName</key>
    \t<string>\(escape(version, with: .xmlText)).xcdatamodel</string>
    </dict>
    </plist>

    """
}
