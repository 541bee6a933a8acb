/// An attribute of an entity, as the model declares it.
public struct AttributeDescription: Sendable, Hashable {
    /// The name, unique among its kind.
    public var name: String
    /// The type of the value.
    public var attributeType: AttributeType
    /// Whether the value may be missing when the object is saved.
    public var isOptional: Bool
    /// Whether the value is kept in memory only.
    public var isTransient: Bool
    /// The value of a new object; `nil` when the model gives none or gives one that does not fit the type.
    public var defaultValue: AttributeValue?
    /// Whether Core Data's editor was told to use a scalar; kept for writing back, without meaning here.
    public var usesScalarValueType: Bool
    /// The least value, or for a String the least length in characters.
    public var minimumValue: AttributeValue?
    /// The greatest value, or for a String the greatest length in characters.
    public var maximumValue: AttributeValue?
    /// The regular expression that a String must match as a whole.
    public var regularExpression: String?
    /// Whether large Binary values live in a side table, loaded on first access.
    public var allowsExternalBinaryDataStorage: Bool
    /// The name of the transformer of a Transformable.
    public var valueTransformerName: String?
    /// The Swift type of a Transformable's value, in Swift's syntax.
    public var attributeValueClassName: String?
    /// The name of the composite that gives the elements; `nil` unless the type is ``AttributeType/composite``.
    public var compositeName: String?
    /// The attributes of a composite value, resolved from ``compositeName``.
    public var elements: [AttributeDescription]
    /// The expression that computes a derived attribute at save.
    public var derivationExpression: String?
    /// Whether the old way of asking for an index (`indexed="YES"`) was used.
    public var isIndexed: Bool
    /// Whether deleted objects keep this value in persistent history.
    public var preservesValueInHistoryOnDeletion: Bool
    /// The name by which earlier versions know this attribute; its own name unless the model says otherwise.
    public var renamingIdentifier: String
    /// A text that only serves to make the version hash differ.
    public var versionHashModifier: String?
    /// Notes of the model's author, by key.
    public var userInfo: [String: String]

    /// Creates an attribute; all that is not said has Core Data's default.
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
        self.minimumValue = minimumValue
        self.maximumValue = maximumValue
        self.regularExpression = regularExpression
        self.allowsExternalBinaryDataStorage = allowsExternalBinaryDataStorage
        self.valueTransformerName = valueTransformerName
        self.attributeValueClassName = attributeValueClassName
        self.compositeName = compositeName
        self.elements = elements
        self.derivationExpression = derivationExpression
        self.isIndexed = isIndexed
        self.preservesValueInHistoryOnDeletion = preservesValueInHistoryOnDeletion
        self.renamingIdentifier = renamingIdentifier ?? name
        self.versionHashModifier = versionHashModifier
        self.userInfo = userInfo
    }

    /// Whether the value is computed at save from other properties.
    public var isDerived: Bool { derivationExpression != nil }
}
