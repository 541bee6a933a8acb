/// A Swift type, as a model or a configuration names it and as generated code writes it.
package indirect enum SwiftType: Sendable, Hashable {
    /// A type by its name with generic arguments; the names before the last one are its module or its enclosing types.
    case named([String], arguments: [SwiftType] = [])
    case array(SwiftType)
    case dictionary(key: SwiftType, value: SwiftType)
    case optional(SwiftType)

    /// Returns the optional of the type if the condition is true, otherwise the type.
    package func optional(if isOptional: Bool) -> SwiftType { isOptional ? .optional(self) : self }

    // MARK: Parts

    /// The types that the type consists of.
    private var components: [SwiftType] {
        switch self {
        case .named(_, let arguments): arguments
        case .array(let element): [element]
        case .dictionary(let key, let value): [key, value]
        case .optional(let wrapped): [wrapped]
        }
    }

    /// Returns a Boolean value that indicates whether the type or a type in it satisfies a condition.
    package func contains(where predicate: (SwiftType) -> Bool) -> Bool {
        predicate(self) || components.contains { $0.contains(where: predicate) }
    }

    /// Returns a Boolean value that indicates whether the name of the type or of a type in it is qualified by the name
    /// of a module.
    package func isQualified(by module: String) -> Bool { contains { $0.qualifier == module } }

    /// The first name of a qualified name: a module or an enclosing type.
    private var qualifier: String? {
        guard case .named(let path, _) = self, path.count > 1 else { return nil }
        return path.first
    }

    /// The name without generic arguments; `nil` for a type that is written with brackets or a question mark.
    private var path: [String]? {
        if case .named(let path, _) = self { path } else { nil }
    }

    // MARK: Kinds

    /// A Boolean value that indicates whether all parts of the type are types of Swift or Foundation.
    package var isStandard: Bool {
        !contains { type in type.path != nil && !standardModuleNames.contains(type.qualifier ?? "") }
    }

    /// A Boolean value that indicates whether the type contains `Any` or a similar type, which cannot be encoded.
    package var isUntyped: Bool { contains { untypedNames.contains($0.path?.last ?? "") } }

    /// A Boolean value that indicates whether the type contains a type of Swift that is not `Codable`, or that does not
    /// have the required number of generic arguments.
    private var isUncodable: Bool {
        contains { type in
            guard case .named(let path, let arguments) = type else { return false }
            let name = path.joined(separator: ".")
            return uncodable.contains(name) || argumentCounts[name].map { $0 != arguments.count } ?? false
        }
    }

    /// A Boolean value that indicates whether the type contains a class of one of Apple's frameworks.
    package var hasFrameworkClass: Bool { contains { $0.path.map(isFrameworkClass) ?? false } }

    /// A Boolean value that indicates whether the type is an array or a dictionary.
    package var isCollection: Bool {
        switch self {
        case .array, .dictionary: true
        case .named, .optional: false
        }
    }

    /// A Boolean value that indicates whether the type as a whole is an optional.
    package var isOptional: Bool {
        if case .optional = self { true } else { false }
    }

    /// A Boolean value that indicates whether a value of the type can be stored; the attribute decides whether the
    /// value may be missing.
    package var canBeStored: Bool { !isUntyped && !isUncodable && !isOptional }

    // MARK: Text

    /// The type without the modules of Swift's and Foundation's types, as a diagram shows it.
    package var plainText: String { text(omittingModules: standardModuleNames) }

    private func text(omittingModules omitted: Set<String>) -> String {
        func text(_ type: SwiftType) -> String { type.text(omittingModules: omitted) }
        switch self {
        case .named(let path, let arguments):
            let isOmitted = qualifier.map(omitted.contains) ?? false
            let name = path.dropFirst(isOmitted ? 1 : 0).joined(separator: ".")
            return arguments.isEmpty ? name : "\(name)<\(arguments.map(text).joined(separator: ", "))>"
        case .array(let element): return "[\(text(element))]"
        case .dictionary(let key, let value): return "[\(text(key)): \(text(value))]"
        case .optional(let wrapped): return text(wrapped) + "?"
        }
    }
}

extension SwiftType: CustomStringConvertible {
    /// The type in Swift, as it is interpolated into code.
    package var description: String { text(omittingModules: []) }
}

/// The types whose values cannot be encoded.
let untypedNames: Set<String> = ["Any", "AnyObject", "AnyHashable"]

private let standardModuleNames = Set(standardModules.values)

/// Types of Swift that occur in models and are not `Codable`.
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
