package import ChordataConfiguration
package import ChordataModel

/// The form of an attribute in Swift: the type of its storage, that of its property, and the conversion between them.
struct AttributeStyle {
    enum Conversion {
        /// The property has the type of the storage.
        case none
        /// The property returns the bytes of a Transformable, or those of the side table.
        case bytes
        /// The runtime converts the value, according to the types of the storage and the property.
        case converted
        /// The transformer with this name converts the value.
        case transformer(String)
    }

    /// The type of the stored value, without a question mark.
    let storageBase: SwiftType
    /// A Boolean value that indicates whether the storage is optional.
    let isStorageOptional: Bool
    /// A Boolean value that indicates whether the bytes are in a side table, so that an accessor has to read them.
    let isExternal: Bool
    /// The type of the property, without a question mark.
    let base: SwiftType
    /// A Boolean value that indicates whether the property is optional.
    let isOptional: Bool
    let conversion: Conversion
    /// The reason why the requested type cannot be used.
    let problem: Problem?

    enum Problem {
        /// The class of a Transformable cannot be encoded here.
        case unknownClass(String)
        /// The class of a Transformable is an optional type.
        case optionalClass(String)
        /// A key of user info has a value that does not fit the attribute.
        case invalid(UserInfoKey, String)
    }

    var storageType: SwiftType { storageBase.optional(if: isStorageOptional) }
    var type: SwiftType { base.optional(if: isOptional) }

    /// A Boolean value that indicates whether the type of the property differs from that of the stored value or its
    /// bytes.
    var isConverted: Bool {
        switch conversion {
        case .none, .bytes: false
        case .converted, .transformer: true
        }
    }

    /// - Parameter isStorageOptional: Whether the attribute, or a composite that contains it, is optional.
    init(_ attribute: AttributeDescription, isStorageOptional: Bool, _ configuration: Configuration) {
        let isOptional = attribute.isOptional || attribute.attributeType.hasNoType
        self.isStorageOptional = isStorageOptional || attribute.attributeType.hasNoType
        isExternal = attribute.isStoredExternally
        storageBase = isExternal ? .chordata("ExternalData") : attribute.attributeType.swiftStorageType
        var problem: Problem?
        var wanted: SwiftType?
        if attribute.attributeType == .transformable {
            wanted = transformableType(of: attribute, configuration, &problem)
        } else {
            wanted = rawType(of: attribute, &problem)
        }
        self.problem = problem
        guard let wanted, wanted != storageBase else {
            let isBytes = attribute.attributeType == .transformable || isExternal
            conversion = isBytes ? .bytes : .none
            base = isBytes ? .foundation("Data") : storageBase
            self.isOptional = isOptional
            return
        }
        base = wanted
        let isUnwrapped = UserInfoKey.unwrapOptional.flag(in: attribute.userInfo)
        self.isOptional = isUnwrapped.map { !$0 } ?? isOptional
        let transformer = attribute.valueTransformerName ?? ""
        let isNamed = attribute.attributeType == .transformable && !standardTransformers.contains(transformer)
        conversion = isNamed ? .transformer(transformer) : .converted
    }

    // MARK: Expressions

    /// Returns the value of the property, from an expression for the storage.
    /// - Parameter isInPlace: Whether the storage can be changed, so that the decoded value is kept.
    func getter(of storage: String, _ name: String, zero: String, isInPlace: Bool) -> String {
        let isMissingPossible = isStorageOptional && !isOptional
        switch conversion {
        case .none: return isMissingPossible ? "\(storage) ?? \(zero)" : storage
        case .bytes:
            let data = storage + (isStorageOptional ? "?." : ".") + (isExternal ? "loadedData" : "data")
            return isMissingPossible ? "\(data) ?? Chordata.DefaultValues.data" : data
        case .converted, .transformer:
            let isEncoded = isExternal || storageBase == transformableStorage
            let encoded = isExternal ? storage + ".encoded" : storage
            let argument = isEncoded ? (isInPlace ? "&" : "copying: ") + encoded : encoded
            let value = "Chordata.FieldConversion.value(\(argument), \(name)\(transformerArgument))"
            return isMissingPossible ? "Chordata.FieldConversion.required(\(value), \(name))" : value
        }
    }

    /// Returns the stored form of the property's value.
    /// - Parameter isMissing: Whether the value may be `nil`.
    func storage(of value: String, _ name: String, isMissing: Bool) -> String {
        switch conversion {
        case .none: return value
        case .bytes:
            return isStorageOptional ? "\(value).map { \(storageBase)($0) }" : "\(storageBase)(\(value))"
        case .converted, .transformer:
            if isExternal { return externalStorage(of: value, name, isMissing: isMissing) }
            let raw = "Chordata.FieldConversion.raw(\(value), \(name)\(transformerArgument))"
            if isMissing && !isStorageOptional { return "Chordata.FieldConversion.required(\(raw), \(name))" }
            // Without `as`, Swift could make the value optional before or after it is converted.
            return isStorageOptional && !isMissing ? "\(raw) as \(storageBase)" : raw
        }
    }

