/// The setting `usesScalarValueType` that the declaration of a removed property needs.
struct ScalarSetting: Hashable {
    /// The path of the model.
    let model: String
    /// The entity that declares the attribute.
    let entity: String
    let attribute: String
    let isScalar: Bool

    /// The value in the model.
    var value: String { isScalar ? "YES" : "NO" }
}

/// The Swift types of attributes that use scalars, by the type in the model.
///
/// `TimeInterval` is another name of `Double`.
let scalarTypesByAttributeType: [String: Set<String>] = [
    "Integer 16": ["Int16"], "Integer 32": ["Int32"], "Integer 64": ["Int64", "Int"], "Float": ["Float"],
    "Double": ["Double", "TimeInterval"], "Date": ["TimeInterval", "Double"], "Boolean": ["Bool"],
]

extension ModelProperty {
    /// Returns a Boolean value that indicates whether a property of a declared type needs `usesScalarValueType`, or
    /// `nil` if the setting does not decide the type of the generated property.
    func needsScalar(forType text: String) -> Bool? {
        guard case .attribute(let attributeType) = kind, let scalars = scalarTypesByAttributeType[attributeType],
            !hasChosenType
        else { return nil }
        let type = unqualifiedType(text)
        if scalars.contains(type) { return true }
        return attributeType != "Date" && ["NSNumber", "NSNumber?", "NSNumber!"].contains(type) ? false : nil
    }

    /// A Boolean value that indicates whether user info names the type of the generated property.
    private var hasChosenType: Bool {
        ["RawType", "attributeValueScalarType"].contains { userInfo[$0] != nil }
    }
}

/// Returns a type without whitespace and the name of its module.
func unqualifiedType(_ text: String) -> String {
    let type = text.filter { !$0.isWhitespace }
    let module = ["Swift.", "Foundation."].first { type.hasPrefix($0) } ?? ""
    return String(type.dropFirst(module.count))
}
