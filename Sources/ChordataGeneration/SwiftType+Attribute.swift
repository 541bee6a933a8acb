internal import ChordataModel

extension AttributeDescription {
    /// The Swift type of the property, in full: a model may have an entity called `Data`.
    var swiftType: String {
        let base: String
        switch attributeType {
        case .undefined, .objectID: return "Any?"
        case .integer16: base = "Swift.Int16"
        case .integer32: base = "Swift.Int32"
        case .integer64: base = "Swift.Int64"
        case .decimal: base = "Foundation.Decimal"
        case .double: base = "Swift.Double"
        case .float: base = "Swift.Float"
        case .string: base = "Swift.String"
        case .boolean: base = "Swift.Bool"
        case .date: base = "Foundation.Date"
        case .binaryData, .transformable: base = "Foundation.Data"
        case .uuid: base = "Foundation.UUID"
        case .uri: base = "Foundation.URL"
        case .composite: base = "Swift.Never"  // Refused before anything is written.
        }
        return isOptional ? base + "?" : base
    }

    /// The value of the storage before there is one.
    var swiftZero: String {
        if isOptional { return "nil" }
        return switch attributeType {
        case .undefined, .objectID: "nil"
        case .integer16, .integer32, .integer64, .decimal, .double, .float: "0"
        case .string: "\"\""
        case .boolean: "false"
        case .date: "Chordata.Zero.date"
        case .binaryData, .transformable: "Chordata.Zero.data"
        case .uuid: "Chordata.Zero.uuid"
        case .uri: "Chordata.Zero.url"
        case .composite: "nil"
        }
    }

    /// Whether a new object must be given a value.
    var isInitializerArgument: Bool {
        !isOptional && !isTransient && !isDerived && defaultValue == nil && attributeType != .undefined
    }

    /// Whether a `Values` has the attribute.
    var isInValues: Bool { !isTransient && attributeType != .undefined && attributeType != .composite }
}

extension RelationshipDescription {
    /// Whether a new object must be given an object.
    var isInitializerArgument: Bool { !isToMany && !isOptional && !isTransient }
}
