public import ChordataPredicate

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The predicate and order of the objects to fetch.
///
/// ```swift
/// let request = try TodoItem.fetchRequest().where(format: "done == NO").sorted(by: \.createdAt, .descending).limit(20)
/// ```
public struct FetchRequest<Object: ManagedObject>: Sendable {
    /// The condition; `nil` for all objects.
    public var predicate: FetchPredicate? { didSet { prepared = PreparedRequest() } }
    /// The order; without any the objects come in the order of their insertion.
    public var sortKeys: [SortKey] = [] { didSet { prepared = PreparedRequest() } }
    /// The maximum number of objects; 0 for no limit.
    public var fetchLimit = 0 { didSet { prepared = PreparedRequest() } }
    /// The number of objects to skip at the beginning.
    public var fetchOffset = 0 { didSet { prepared = PreparedRequest() } }
    /// The number of rows that are read together, on access to the first of them; 0 for all with the fetch.
    ///
    /// The fetch itself then finds the objects and leaves them faults. If unsaved changes could affect the result, the
    /// property values of all objects are read.
    public var fetchBatchSize = 0
    /// A Boolean value that indicates whether the fetch reads property values; otherwise it returns faults, whose rows
    /// are read at the first access.
    ///
    /// If unsaved changes could affect the result, the property values of all objects are read.
    public var includesPropertyValues = true
    /// A Boolean value that indicates whether the objects stay faults until one is looked at, when the rows of all are
    /// read.
    ///
    /// False by default (Core Data: true): Core Data keeps rows apart from objects, so that filling an object is
    /// separate work; here it is not. Unsaved changes that could matter to the request make it read all rows
    /// immediately.
    public var returnsObjectsAsFaults = false
    /// A Boolean value that indicates whether objects of entities that inherit from the entity are wanted too.
    public var includesSubentities = true { didSet { prepared = PreparedRequest() } }
    /// A Boolean value that indicates whether the result includes unsaved changes of the context.
    public var includesPendingChanges = true
    /// A Boolean value that indicates whether objects that the context knows, and that have no unsaved changes, get the
    /// values that the store has now (rule N7 of <doc:Core-Data-Rules>).
    ///
    /// Observers are notified of those that changed. The fetch then reads all rows immediately, whatever
    /// ``fetchBatchSize`` is; objects that it prefetches stay as they are.
    public var shouldRefreshRefetchedObjects = false

    /// The relationships, or paths of relationships such as `"players.agent"`, whose objects are read along, in one
    /// statement for each relationship.
    public var relationshipKeyPathsForPrefetching: [String] = [] { didSet { prepared = PreparedRequest() } }
    /// The name of the entity; a fetch refuses one whose objects are of another class.
    public var entityName: String { didSet { prepared = PreparedRequest() } }

    /// The cached result of binding the properties above; options of reading do not affect it.
    private(set) var prepared = PreparedRequest()

    /// Creates a request for all objects of a class.
    public init() { entityName = Object.entityName }

    /// Creates a request for all objects of an entity.
    /// - Parameter entityName: The name of an entity whose objects are of class `Object`; any entity where that is
    ///   `ManagedObject`.
    public init(entityName: String) { self.entityName = entityName }

    /// Adds a condition.
    /// - Returns: A copy of the request with the condition; objects must meet all conditions that were added.
    public func `where`(_ predicate: FetchPredicate) -> FetchRequest {
        var request = self
        request.predicate = self.predicate.map { $0 && predicate } ?? predicate
        return request
    }

    /// Adds a condition made of key paths: `\.age >= 18 && \.team?.city == "Ulm"`.
    /// - Returns: A copy of the request with the condition; objects must meet all conditions that were added.
    public func `where`(_ predicate: TypedPredicate<Object>) -> FetchRequest { self.where(FetchPredicate(predicate)) }

    /// Adds a condition in the form of Foundation's `Predicate`.
    /// - Returns: A copy of the request with the condition; objects must meet all conditions that were added.
    /// - Throws: ``FetchPredicateError`` when a part of the predicate has no counterpart; the error names the part.
    public func `where`(_ predicate: Predicate<Object>) throws(FetchPredicateError) -> FetchRequest {
        self.where(try FetchPredicate(predicate))
    }

