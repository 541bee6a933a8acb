package import ChordataModel
internal import ChordataPredicate

/// The names of the attribute types that a model file can have, in alphabetical order, for messages.
package let attributeTypeNames: [String] =
    AttributeType.allCases.filter { $0 != .undefined && $0 != .objectID }.map(\.rawValue).sorted()

/// Returns the attribute type that was most likely meant by another text.
/// - Parameter text: a misspelt type, or the name of a type in Swift, SQL or Objective-C.
/// - Returns: The type; `nil` when no type is similar.
package func suggestAttributeType(for text: String) -> AttributeType? {
    if let type = otherTypeNames[text.lowercased()] { return type }
    return nearestName(to: text, among: attributeTypeNames).flatMap { AttributeType(rawValue: $0) }
}

private let otherTypeNames: [String: AttributeType] = [
    "bool": .boolean, "int": .integer64, "int16": .integer16, "int32": .integer32, "int64": .integer64,
    "integer": .integer64, "long": .integer64, "short": .integer16, "number": .double, "real": .double,
    "float32": .float, "float64": .double, "cgfloat": .double, "nsdecimalnumber": .decimal, "nsnumber": .integer64,
    "text": .string, "varchar": .string, "nsstring": .string, "data": .binaryData, "binarydata": .binaryData,
    "nsdata": .binaryData, "blob": .binaryData, "url": .uri, "nsurl": .uri, "nsuuid": .uuid, "guid": .uuid,
    "datetime": .date, "timestamp": .date, "nsdate": .date,
]
