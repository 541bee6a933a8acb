/// A fetch request that the model stores under a name, or that a fetched property runs.
public struct FetchRequestTemplate: Sendable, Hashable, Codable {
    /// What a fetch gives back.
    public enum ResultType: Int, Sendable, Hashable, Codable {
        case managedObjects = 0
        case managedObjectIDs = 1
        case dictionaries = 2
        case count = 4
    }

    public var name: String
    public var entityName: String
    /// The predicate as a format string with `$variables`; `nil` matches every object.
    public var predicateFormat: String?
    public var resultType: ResultType
    /// How many objects at most; 0 for no limit.
    public var fetchLimit: Int
    /// How many objects a batch has; 0 for all in one.
    public var fetchBatchSize: Int
    public var includesSubentities: Bool
    public var includesPropertyValues: Bool
    public var includesPendingChanges: Bool
    public var returnsObjectsAsFaults: Bool
    public var returnsDistinctResults: Bool

    /// Creates a template; all that is not said has Core Data's default.
    public init(
        name: String,
        entityName: String,
        predicateFormat: String? = nil,
        resultType: ResultType = .managedObjects,
        fetchLimit: Int = 0,
        fetchBatchSize: Int = 0,
        includesSubentities: Bool = true,
        includesPropertyValues: Bool = true,
        includesPendingChanges: Bool = true,
        returnsObjectsAsFaults: Bool = true,
        returnsDistinctResults: Bool = false
    ) {
        self.name = name
        self.entityName = entityName
        self.predicateFormat = predicateFormat
        self.resultType = resultType
        self.fetchLimit = fetchLimit
        self.fetchBatchSize = fetchBatchSize
        self.includesSubentities = includesSubentities
        self.includesPropertyValues = includesPropertyValues
        self.includesPendingChanges = includesPendingChanges
        self.returnsObjectsAsFaults = returnsObjectsAsFaults
        self.returnsDistinctResults = returnsDistinctResults
    }
}

/// A property that runs a fetch request each time it is asked.
public struct FetchedPropertyDescription: Sendable, Hashable, Codable {
    public var name: String
    public var fetchRequest: FetchRequestTemplate
    public var isOptional: Bool
    public var userInfo: [String: String]

    /// Creates a fetched property.
    public init(
        name: String, fetchRequest: FetchRequestTemplate, isOptional: Bool = true, userInfo: [String: String] = [:]
    ) {
        self.name = name
        self.fetchRequest = fetchRequest
        self.isOptional = isOptional
        self.userInfo = userInfo
    }
}
