/// An attribute of an entity, as the model declares it.
///
/// The properties that few attributes use are stored in one separate object, because models contain and copy thousands
/// of attributes.
public struct AttributeDescription: Sendable, Hashable {
    /// The name, unique among all properties of the entity, including inherited ones.
    public var name: String
    /// The type of the value.
    public var attributeType: AttributeType
    /// A Boolean value that indicates whether the value may be missing when the object is saved.
    public var isOptional: Bool
    /// A Boolean value that indicates whether the value is kept in memory only.
    public var isTransient: Bool
    /// The value of a new object; `nil` if the model specifies none or one that does not fit the type.
    public var defaultValue: AttributeValue?
    /// A Boolean value that indicates whether the model selects a scalar type in Core Data's editor; it has an effect
    /// only on code that is generated with the option `"optionality": "coreData"`.
    public var usesScalarValueType: Bool
    /// A Boolean value that indicates whether Binary and Transformable values of any size are stored in a side table
    /// that is read on first access.
    public var allowsExternalBinaryDataStorage: Bool
    /// A Boolean value that indicates whether the model declares an index in the old form (`indexed="YES"`).
    public var isIndexed: Bool
    /// A Boolean value that indicates whether the persistent history keeps the last value of a deleted object; it has
    /// no effect on Transformable attributes and on attributes that allow external storage.
    public var preservesValueInHistoryOnDeletion: Bool
    /// The name of this attribute in earlier versions; its own name unless the model specifies another one.
    public var renamingIdentifier: String
    private var details: Details?

    /// Creates an attribute, which is required unless `isOptional` is `true`; other parameters that are left out have
    /// Core Data's defaults.
    public init(
        name: String,
        attributeType: AttributeType,
        isOptional: Bool = false,
        isTransient: Bool = false,
        defaultValue: AttributeValue? = nil,
        usesScalarValueType: Bool = false,
        minimumValue: AttributeValue? = nil,
        maximumValue: AttributeValue? = nil,
        regularExpression: String? = nil,
        allowsExternalBinaryDataStorage: Bool = false,
        valueTransformerName: String? = nil,
        attributeValueClassName: String? = nil,
        compositeName: String? = nil,
        elements: [AttributeDescription] = [],
        derivationExpression: String? = nil,
        isIndexed: Bool = false,
        preservesValueInHistoryOnDeletion: Bool = false,
        allowsCloudEncryption: Bool = false,
        isIndexedBySpotlight: Bool = false,
        isStoredInExternalRecord: Bool = false,
        renamingIdentifier: String? = nil,
        versionHashModifier: String? = nil,
        userInfo: [String: String] = [:]
    ) {
        self.name = name
        self.attributeType = attributeType
        self.isOptional = isOptional
        self.isTransient = isTransient
        self.defaultValue = defaultValue
        self.usesScalarValueType = usesScalarValueType
        self.allowsExternalBinaryDataStorage = allowsExternalBinaryDataStorage
        self.isIndexed = isIndexed
        self.preservesValueInHistoryOnDeletion = preservesValueInHistoryOnDeletion
        self.renamingIdentifier = renamingIdentifier ?? name
        if minimumValue != nil { self.minimumValue = minimumValue }
        if maximumValue != nil { self.maximumValue = maximumValue }
        if regularExpression != nil { self.regularExpression = regularExpression }
        if valueTransformerName != nil { self.valueTransformerName = valueTransformerName }
        if attributeValueClassName != nil { self.attributeValueClassName = attributeValueClassName }
        if compositeName != nil { self.compositeName = compositeName }
        if !elements.isEmpty { self.elements = elements }
        if derivationExpression != nil { self.derivationExpression = derivationExpression }
        if allowsCloudEncryption { self.allowsCloudEncryption = allowsCloudEncryption }
        if isIndexedBySpotlight { self.isIndexedBySpotlight = isIndexedBySpotlight }
        if isStoredInExternalRecord { self.isStoredInExternalRecord = isStoredInExternalRecord }
        if versionHashModifier != nil { self.versionHashModifier = versionHashModifier }
        if !userInfo.isEmpty { self.userInfo = userInfo }
    }

    /// A Boolean value that indicates whether the value is computed at save from other properties.
    public var isDerived: Bool { derivationExpression != nil }
}

// MARK: Properties that few attributes have

extension AttributeDescription {
    fileprivate struct DetailValues: Sendable, Hashable {
        var minimumValue: AttributeValue?
        var maximumValue: AttributeValue?
        var regularExpression: String?
        var valueTransformerName: String?
        var attributeValueClassName: String?
        var compositeName: String?
        var elements: [AttributeDescription] = []
        var derivationExpression: String?
        var allowsCloudEncryption: Bool = false
        var isIndexedBySpotlight: Bool = false
        var isStoredInExternalRecord: Bool = false
        var versionHashModifier: String?
        var userInfo: [String: String] = [:]
    }