    /// Adds a condition as a format string, in the syntax of `NSPredicate`.
    /// - Parameters:
    ///   - format: The text of the predicate, with placeholders such as `%@` and `%K`.
    ///   - arguments: The values of the placeholders, in order.
    /// - Returns: A copy of the request with the condition; objects must meet all conditions that were added.
    /// - Throws: ``FetchPredicateError`` when the text is not a predicate, or the arguments do not fit it.
    public func `where`(format: String, _ arguments: (any PredicateArgument)?...) throws(FetchPredicateError)
        -> FetchRequest
    {
        self.where(try FetchPredicate(format: format, argumentArray: arguments))
    }

    /// Sorts by a property, after what the request sorts by already.
    /// - Parameters:
    ///   - keyPath: A property of the class, or one over to-one relationships, such as `\.team?.name`.
    ///   - order: The direction of the sort.
    ///   - comparison: The comparison of text; a fetch accepts only `literal` for other types than strings.
    /// - Returns: A copy of the request that sorts by the property after its other sort keys.
    public func sorted<Value>(
        by keyPath: KeyPath<Object, Value>,
        _ order: SortKey.Order = .ascending,
        comparing comparison: StringComparison = .literal
    ) -> FetchRequest {
        sorted(by: SortKey(keyPath, order: order, comparison: comparison))
    }

    /// Sorts by a property or a path over to-one relationships, such as `"team.name"`.
    /// - Parameters:
    ///   - path: The name of a property, or a path such as `"team.name"`.
    ///   - order: The direction of the sort.
    ///   - comparison: The comparison of text; a fetch accepts only `literal` for other types than strings.
    /// - Returns: A copy of the request that sorts by the property after its other sort keys.
    public func sorted(
        by path: String,
        _ order: SortKey.Order = .ascending,
        comparing comparison: StringComparison = .literal
    ) -> FetchRequest {
        sorted(by: SortKey(path, order: order, comparison: comparison))
    }

    /// Sorts by a key, after what the request sorts by already.
    /// - Returns: A copy of the request that sorts by the key after its other sort keys.
    public func sorted(by key: SortKey) -> FetchRequest {
        var request = self
        request.sortKeys.append(key)
        return request
    }

    /// Limits the number of objects.
    /// - Parameter count: The maximum number of objects; 0 for no limit.
    /// - Returns: A copy of the request with the limit, which replaces an earlier one.
    public func limit(_ count: Int) -> FetchRequest {
        var request = self
        request.fetchLimit = count
        return request
    }

    /// Reads rows in batches, each on access to the first of its objects.
    /// - Parameter count: The number of rows that are read together; 0 for all with the fetch.
    /// - Returns: A copy of the request with the batch size.
    public func batchSize(_ count: Int) -> FetchRequest {
        var request = self
        request.fetchBatchSize = count
        return request
    }

    /// Prefetches the destinations of a relationship.
    /// - Parameter keyPath: A relationship of the class, or one over to-one relationships.
    /// - Returns: A copy of the request that prefetches the relationship too.
    public func prefetching<Value>(_ keyPath: KeyPath<Object, Value>) -> FetchRequest {
        let key = SortKey(keyPath)
        return prefetching(key.path ?? key.text)
    }

    /// Prefetches the destinations of a path of relationships such as `"players.agent"`.
    /// - Parameter path: The names of the relationships with dots between them.
    /// - Returns: A copy of the request that prefetches the relationships too.
    public func prefetching(_ path: String) -> FetchRequest {
        var request = self
        request.relationshipKeyPathsForPrefetching.append(path)
        return request
    }

    /// Skips objects at the beginning.
    /// - Parameter count: The number of objects to skip; 0 for none.
    /// - Returns: A copy of the request with the offset, which replaces an earlier one.
    public func offset(_ count: Int) -> FetchRequest {
        var request = self
        request.fetchOffset = count
        return request
    }
}

/// The requirements of each class of a model's entity.
public protocol FetchableObject: ManagedObject {}

extension ManagedObject: FetchableObject {}

extension FetchableObject {
    /// Returns a request for all objects of the class.
    /// - Returns: A request without a condition and without an order.
    public static func fetchRequest() -> FetchRequest<Self> { FetchRequest() }
}
