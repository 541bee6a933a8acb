/// A Swift type that a model or a configuration names.
package struct SwiftTypeName: Sendable, Hashable {
    /// As generated code writes it: types of Swift and Foundation with their module.
    package var text: String
    /// A Boolean value that indicates whether all of it is of Swift or Foundation.
    package var isStandard: Bool
    /// A Boolean value that indicates whether `Any` or the like occurs, of which nothing can be coded.
    package var isUntyped: Bool
    /// A Boolean value that indicates whether a type of Swift occurs that is not `Codable`, or has not the number of
    /// generic arguments that it needs.
    package var isUncodable: Bool
    /// A Boolean value that indicates whether a class of one of Apple's frameworks occurs.
    package var hasFrameworkClass: Bool
    /// A Boolean value that indicates whether the type as a whole is an optional one, in either spelling.
    package var isOptional: Bool { text.hasSuffix("?") }
    /// A Boolean value that indicates whether a value of the type can be kept; whether it may be missing is the
    /// attribute's business.
    package var canBeStored: Bool { !isUntyped && !isUncodable && !isOptional }
    /// The type without the modules of Swift's and Foundation's types, as a diagram shows it.
    package var plainText: String { text.replacing(/\b(?:Swift|Foundation)\./, with: "") }
}

/// Reads the name of a Swift type: names with dots and generic arguments, arrays, dictionaries, optionals.
///
/// The only way of text from a model to a type in Swift: what is not such a type is `nil`, so nothing else gets
/// through.
package func parseSwiftType(_ text: String) -> SwiftTypeName? {
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

    mutating func parseType(depth: Int) -> SwiftTypeName? {
        guard depth < 8, var type = take("[") ? parseCollection(depth) : parseName(depth) else { return nil }
        while take("?") { type.text += "?" }
        return type
    }

    private mutating func parseCollection(_ depth: Int) -> SwiftTypeName? {
        guard var type = parseType(depth: depth + 1) else { return nil }
        if take(":") {
            guard let value = parseType(depth: depth + 1) else { return nil }
            type = combined(type, value, "[\(type.text): \(value.text)]")
        } else {
            type.text = "[\(type.text)]"
        }
        return take("]") ? type : nil
    }

    private mutating func parseName(_ depth: Int) -> SwiftTypeName? {
        guard var name = takeIdentifier() else { return nil }
        var steps = 1
        while take(".") {
            guard let next = takeIdentifier() else { return nil }
            name += "." + next
            steps += 1
        }
        let known = steps == 1 ? standardModules[name] : nil
        var type = SwiftTypeName(
            text: known.map { "\($0).\(name)" } ?? name,
            isStandard: known != nil || name.hasPrefix("Swift.") || name.hasPrefix("Foundation."),
            isUntyped: untyped.contains(name.split(separator: ".").last.map(String.init) ?? name),
            isUncodable: false,
            hasFrameworkClass: isFrameworkClass(name)
        )
        var arguments: [String] = []
        if take("<") {
            repeat {
                guard let argument = parseType(depth: depth + 1) else { return nil }
                arguments.append(argument.text)
                type = combined(type, argument, type.text)
            } while take(",")
            guard take(">") else { return nil }
        }
        if uncodable.contains(type.text) { type.isUncodable = true }
        if let count = argumentCounts[type.text], count != arguments.count { type.isUncodable = true }
        // One type, one spelling.
        if type.text == "Swift.Optional", arguments.count == 1 {
            type.text = arguments[0] + "?"
        } else if !arguments.isEmpty {
            type.text += "<\(arguments.joined(separator: ", "))>"
        }
        return type
    }

    private func combined(_ left: SwiftTypeName, _ right: SwiftTypeName, _ text: String) -> SwiftTypeName {
        SwiftTypeName(
            text: text,
            isStandard: left.isStandard && right.isStandard,
            isUntyped: left.isUntyped || right.isUntyped,
            isUncodable: left.isUncodable || right.isUncodable,
            hasFrameworkClass: left.hasFrameworkClass || right.hasFrameworkClass
        )
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
        guard isSwiftIdentifier(identifier), !swiftKeywords.contains(identifier) || untyped.contains(identifier) else {
            return nil
        }
        position += name.count
        skipBlanks()
        return identifier
    }
}

private let untyped: Set<String> = ["Any", "AnyObject", "AnyHashable"]

/// Types of Swift that models name and that are not `Codable`.
private let uncodable: Set<String> = [
    "Swift.Character", "Swift.Substring", "Swift.StaticString", "Swift.Void", "Swift.Error", "Swift.Result",
]

/// The numbers of generic arguments of the types of Swift and Foundation that generated code writes in full.
private let argumentCounts: [String: Int] = {
    var counts: [String: Int] = [:]
    for (name, module) in standardModules { counts["\(module).\(name)"] = 0 }
    for name in ["Array", "ClosedRange", "Optional", "Range", "Set"] { counts["Swift.\(name)"] = 1 }
    counts["Swift.Dictionary"] = 2
    return counts
}()

/// Types that are written with their module, because a model may have entities of the same names.
private let standardModules: [String: String] = {
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
