import ChordataModel

/// The type of a value for binding: values of one type can be compared with each other.
package enum ExpressionType: Sendable, Hashable {
    /// Integers, doubles, decimals and Booleans.
    case number
    case string, date, data, uuid, url
    /// Encoded values, which can only be compared with nil.
    case opaque
    /// Objects of one hierarchy.
    case object(rootEntityName: String)
    /// Always nil.
    case null

    /// The type of an attribute; `nil` for types that are never stored in a column.
    init?(_ attribute: AttributeDescription) {
        switch attribute.attributeType {
        case .integer16, .integer32, .integer64, .double, .float, .boolean, .decimal: self = .number
        case .string: self = .string
        case .date: self = .date
        case .binaryData: self = attribute.allowsExternalBinaryDataStorage ? .opaque : .data
        case .uuid: self = .uuid
        case .uri: self = .url
        case .transformable: self = .opaque
        case .undefined, .composite, .objectID: return nil
        }
    }

    /// The type of a constant; `nil` for a collection.
    init?(_ value: PredicateValue) {
        switch value {
        case .null: self = .null
        case .object(let reference): self = .object(rootEntityName: reference.rootEntityName)
        case .collection: return nil
        case .attribute(let attribute):
            switch attribute {
            case .integer, .double, .decimal, .boolean: self = .number
            case .string: self = .string
            case .date: self = .date
            case .data: self = .data
            case .uuid: self = .uuid
            case .url: self = .url
            }
        }
    }

    /// The type with its article, for messages.
    var description: String {
        switch self {
        case .number: "a number"
        case .string: "a string"
        case .date: "a date"
        case .data: "binary data"
        case .uuid: "a UUID"
        case .url: "a URL"
        case .opaque: "a Transformable or externally stored value"
        case .object: "an object"
        case .null: "nil"
        }
    }

    /// Returns the common type of both types, or `nil`.
    func merged(with other: ExpressionType) -> ExpressionType? {
        if self == other || other == .null { return self }
        return self == .null ? other : nil
    }

    /// Returns an attribute whose values have this type, for a variable that is compared with a computed value; `nil`
    /// for objects.
    func attribute(_ numberType: AttributeType) -> AttributeDescription? {
        let type: AttributeType
        switch self {
        case .number: type = numberType
        case .string: type = .string
        case .date: type = .date
        case .data: type = .binaryData
        case .uuid: type = .uuid
        case .url: type = .uri
        case .opaque, .object, .null: return nil
        }
        return AttributeDescription(name: "", attributeType: type)
    }
}
