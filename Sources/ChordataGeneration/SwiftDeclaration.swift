/// Swift declarations as values: what the passes make and ``renderSwift(_:)`` prints.
indirect enum SwiftDeclaration: Hashable {
    case type(SwiftTypeDeclaration)
    case variable(SwiftVariable)
    case function(SwiftFunction)
    /// A case of an enumeration, as written.
    case line(String)
    /// Declarations with an empty line before them.
    case separated(SwiftDeclaration)
}

/// A class, struct, enum or extension.
struct SwiftTypeDeclaration: Hashable {
    var documentation: [String] = []
    /// `final class`, `struct`, `extension`, with all modifiers.
    var introducer: String
    var name: String
    var inherits: [String] = []
    var members: [SwiftDeclaration] = []
}

/// A stored property, or with a getter a computed one.
struct SwiftVariable: Hashable {
    var documentation: [String] = []
    /// `var`, `static let`, with all modifiers.
    var introducer: String
    var name: String
    var type: String?
    var initialValue: String?
    /// The body of the getter, on one line.
    var getter: String?
    /// The body of the setter, on one line.
    var setter: String?
}

/// A function or an initializer.
struct SwiftFunction: Hashable {
    var documentation: [String] = []
    /// All up to the opening parenthesis.
    var introducer: String
    var parameters: [String] = []
    /// The text between the parameters and the body, such as `-> Int`.
    var suffix: String = ""
    var body: [String]
}

/// A file of Swift.
struct SwiftFile: Hashable {
    var header: [String]
    var imports: [String]
    var declarations: [SwiftDeclaration]
}

extension SwiftDeclaration {
    /// Returns a Boolean value that indicates whether other modules see a type of a module here whose types are
    /// qualified by its name.
    func shows(_ module: String) -> Bool {
        func isVisible(_ introducer: String) -> Bool {
            introducer.split(separator: " ").contains { $0 == "public" || $0 == "open" }
        }
        func names(_ text: String) -> Bool { text.contains("\(module).") }
        return switch self {
        // An extension has no access level, and nothing in a private type is public.
        case .type(let type): type.members.contains { $0.shows(module) }
        case .variable(let variable): isVisible(variable.introducer) && names(variable.type ?? "")
        case .function(let function):
            isVisible(function.introducer) && (function.parameters + [function.suffix]).contains(where: names)
        case .line: false
        case .separated(let declaration): declaration.shows(module)
        }
    }
}
