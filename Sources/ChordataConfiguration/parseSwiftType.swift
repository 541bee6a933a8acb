/// Reads the name of a Swift type: names with dots and generic arguments, arrays, dictionaries, optionals.
///
/// Texts of a model become types in generated code only through this function, which returns `nil` for any text that is
/// not such a type.
package func parseSwiftType(_ text: String) -> SwiftType? {
    var parser = SwiftTypeParser(text: Array(text.utf8))
    guard text.utf8.count <= 256, let type = parser.parseType(depth: 0), parser.isAtEnd else { return nil }
    return type
}

private struct SwiftTypeParser {
    let text: [UInt8]
    private var position = 0

    init(text: [UInt8]) { self.text = text }

    var isAtEnd: Bool { position == text.count }

    private mutating func skipBlanks() {
        while position < text.count, text[position] == 32 { position += 1 }
    }

    mutating func parseType(depth: Int) -> SwiftType? {
        guard depth < 8, var type = take("[") ? parseCollection(depth) : parseName(depth) else { return nil }
        while take("?") { type = .optional(type) }
        return type
    }

    private mutating func parseCollection(_ depth: Int) -> SwiftType? {
        guard var type = parseType(depth: depth + 1) else { return nil }
        if take(":") {
            guard let value = parseType(depth: depth + 1) else { return nil }
            type = .dictionary(key: type, value: value)
        } else {
            type = .array(type)
        }
        return take("]") ? type : nil
    }

    private mutating func parseName(_ depth: Int) -> SwiftType? {
        guard let first = takeIdentifier() else { return nil }
        var path = [first]
        while take(".") {
            guard let next = takeIdentifier() else { return nil }
            path.append(next)
        }
        if path.count == 1, let module = standardModules[first] { path.insert(module, at: 0) }
        var arguments: [SwiftType] = []
        if take("<") {
            repeat {
                guard let argument = parseType(depth: depth + 1) else { return nil }
                arguments.append(argument)
            } while take(",")
            guard take(">") else { return nil }
        }
        // Each type has only one spelling.
        if path == ["Swift", "Optional"], arguments.count == 1 { return .optional(arguments[0]) }
        return .named(path, arguments: arguments)
    }

    private mutating func take(_ character: Character) -> Bool {
        skipBlanks()
        guard position < text.count, text[position] == character.asciiValue else { return false }
        position += 1
        skipBlanks()
        return true
    }

    private mutating func takeIdentifier() -> String? {
        skipBlanks()
        let rest = text[position...]
        let name = rest.prefix {
            (65...90).contains($0) || (97...122).contains($0) || (48...57).contains($0) || $0 == 95
        }
        let identifier = String(decoding: name, as: UTF8.self)
        guard isSwiftIdentifier(identifier),
            !swiftKeywords.contains(identifier) || untypedNames.contains(identifier)
        else { return nil }
        position += name.count
        skipBlanks()
        return identifier
    }
}

/// Types that are written with their module, because a model may have entities of the same names.
let standardModules: [String: String] = {
    let swift = [
        "Array", "Bool", "Character", "Dictionary", "Double", "Float", "Int", "Int8", "Int16", "Int32", "Int64",
        "Optional",
        "Range", "ClosedRange", "Set", "StaticString", "String", "Substring", "Void", "UInt", "UInt8", "UInt16",
        "UInt32", "UInt64",
    ]
    let foundation = [
        "Calendar", "CharacterSet", "Data", "Date", "DateComponents", "DateInterval", "Decimal", "IndexPath",
        "IndexSet",
        "Locale", "TimeInterval", "TimeZone", "URL", "URLComponents", "UUID",
    ]
    var modules: [String: String] = [:]
    for name in swift { modules[name] = "Swift" }
    for name in foundation { modules[name] = "Foundation" }
    return modules
}()
