package import ChordataModel

/// Returns the type of a Transformable attribute, without a question mark.
package typealias TransformableTypeName = (AttributeDescription) -> String

/// Returns the class that the model names for a Transformable attribute.
package func classOfModel(_ attribute: AttributeDescription) -> String {
    attribute.attributeValueClassName.flatMap { $0.isEmpty ? nil : $0 } ?? "Any"
}

extension AttributeDescription {
    /// Returns the type in Swift syntax, with `?` if the value may be missing.
    ///
    /// Unlike generated code, a diagram has no name that could be mistaken for that of a module, so `Int64` is
    /// sufficient.
    /// - Parameter typeName: Returns the type of a Transformable, which depends on the configuration.
    func swiftTypeName(ofTransformable typeName: TransformableTypeName) -> String {
        let base: String
        switch attributeType {
        case .undefined: base = "Any"
        case .integer16: base = "Int16"
        case .integer32: base = "Int32"
        case .integer64: base = "Int64"
        case .decimal: base = "Decimal"
        case .double: base = "Double"
        case .float: base = "Float"
        case .string: base = "String"
        case .boolean: base = "Bool"
        case .date: base = "Date"
        case .binaryData: base = "Data"
        case .uuid: base = "UUID"
        case .uri: base = "URL"
        case .transformable: base = typeName(self)
        case .composite: base = compositeName.flatMap { $0.isEmpty ? nil : $0 } ?? "Any"
        case .objectID: base = "ManagedObjectID"
        }
        return isOptional ? base + "?" : base
    }
}
