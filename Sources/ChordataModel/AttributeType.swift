/// The type of an attribute's value, spelled as in a model file.
public enum AttributeType: String, Sendable, Hashable, Codable, CaseIterable {
    /// No type: only a transient attribute may have it.
    case undefined = "Undefined"
    case integer16 = "Integer 16"
    case integer32 = "Integer 32"
    case integer64 = "Integer 64"
    /// A base-10 number of up to 38 digits, stored exactly.
    case decimal = "Decimal"
    case double = "Double"
    case float = "Float"
    case string = "String"
    case boolean = "Boolean"
    /// A point in time; seconds since 2001-01-01 00:00:00 UTC.
    case date = "Date"
    case binaryData = "Binary"
    case uuid = "UUID"
    case uri = "URI"
    /// A value of any type that a transformer or `Codable` converts to bytes.
    case transformable = "Transformable"
    /// A group of attributes declared once in the model.
    case composite = "Composite"
    /// An object ID; never occurs in a stored attribute.
    case objectID = "ObjectID"
}
