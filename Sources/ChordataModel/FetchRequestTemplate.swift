/// A fetch request that the model stores under a name, or that a fetched property runs.
public struct FetchRequestTemplate: Sendable, Hashable {
    /// The kind of result that a fetch returns.
    public enum ResultType: Int, Sendable, Hashable, Codable {
        case managedObjects = 0
        case managedObjectIDs = 1
        case dictionaries = 2
        case count = 4
    }

    /// The name, unique among the fetch request templates of a model.
    public var name: String
    /// The name of the entity whose objects are fetched.
    public var entityName: String
    /// The predicate as a format string with `$variables`; `nil` matches every object.
    public var predicateFormat: String?
    /// The kind of result that a fetch returns.
    public var resultType: ResultType
    /// The maximum number of objects; 0 for no limit.
    public var fetchLimit: Int
    /// The number of objects in a batch; 0 for all in one.
    public var fetchBatchSize: Int
    /// A Boolean value that indicates whether objects of subentities are fetched too.
    public var includesSubentities: Bool
    /// A Boolean value that indicates whether the values are read together with the objects.
    public var includesPropertyValues: Bool
    /// A Boolean value that indicates whether the results include unsaved changes of the context.
    public var includesPendingChanges: Bool
    /// A Boolean value that indicates whether Core Data returns faults; it has no effect on fetch requests that are
    /// created from the template.
    public var returnsObjectsAsFaults: Bool
    /// A Boolean value that indicates whether each of several equal results is returned only once.
    public var returnsDistinctResults: Bool

    /// Creates a template; parameters that are left out have Core Data's defaults.
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

/// A property that runs a fetch request each time its value is read.
public struct FetchedPropertyDescription: Sendable, Hashable {
    /// The name, unique among the properties of its entity.
    public var name: String
    /// The request that is run.
    public var fetchRequest: FetchRequestTemplate
    /// A Boolean value that indicates whether the model marks the property as optional; it has no effect, because
    /// fetched properties are not validated.
    public var isOptional: Bool
    /// Notes of the model's author, by key.
    public var userInfo: [String: String]

    /// Creates a fetched property.
    public init(
        name: String,
        fetchRequest: FetchRequestTemplate,
        isOptional: Bool = true,
        userInfo: [String: String] = [:]
    ) {
        self.name = name
        self.fetchRequest = fetchRequest
        self.isOptional = isOptional
        self.userInfo = userInfo
    }
}
