import ChordataModel

/// Which values can be compared with each other.
enum ComparisonKind: Sendable, Hashable {
    /// Integers, doubles and booleans.
    case number
    case decimal, string, date, data, uuid, url
    /// Encoded values, which can only be compared with nil.
    case opaque
    /// Objects of one hierarchy.
    case object(rootEntityName: String)

    /// The kind of an attribute; `nil` for types that are never stored in a column.
    init?(_ attribute: AttributeDescription) {
        switch attribute.attributeType {
        case .integer16, .integer32, .integer64, .double, .float, .boolean: self = .number
        case .decimal: self = .decimal
        case .string: self = .string
        case .date: self = .date
        case .binaryData: self = attribute.allowsExternalBinaryDataStorage ? .opaque : .data
        case .uuid: self = .uuid
        case .uri: self = .url
        case .transformable: self = .opaque
        case .undefined, .composite, .objectID: return nil
        }
    }
}
