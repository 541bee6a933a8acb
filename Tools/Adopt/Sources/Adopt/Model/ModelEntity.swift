/// An entity of a model, with the parts that the rewriting needs.
struct ModelEntity: Equatable {
    let name: String
    /// The class as the model writes it, for example `Item`, `.Item` or `Shop.Item`.
    let representedClassName: String?
    let parent: String?
    let codegen: ModelCodegen
    /// The properties that the entity declares itself, by name.
    var properties: [String: ModelProperty]
}

/// The codegen setting of an entity in Xcode.
enum ModelCodegen {
    case classDefinition
    case category
    /// Manual/None, which is the absence of a setting in the file.
    case manual

    /// Creates the setting from the value of `codeGenerationType`.
    init(text: String?) {
        switch text {
        case "class": self = .classDefinition
        case "category": self = .category
        case _: self = .manual
        }
    }
}

/// A property of an entity.
struct ModelProperty: Equatable {
    enum Kind: Equatable {
        /// An attribute, with its type in the model, such as `Integer 16`.
        case attribute(type: String)
        case relationship(destination: String, isToMany: Bool, isOrdered: Bool)
        case fetchedProperty
    }

    let name: String
    let kind: Kind
    var userInfo: [String: String] = [:]
    /// A Boolean value that indicates whether the attribute has the setting `usesScalarValueType`.
    var isScalar = false

    /// A Boolean value that indicates whether the generated class has no such property.
    var isIgnored: Bool {
        let value = userInfo["mogenerator.ignore"] ?? userInfo["ignore"]
        return value.map { ["yes", "true", "1", ""].contains($0.lowercased()) } ?? false
    }
}