    /// The details are immutable, so that attributes may share them; a change creates new details.
    fileprivate final class Details: Sendable, Hashable {
        static let none = DetailValues()
        let values: DetailValues

        init(_ values: DetailValues) { self.values = values }

        static func == (left: Details, right: Details) -> Bool { left === right || left.values == right.values }
        func hash(into hasher: inout Hasher) { values.hash(into: &hasher) }
    }

    private var values: DetailValues {
        get { details?.values ?? Details.none }
        // Missing details and details without any value are the same.
        set { details = newValue == Details.none ? nil : Details(newValue) }
    }

    /// The minimum value, or for a String the minimum length in UTF-16 code units.
    public var minimumValue: AttributeValue? {
        get { details?.values.minimumValue }
        set { values.minimumValue = newValue }
    }

    /// The maximum value, or for a String the maximum length in UTF-16 code units.
    public var maximumValue: AttributeValue? {
        get { details?.values.maximumValue }
        set { values.maximumValue = newValue }
    }

    /// The regular expression that a String must match as a whole.
    public var regularExpression: String? {
        get { details?.values.regularExpression }
        set { values.regularExpression = newValue }
    }

    /// The name of the transformer of a Transformable.
    public var valueTransformerName: String? {
        get { details?.values.valueTransformerName }
        set { values.valueTransformerName = newValue }
    }

    /// The Swift type of a Transformable's value, in Swift's syntax.
    public var attributeValueClassName: String? {
        get { details?.values.attributeValueClassName }
        set { values.attributeValueClassName = newValue }
    }

    /// The name of the composite that defines the elements; `nil` unless the type is ``AttributeType/composite``.
    public var compositeName: String? {
        get { details?.values.compositeName }
        set { values.compositeName = newValue }
    }

    /// The attributes of a composite value, resolved from ``compositeName``.
    public var elements: [AttributeDescription] {
        get { details?.values.elements ?? [] }
        set { values.elements = newValue }
    }

    /// The expression that computes a derived attribute at save.
    public var derivationExpression: String? {
        get { details?.values.derivationExpression }
        set { values.derivationExpression = newValue }
    }

    /// A Boolean value that indicates whether the value is encrypted when CloudKit stores it; it is kept, but has no
    /// effect.
    public var allowsCloudEncryption: Bool {
        get { details?.values.allowsCloudEncryption ?? false }
        set { values.allowsCloudEncryption = newValue }
    }

    /// A Boolean value that indicates whether Spotlight indexes the value; it is kept, but has no effect.
    public var isIndexedBySpotlight: Bool {
        get { details?.values.isIndexedBySpotlight ?? false }
        set { values.isIndexedBySpotlight = newValue }
    }

    /// A Boolean value that indicates whether the value is written to an external record; the setting of the model
    /// is kept, but has no effect.
    public var isStoredInExternalRecord: Bool {
        get { details?.values.isStoredInExternalRecord ?? false }
        set { values.isStoredInExternalRecord = newValue }
    }

    /// A text that only serves to make the version hash differ.
    public var versionHashModifier: String? {
        get { details?.values.versionHashModifier }
        set { values.versionHashModifier = newValue }
    }

    /// Notes of the model's author, by key.
    public var userInfo: [String: String] {
        get { details?.values.userInfo ?? [:] }
        set { values.userInfo = newValue }
    }
}

extension AttributeDescription: CustomReflectable {
    /// A mirror whose children are all properties of the attribute.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "name": name,
                "attributeType": attributeType,
                "isOptional": isOptional,
                "isTransient": isTransient,
                "defaultValue": defaultValue as Any,
                "usesScalarValueType": usesScalarValueType,
                "minimumValue": minimumValue as Any,
                "maximumValue": maximumValue as Any,
                "regularExpression": regularExpression as Any,
                "allowsExternalBinaryDataStorage": allowsExternalBinaryDataStorage,
                "valueTransformerName": valueTransformerName as Any,
                "attributeValueClassName": attributeValueClassName as Any,
                "compositeName": compositeName as Any,
                "elements": elements,
                "derivationExpression": derivationExpression as Any,
                "isIndexed": isIndexed,
                "preservesValueInHistoryOnDeletion": preservesValueInHistoryOnDeletion,
                "allowsCloudEncryption": allowsCloudEncryption,
                "isIndexedBySpotlight": isIndexedBySpotlight,
                "isStoredInExternalRecord": isStoredInExternalRecord,
                "renamingIdentifier": renamingIdentifier,
                "versionHashModifier": versionHashModifier as Any,
                "userInfo": userInfo,
            ],
            displayStyle: .struct
        )
    }
}
