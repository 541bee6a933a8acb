internal import ChordataConfiguration
internal import ChordataModel

/// The property that Xcode's code generation declares for an attribute; the storage and the snapshots have the model's
/// types.
struct CoreDataProperty {
    private enum Form {
        /// An optional value of the type that the attribute has without the setting.
        case optional
        /// A number that is zero if the attribute has no value.
        case scalar
        /// The seconds of a date since 2001-01-01, zero if the attribute has no value.
        case timeInterval
        /// An optional `NSNumber`.
        case number
        /// An optional `NSDecimalNumber`.
        case decimalNumber
    }

    private let form: Form
    private let leaf: GeneratedAttribute.Leaf
    private let attributeType: AttributeType
    /// The number of the field.
    private let field: Int
    /// The name of the attribute as a literal, for messages of the runtime.
    private let label: String

    /// - Returns: `nil` for an attribute whose property has the same type with and without the setting: a composite, an
    ///   attribute without a type, and one whose Swift type is set by user info.
    init?(_ attribute: GeneratedAttribute, _ configuration: Configuration) {
        let description = attribute.attribute
        guard configuration.optionality == .coreData, let leaf = attribute.leaves.first,
            attribute.leaves.count == 1, !description.attributeType.hasNoType
        else { return nil }
        switch description.attributeType {
        case .integer16, .integer32, .integer64, .double, .float, .boolean:
            form = description.usesScalarValueType ? .scalar : .number
        case .date: form = description.usesScalarValueType ? .timeInterval : .optional
        case .decimal: form = .decimalNumber
        case .string, .uuid, .uri, .binaryData: form = .optional
        case .transformable:
            guard UserInfoKey.unwrapOptional.flag(in: description.userInfo) == nil else { return nil }
            form = .optional
        case .composite, .undefined, .objectID: return nil
        }
        // A type that user info names is a choice of the author.
        guard description.attributeType == .transformable || !leaf.style.isConverted else { return nil }
        self.leaf = leaf
        attributeType = description.attributeType
        field = attribute.fields.lowerBound
        label = swiftLiteral(description.name)
    }

    /// The type of the property.
    var type: SwiftType {
        switch form {
        case .optional: .optional(leaf.style.base)
        case .scalar: leaf.style.base
        case .timeInterval: .foundation("TimeInterval")
        case .number: .optional(.foundation("NSNumber"))
        case .decimalNumber: .optional(.foundation("NSDecimalNumber"))
        }
    }

    /// A Boolean value that indicates whether a subclass may override the property; `value(forKey:)` returns the bytes
    /// of a Transformable, not the value of its property.
    var isOverridable: Bool { !leaf.style.isConverted }

    /// The value of the property.
    /// - Parameter storage: the expression for the storage.
    func getter(storage: String) -> String {
        let style = leaf.style
        let isStorageOptional = style.isStorageOptional
        let unset = "attributeIsUnset(\(field))"
        switch form {
        case .optional:
            let value = style.getter(of: storage, label, zero: leaf.zero, isInPlace: true)
            if isStorageOptional { return value }
            // Without `as`, a converted value would have the optional type, because its type is inferred from the
            // context.
            return "\(unset) ? nil : \(value)" + (style.isConverted ? " as \(style.base)" : "")
        case .scalar: return isStorageOptional ? "\(storage) ?? \(leaf.zero)" : storage
        case .timeInterval:
            let seconds = "timeIntervalSinceReferenceDate"
            return isStorageOptional ? "\(storage)?.\(seconds) ?? 0" : "\(storage).\(seconds)"
        case .number: return object("Foundation.NSNumber(value: ", storage, unset)
        case .decimalNumber: return object("Foundation.NSDecimalNumber(decimal: ", storage, unset)
        }
    }

    private func object(_ call: String, _ storage: String, _ unset: String) -> String {
        leaf.style.isStorageOptional ? "\(storage).map { \(call)$0) }" : "\(unset) ? nil : \(call)\(storage))"
    }

    /// The statement that stores `newValue`.
    /// - Parameter storage: the expression for the storage.
    func setter(storage: String) -> String {
        let style = leaf.style
        let stored: String
        switch form {
        case .scalar: return "\(storage) = newValue"
        case .timeInterval: return "\(storage) = Foundation.Date(timeIntervalSinceReferenceDate: newValue)"
        case .optional:
            if style.isStorageOptional {
                stored = style.storage(of: "newValue", label, isMissing: true)
            } else {
                let value = style.storage(of: "$0", label, isMissing: false)
                stored = value == "$0" ? "newValue" : "newValue.map { \(value) }"
            }
        case .number, .decimalNumber: stored = "newValue.map { \(value(of: "$0")) }"
        }
        // The storage of a required attribute always has a value, so a missing value is recorded separately.
        let alternative = style.isStorageOptional ? "" : " ?? unsetAttribute(\(field), \(leaf.zero))"
        return "\(storage) = \(stored)\(alternative)"
    }

    /// The stored form of a number.
    private func value(of number: String) -> String {
        switch attributeType {
        case .double: "\(number).doubleValue"
        case .float: "\(number).floatValue"
        case .boolean: "\(number).boolValue"
        case .decimal: "\(number).decimalValue"
        case .integer16, .integer32, .integer64, .string, .date, .binaryData, .transformable, .uuid, .uri, .composite,
            .undefined, .objectID:
            "Chordata.FieldConversion.integer(\(number), \(label))"
        }
    }
}
