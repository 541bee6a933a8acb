internal import ChordataDiagnostics
internal import ChordataPredicate

// The settings of a configuration for generated code.

extension ConfigurationReader {
    private static let entityKeys = ["codegen", "class", "module"]

    mutating func readEntities(_ value: JSONSyntax) {
        for member in members(of: value, "'entities' must be an object of entity names and settings") {
            var entity = EntityConfiguration(location: member.keyLocation)
            for setting in members(of: member.value, "the settings of an entity must be an object") {
                switch setting.key {
                case "codegen": entity.codeGeneration = readChoice(setting.value, "codegen")
                case "class": entity.className = readIdentifier(setting.value, "class")
                case "module": entity.module = readIdentifier(setting.value, "module")
                default: unknownKey(setting, among: Self.entityKeys)
                }
            }
            configuration.entities[member.key] = entity
        }
    }

    mutating func readTypes(_ value: JSONSyntax) {
        for member in members(of: value, "'types' must be an object of class names and Swift types") {
            guard case .string(let text) = member.value.value, let type = parseSwiftType(text), type.canBeStored else {
                typeMismatch(
                    "a type must be a string such as '[String]' or 'MyModule.Color'; the type must conform to 'Codable', not contain 'Any', and not be optional",
                    at: member.value
                )
                continue
            }
            configuration.types[member.key] = type
        }
    }

    mutating func readImports(_ value: JSONSyntax) {
        guard case .array(let items) = value.value else {
            typeMismatch("'imports' must be an array of module names, not \(value.kind)", at: value)
            return
        }
        for item in items {
            guard let module = readIdentifier(item, "import"), !configuration.imports.contains(module) else { continue }
            configuration.imports.append(module)
        }
    }

    mutating func readStores(_ value: JSONSyntax) {
        guard case .array(let items) = value.value else {
            typeMismatch(
                "'stores' must be an array that contains 'sqlite', 'postgresql' or both, not \(value.kind)",
                at: value
            )
            return
        }
        for item in items {
            if let kind: StoreKind = readChoice(item, "stores") { configuration.stores.insert(kind) }
        }
    }

    /// Reads one of a few words.
    mutating func readChoice<Choice: RawRepresentable<String> & CaseIterable>(
        _ value: JSONSyntax,
        _ key: String
    ) -> Choice? {
        let words = Choice.allCases.map(\.rawValue)
        let known = words.dropLast().map { "'\($0)'" }.joined(separator: ", ") + " or '\(words.last ?? "")'"
        guard case .string(let text) = value.value else {
            typeMismatch("'\(key)' must be \(known), not \(value.kind)", at: value)
            return nil
        }
        if let choice = Choice(rawValue: text) { return choice }
        let near = nearestName(to: text, among: words).map { "; did you mean '\($0)'?" } ?? ""
        typeMismatch("'\(key)' must be \(known), not '\(shortened(text))'\(near)", at: value)
        return nil
    }

    /// Reads a name that is valid in Swift.
    mutating func readIdentifier(_ value: JSONSyntax, _ key: String) -> String? {
        if case .string(let text) = value.value, isSwiftIdentifier(text), !swiftKeywords.contains(text) { return text }
        typeMismatch(
            "'\(key)' must consist of ASCII letters, digits and underscores, not begin with a digit, and not be a "
                + "Swift keyword",
            at: value
        )
        return nil
    }

    mutating func members(of value: JSONSyntax, _ expectation: String) -> [JSONSyntax.Member] {
        guard case .object(let members) = value.value else {
            typeMismatch("\(expectation), not \(value.kind)", at: value)
            return []
        }
        return members
    }
}
