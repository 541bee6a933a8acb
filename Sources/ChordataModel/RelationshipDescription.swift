/// A relationship of an entity, as the model declares it.
public struct RelationshipDescription: Sendable, Hashable {
    /// The name, unique among all properties of the entity, including inherited ones.
    public var name: String
    /// The name of the entity at the other end.
    public var destinationEntityName: String
    /// The name of the inverse relationship; `nil` when there is no inverse.
    public var inverseName: String?
    /// A Boolean value that indicates whether the relationship can reference several objects instead of one.
    public var isToMany: Bool
    /// A Boolean value that indicates whether a to-many keeps its objects in an order.
    public var isOrdered: Bool
    /// A Boolean value that indicates whether the relationship may be empty when the object is saved.
    public var isOptional: Bool
    /// A Boolean value that indicates whether the relationship is kept in memory only.
    public var isTransient: Bool
    /// The minimum number of objects of a to-many; 0 if there is no bound.
    ///
    /// An optional to-many may also be empty.
    public var minimumCount: Int
    /// The maximum number of objects; 1 for a to-one, 0 for a to-many without a bound.
    public var maximumCount: Int
    /// The effect of the object's deletion on the objects at the other end.
    public var deleteRule: DeleteRule
    /// The name of this relationship in earlier versions; its own name unless the model specifies another one.
    public var renamingIdentifier: String
    /// A text that only serves to make the version hash differ.
    public var versionHashModifier: String?
    /// Notes of the model's author, by key.
    public var userInfo: [String: String]

    /// Creates a relationship with Core Data's defaults for all parameters that are left out.
    ///
    /// A `maximumCount` other than 1 makes the relationship a to-many; 0 is no limit.
    public init(
        name: String,
        destinationEntityName: String,
        inverseName: String? = nil,
        isToMany: Bool = false,
        isOrdered: Bool = false,
        isOptional: Bool = true,
        isTransient: Bool = false,
        minimumCount: Int = 0,
        maximumCount: Int? = nil,
        deleteRule: DeleteRule = .nullify,
        renamingIdentifier: String? = nil,
        versionHashModifier: String? = nil,
        userInfo: [String: String] = [:]
    ) {
        self.name = name
        self.destinationEntityName = destinationEntityName
        self.inverseName = inverseName
        self.isToMany = isToMany || maximumCount.map { $0 != 1 } == true
        self.isOrdered = isOrdered
        self.isOptional = isOptional
        self.isTransient = isTransient
        self.minimumCount = minimumCount
        self.maximumCount = maximumCount ?? (isToMany ? 0 : 1)
        self.deleteRule = deleteRule
        self.renamingIdentifier = renamingIdentifier ?? name
        self.versionHashModifier = versionHashModifier
        self.userInfo = userInfo
    }
}

/// The effect of an object's deletion on the objects at the other end, spelled as in a model file.
public enum DeleteRule: String, Sendable, Hashable, Codable, CaseIterable {
    /// The other end keeps its reference in memory; the store removes the reference.
    case noAction = "No Action"
    /// The deleted object is removed from the inverse at the other end.
    case nullify = "Nullify"
    /// The objects at the other end are deleted too.
    case cascade = "Cascade"
    /// The save fails if there are still objects at the other end.
    case deny = "Deny"
}
