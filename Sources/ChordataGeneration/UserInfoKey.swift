internal import ChordataModel

/// Keys of user info that say how code is generated: our own, and those that mogenerator and SwiftGen know.
enum UserInfoKey: String, CaseIterable {
    /// A sentence or more about the entity or property, for its doc comment.
    case documentation
    /// The remaining text.
    case discussion
    /// The type of a String or number attribute: an enumeration or another type with a raw value (SwiftGen).
    case rawType = "RawType"
    /// The same, or a number of another size (mogenerator).
    case attributeValueScalarType
    /// The Swift type of a Transformable (mogenerator).
    case attributeValueClassName
    /// A Boolean value that indicates whether the property is not optional although the attribute is (SwiftGen).
    case unwrapOptional
    /// A Boolean value that indicates whether the initializer asks for an optional attribute (SwiftGen).
    case nonOptionalInit
    /// A Boolean value that indicates whether the property cannot be set from outside (mogenerator).
    case readOnly = "mogenerator.readonly"
    /// A Boolean value that indicates whether there is no accessor (mogenerator).
    case ignore = "mogenerator.ignore"
    /// Modules that the file imports, with commas between them (mogenerator).
    case additionalImports
    /// The class of all objects of the entity (mogenerator).
    case customBaseClass = "mogenerator.customBaseClass"
    /// A Boolean value that indicates whether scalars are used, which is always so (mogenerator).
    case usesScalarAttributeType = "mogenerator.usesScalarAttributeType"
    /// Protocols of a Transformable in Objective-C (mogenerator).
    case attributeTransformableProtocols
    /// A header for Objective-C (mogenerator).
    case additionalHeaderFileName

    /// The spelling of older mogenerators.
    private var older: String? {
        rawValue.hasPrefix("mogenerator.") ? String(rawValue.dropFirst("mogenerator.".count)) : nil
    }

    /// The value in a user info, under either spelling.
    func value(in userInfo: [String: String]) -> String? { spelling(in: userInfo).flatMap { userInfo[$0] } }

    /// The spelling that a user info has.
    func spelling(in userInfo: [String: String]) -> String? {
        [rawValue, older].compactMap(\.self).first { userInfo[$0] != nil }
    }

    /// Returns a Boolean value that indicates whether the value says yes, as the tools that made the key do; `nil`
    /// without one.
    func flag(in userInfo: [String: String]) -> Bool? {
        value(in: userInfo).map { ["yes", "true", "1", ""].contains($0.lowercased()) }
    }
}

/// The modules that user info wants to be imported, as written there.
func additionalImports(of entity: EntityDescription) -> [String] {
    let text = UserInfoKey.additionalImports.value(in: entity.userInfo) ?? ""
    return text.split(separator: ",").map { part in
        String(part.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
