internal import ChordataConfiguration

/// A Swift declaration as a value, which the passes create and ``renderSwift(_:)`` prints.
indirect enum SwiftDeclaration: Hashable {
    case type(SwiftTypeDeclaration)
    case `extension`(SwiftExtension)
    case `typealias`(SwiftTypealias)
    case variable(SwiftVariable)
    case function(SwiftFunction)
    /// A case of an enumeration, by its name.
    case enumerationCase(String)
    /// A declaration with an empty line before it.
    case separated(SwiftDeclaration)
}

/// A class, structure or enumeration.
struct SwiftTypeDeclaration: Hashable {
    /// The kind of type, by its keyword.
    enum Kind: String { case `class`, `struct`, `enum` }

    var documentation: [String] = []
    var access = SwiftAccess.internal
    var modifiers: Set<SwiftModifier> = []
    var kind: Kind
    var name: String
    var inherits: [SwiftType] = []
    var members: [SwiftDeclaration] = []
}

/// An extension; its members specify the access levels.
struct SwiftExtension: Hashable {
    var modifiers: Set<SwiftModifier> = []
    var extendedType: SwiftType
    /// The type that `Self` must be, for an extension of a protocol.
    var selfType: SwiftType?
    var members: [SwiftDeclaration] = []
}

/// Another name for a type.
struct SwiftTypealias: Hashable {
    var documentation: [String] = []
    var access = SwiftAccess.internal
    var name: String
    var type: SwiftType
}

/// A stored property, or a computed property if there is a getter.
struct SwiftVariable: Hashable {
    /// The kind of variable, by its keyword.
    enum Kind: String { case `let`, `var` }

    var documentation: [String] = []
    var attributes: [SwiftAttribute] = []
    var access = SwiftAccess.internal
    var modifiers: Set<SwiftModifier> = []
    /// The access level of the setter if it is different.
    var setterAccess: SwiftAccess?
    var kind: Kind
    var name: String
    var type: SwiftType?
    var initialValue: SwiftExpression?
    /// The body of the getter, on one line.
    var getter: String?
    /// The body of the setter, on one line.
    var setter: String?
}

/// A function or an initializer.
struct SwiftFunction: Hashable {
    /// A function with a name, or an initializer.
    enum Kind: Hashable {
        case function(String)
        case initializer
    }

    var documentation: [String] = []
    var attributes: [SwiftAttribute] = []
    var access = SwiftAccess.internal
    var modifiers: Set<SwiftModifier> = []
    var kind: Kind
    var parameters: [SwiftParameter] = []
    /// The type of the errors that it throws; `nil` for a function that does not throw.
    var errorType: SwiftType?
    /// The type of the result; `nil` for a function without a result.
    var resultType: SwiftType?
    var body: [String]
}

/// A parameter of a function.
struct SwiftParameter: Hashable {
    /// The label of the argument; `nil` if it is the name.
    var label: String?
    var name: String
    var isInout = false
    var type: SwiftType
    var defaultValue: SwiftExpression?
}

extension SwiftDeclaration {
    /// Returns a Boolean value that indicates whether other modules see a type here that is qualified by the name of a
    /// module.
    func shows(_ module: String) -> Bool {
        switch self {
        // An extension has no access level, and nothing in a private type is public.
        case .type(let type): type.members.contains { $0.shows(module) }
        case .extension(let declaration): declaration.members.contains { $0.shows(module) }
        case .typealias(let declaration):
            declaration.access.isVisibleToOtherModules && declaration.type.isQualified(by: module)
        case .variable(let variable):
            variable.access.isVisibleToOtherModules && variable.type?.isQualified(by: module) ?? false
        case .function(let function):
            function.access.isVisibleToOtherModules
                && function.signatureTypes.contains { $0.isQualified(by: module) }
        case .enumerationCase: false
        case .separated(let declaration): declaration.shows(module)
        }
    }
}

extension SwiftFunction {
    /// The types that a caller sees.
    fileprivate var signatureTypes: [SwiftType] { parameters.map(\.type) + [errorType, resultType].compactMap { $0 } }
}