    /// Returns the stored form of a value whose bytes are in a side table.
    private func externalStorage(of value: String, _ name: String, isMissing: Bool) -> String {
        let raw = "Chordata.FieldConversion.raw(\(value), \(name)\(transformerArgument))"
        if !isMissing { return "\(storageBase)(encoded: \(raw))" }
        if !isStorageOptional {
            return "\(storageBase)(encoded: Chordata.FieldConversion.required(\(raw), \(name)))"
        }
        return "(\(raw) as \(transformableStorage)?).map { \(storageBase)(encoded: $0) }"
    }

    private var transformerArgument: String {
        if case .transformer(let name) = conversion { ", transformer: \(swiftLiteral(name))" } else { "" }
    }
}

/// Core Data's own transformers, whose names only indicate that a value is archived.
private let standardTransformers: Set<String> = [
    "", "NSSecureUnarchiveFromData", "NSSecureUnarchiveFromDataTransformer", "NSSecureUnarchiveFromDataTransformerName",
    "NSUnarchiveFromData", "NSUnarchiveFromDataTransformerName", "NSKeyedUnarchiveFromData",
    "NSKeyedUnarchiveFromDataTransformerName", "ExtendedSecureUnarchiveFromData",
]

/// Returns the type of a Transformable: the type that the configuration specifies for its class, or the type that user
/// info specifies, or the class itself if it can be a type of the program.
private func transformableType(
    of attribute: AttributeDescription,
    _ configuration: Configuration,
    _ problem: inout AttributeStyle.Problem?
) -> SwiftType? {
    let key = UserInfoKey.attributeValueClassName
    let named = key.value(in: attribute.userInfo) ?? attribute.attributeValueClassName
    guard let named, let (name, isOfCurrentModule) = classText(named) else { return nil }
    if let type = configuration.types[named] ?? configuration.types[name] { return type }
    // A class of the current module belongs to the user, even if Swift, Foundation or a framework has a class with its
    // name.
    if isOfCurrentModule, isSwiftIdentifier(name), !Namer.isKeyword(name) { return .named([name]) }
    guard let type = parseSwiftType(name) else {
        problem = .unknownClass(named)
        return nil
    }
    guard type.canBeStored, !type.hasFrameworkClass else {
        problem = type.isOptional ? .optionalClass(named) : .unknownClass(named)
        return nil
    }
    return type
}

/// Returns the type that the property of a Transformable attribute has, as a diagram shows it: the one that the
/// generated code has, without the modules of Swift's and Foundation's types and without a question mark.
package func transformableTypeName(of attribute: AttributeDescription, _ configuration: Configuration) -> String {
    var ignored: AttributeStyle.Problem?
    let type = transformableType(of: attribute, configuration, &ignored)
    return type?.plainText ?? "Data"
}

/// Returns the type that user info specifies for a text or a number.
private func rawType(of attribute: AttributeDescription, _ problem: inout AttributeStyle.Problem?) -> SwiftType? {
    for key in [UserInfoKey.rawType, .attributeValueScalarType] {
        guard let value = key.value(in: attribute.userInfo), !value.isEmpty else { continue }
        let isInteger = attribute.attributeType.isInteger
        guard isInteger || attribute.attributeType == .string,
            let type = parseSwiftType(value), case .named(let path, _) = type,
            type.canBeStored, !type.contains(where: \.isCollection),
            // This rejects types of C, such as `int`.
            path.last?.first?.isUppercase == true,
            !type.isStandard || isInteger && integerTypes.contains(type)
        else {
            problem = .invalid(key, value)
            return nil
        }
        return type
    }
    return nil
}

private let integerTypes: Set<SwiftType> = [
    .swift("Int"), .swift("Int8"), .swift("Int16"), .swift("Int32"), .swift("Int64"), .swift("UInt"), .swift("UInt8"),
    .swift("UInt16"), .swift("UInt32"), .swift("UInt64"),
]

/// The storage of a Transformable in the row.
private let transformableStorage = SwiftType.chordata("TransformableStorage")

extension AttributeType {
    /// A Boolean value that indicates whether the type of the value is unknown.
    var hasNoType: Bool { self == .undefined || self == .objectID }

    var isInteger: Bool { self == .integer16 || self == .integer32 || self == .integer64 }

    /// The Swift type of the stored value.
    var swiftStorageType: SwiftType {
        switch self {
        case .undefined, .objectID: .named(["Any"])
        case .integer16: .swift("Int16")
        case .integer32: .swift("Int32")
        case .integer64: .swift("Int64")
        case .decimal: .foundation("Decimal")
        case .double: .swift("Double")
        case .float: .swift("Float")
        case .string: .swift("String")
        case .boolean: .swift("Bool")
        case .date: .foundation("Date")
        case .binaryData: .foundation("Data")
        case .transformable: transformableStorage
        case .uuid: .foundation("UUID")
        case .uri: .foundation("URL")
        case .composite: preconditionFailure("a composite must be replaced by its elements first")
        }
    }

    /// The initial value of the storage.
    var swiftZero: String {
        switch self {
        case .undefined, .objectID: "nil"
        case .integer16, .integer32, .integer64, .decimal, .double, .float: "0"
        case .string: "\"\""
        case .boolean: "false"
        case .date: "Chordata.DefaultValues.date"
        case .binaryData: "Chordata.DefaultValues.data"
        case .transformable: "Chordata.TransformableStorage()"
        case .uuid: "Chordata.DefaultValues.uuid"
        case .uri: "Chordata.DefaultValues.url"
        case .composite: preconditionFailure("a composite must be replaced by its elements first")
        }
    }
}
