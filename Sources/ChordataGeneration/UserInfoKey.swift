internal import ChordataModel

/// Keys of user info that control code generation: our own, and those of mogenerator and SwiftGen.
enum UserInfoKey: String, CaseIterable {
    /// One or more sentences about the entity or property, for its doc comment.
    case documentation
    /// The rest of the doc comment.
    case discussion
    /// The type of a String or number attribute: an enumeration or another type with a raw value (SwiftGen).
    case rawType = "RawType"
    /// A type as for ``rawType``, or a number of another size (mogenerator).
    case attributeValueScalarType
    /// The Swift type of a Transformable (mogenerator).
    case attributeValueClassName
    /// A Boolean value that indicates whether the property is not optional although the attribute is (SwiftGen).
    case unwrapOptional
    /// A Boolean value that indicates whether the initializer requires a value for an optional attribute (SwiftGen).
    case nonOptionalInit
    /// A Boolean value that indicates whether the property cannot be set from outside (mogenerator).
    case readOnly = "mogenerator.readonly"
    /// A Boolean value that indicates whether there is no accessor (mogenerator).
    case ignore = "mogenerator.ignore"
    /// Modules that the file imports, separated by commas (mogenerator).
    case additionalImports
    /// The base class of all objects of the entity (mogenerator).
    case customBaseClass = "mogenerator.customBaseClass"
    /// A Boolean value that indicates whether scalars are used, which is always the case (mogenerator).
    case usesScalarAttributeType = "mogenerator.usesScalarAttributeType"
    /// Protocols of a Transformable in Objective-C (mogenerator).
    case attributeTransformableProtocols
    /// A header for Objective-C (mogenerator).
    case additionalHeaderFileName

    /// The spelling of the key in older versions of mogenerator.
    private var older: String? {
        rawValue.hasPrefix("mogenerator.") ? String(rawValue.dropFirst("mogenerator.".count)) : nil
    }

    /// Returns the value in a user info dictionary, under either spelling.
    func value(in userInfo: [String: String]) -> String? { spelling(in: userInfo).flatMap { userInfo[$0] } }

    /// Returns the spelling of the key in a user info dictionary.
    func spelling(in userInfo: [String: String]) -> String? {
        [rawValue, older].compactMap(\.self).first { userInfo[$0] != nil }
    }

    /// Returns a Boolean value that indicates whether the value means true, as in the tools that define the key; `nil`
    /// without a value.
    func flag(in userInfo: [String: String]) -> Bool? {
        value(in: userInfo).map { ["yes", "true", "1", ""].contains($0.lowercased()) }
    }
}

/// Returns the modules that user info lists for import, as they are written there.
func additionalImports(of entity: EntityDescription) -> [String] {
    let text = UserInfoKey.additionalImports.value(in: entity.userInfo) ?? ""
    return text.split(separator: ",").map { part in
        String(part.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
