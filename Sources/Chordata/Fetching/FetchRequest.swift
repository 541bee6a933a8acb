public import ChordataPredicate

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A description of the objects to fetch: an entity, a predicate, sort keys and options.
///
/// ```swift
/// let request = try TodoItem.fetchRequest().where(format: "done == NO").sorted(by: \.createdAt, .descending).limit(20)
/// ```
public struct FetchRequest<Object: ManagedObject>: Sendable {
    /// The predicate that selects the objects; `nil` for all objects of the entity.
    public var predicate: FetchPredicate? { didSet { prepared = PreparedRequest() } }
    /// The search in the full-text index of the entity; `nil` for none.
    ///
    /// Objects must match the ``predicate``, too. See ``matching(_:)-(FullTextQuery)``.
    public var fullTextQuery: FullTextQuery? { didSet { prepared = PreparedRequest() } }
    /// The sort keys of the result; if the array is empty, objects are returned in the order of their
    /// [row keys](doc:Glossary#Store), which are assigned at the insertion into a context.
    public var sortKeys: [SortKey] = [] { didSet { prepared = PreparedRequest() } }
    /// The maximum number of objects; 0 for no limit.
    public var fetchLimit = 0 { didSet { prepared = PreparedRequest() } }
    /// The number of objects to skip at the beginning.
    public var fetchOffset = 0 { didSet { prepared = PreparedRequest() } }
    /// The number of rows in a batch, which is read when one of its objects is accessed; 0 to read all rows with the
    /// fetch.
    ///
    /// With a batch size, the fetch returns faults, with one exception: if unsaved changes could affect the result, the
    /// fetch reads the property values of all objects.
    public var fetchBatchSize = 0
    /// A Boolean value that indicates whether the fetch reads property values.
    ///
    /// If the value is `false`, the fetch returns faults, each of which reads its row on first access, with one
    /// exception: if unsaved changes could affect the result, the fetch reads the property values of all objects.
    public var includesPropertyValues = true
    /// A Boolean value that indicates whether the fetch returns faults; the first access to one of them reads the rows
    /// of all.
    ///
    /// The default is `false` (Core Data: `true`). Core Data has a row cache, from which faults are filled in a
    /// separate step; Chordata has no such cache, so faults save no work. If unsaved changes could affect the result,
    /// the fetch reads all rows immediately.
    public var returnsObjectsAsFaults = false
    /// A Boolean value that indicates whether the result includes objects of subentities.
    public var includesSubentities = true { didSet { prepared = PreparedRequest() } }
    /// The stores of the context's coordinator from which objects are fetched; `nil` for all that have the entity.
    ///
    /// An object with unsaved changes is in the result if a save would write it to one of these stores.
    public var affectedStores: [PersistentStore]? { didSet { prepared = PreparedRequest() } }
    /// A Boolean value that indicates whether the result includes unsaved changes of the context.
    public var includesPendingChanges = true
    /// A Boolean value that indicates whether the fetch updates [registered](doc:Glossary#Objects) objects without
    /// unsaved changes with the values in the store (rule N7 of <doc:Core-Data-Rules>).
    ///
    /// Observers are notified of the updated objects. If the value is `true`, the fetch reads all rows immediately and
    /// ignores ``fetchBatchSize``. Prefetched objects that are registered already are not updated.
    public var shouldRefreshRefetchedObjects = false

    /// The relationships whose destination objects are read with the fetch, in one statement for each relationship.
    ///
    /// An element is the name of a relationship or a path of relationships, such as `"players.agent"`.
    public var relationshipKeyPathsForPrefetching: [String] = [] { didSet { prepared = PreparedRequest() } }
    /// The name of the entity; a fetch throws an error if the objects of the entity have another class.
    public var entityName: String { didSet { prepared = PreparedRequest() } }

    /// The cached result of binding the properties above; options that only affect reading are not a part of it.
    private(set) var prepared = PreparedRequest()

    /// Creates a request for all objects of a class.
    public init() { entityName = Object.entityName }

    /// Creates a request for all objects of an entity.
    /// - Parameter entityName: The name of an entity whose class is `Object`, or of any entity if `Object` is
    ///   `ManagedObject`.
    public init(entityName: String) { self.entityName = entityName }

    /// Adds a condition.
    /// - Returns: A copy of the request with the condition; objects must match all added conditions.
    public func `where`(_ predicate: FetchPredicate) -> FetchRequest {
        var request = self
        request.predicate = self.predicate.map { $0 && predicate } ?? predicate
        return request
    }

    /// Adds a condition made of key paths, such as `\.age >= 18 && \.team?.city == "Ulm"`.
    /// - Returns: A copy of the request with the condition; objects must match all added conditions.
    public func `where`(_ predicate: TypedPredicate<Object>) -> FetchRequest { self.where(FetchPredicate(predicate)) }

    /// Adds a condition as a Foundation `Predicate`.
    /// - Returns: A copy of the request with the condition; objects must match all added conditions.
    /// - Throws: ``FetchPredicateError`` when a part of the predicate cannot be translated; the error names the part.
    public func `where`(_ predicate: Predicate<Object>) throws(FetchPredicateError) -> FetchRequest {
        self.where(try FetchPredicate(predicate))
    }

    /// Adds a condition as a format string, in the syntax of `NSPredicate`.
    /// - Parameters:
    ///   - format: The text of the predicate, with placeholders such as `%@` and `%K`.
    ///   - arguments: The values of the placeholders, in order.
    /// - Returns: A copy of the request with the condition; objects must match all added conditions.
    /// - Throws: ``FetchPredicateError`` when the format is not a valid predicate, or the arguments do not match its
    ///   placeholders.
    public func `where`(format: String, _ arguments: (any PredicateArgument)?...) throws(FetchPredicateError)
        -> FetchRequest
    {
        self.where(try FetchPredicate(format: format, argumentArray: arguments))
    }

    /// Sets the search in the full-text index of the entity.
    ///
    /// The model declares the index in the user info of the entity, under the key `fullText`, whose value is a list of
    /// names of String attributes, such as `title, notes` (<doc:Full-Text-Search>).
    ///
    /// Unsaved changes are searched in memory, with the same result. The search does not change the order of the
    /// objects; ``ManagedObjectContext/fetchMatches(_:)`` returns the best matches first.
    /// - Parameter query: The query, which replaces an earlier query.
    /// - Returns: A copy of the request with the query; objects must match its predicate, too.
    public func matching(_ query: FullTextQuery) -> FetchRequest {
        var request = self
        request.fullTextQuery = query
        return request
    }

    /// Sets the search in the full-text index of the entity; see ``matching(_:)-(FullTextQuery)``.
    ///
    /// ```swift
    /// let notes = try context.fetch(Note.fetchRequest().matching("swift data*"))
    /// ```
    /// - Parameter text: The text of a ``FullTextQuery``; for text that a user typed, use
    ///   ``FullTextQuery/init(words:lastIsPrefix:)``.
    /// - Returns: A copy of the request with the query; objects must match its predicate, too.
    /// - Throws: ``FetchPredicateError`` when the text is not a valid query.
    public func matching(_ text: String) throws(FetchPredicateError) -> FetchRequest {
        matching(try FullTextQuery(text))
    }

    /// Adds a property to the sort keys, after the existing sort keys.
    /// - Parameters:
    ///   - keyPath: A property of the class, or a path over to-one relationships, such as `\.team?.name`.
    ///   - order: The direction of the sort.
    ///   - comparison: The string comparison; a fetch throws an error if it is not `literal` and the property is not a
    ///     string.
    /// - Returns: A copy of the request that sorts by the property after its other sort keys.
    public func sorted<Value>(
        by keyPath: KeyPath<Object, Value>,
        _ order: SortKey.Order = .ascending,
        comparing comparison: StringComparison = .literal
    ) -> FetchRequest {
        sorted(by: SortKey(keyPath, order: order, comparison: comparison))
    }

    /// Adds a property or a path over to-one relationships to the sort keys, after the existing sort keys.
    /// - Parameters:
    ///   - path: The name of a property, or a path such as `"team.name"`.
    ///   - order: The direction of the sort.
    ///   - comparison: The string comparison; a fetch throws an error if it is not `literal` and the property is not a
    ///     string.
    /// - Returns: A copy of the request that sorts by the property after its other sort keys.
    public func sorted(
        by path: String,
        _ order: SortKey.Order = .ascending,
        comparing comparison: StringComparison = .literal
    ) -> FetchRequest {
        sorted(by: SortKey(path, order: order, comparison: comparison))
    }

    /// Adds a sort key after the existing sort keys.
    /// - Returns: A copy of the request that sorts by the key after its other sort keys.
    public func sorted(by key: SortKey) -> FetchRequest {
        var request = self
        request.sortKeys.append(key)
        return request
    }

    /// Sets the maximum number of objects.
    /// - Parameter count: The maximum number of objects; 0 for no limit.
    /// - Returns: A copy of the request with the limit, which replaces an earlier limit.
    public func limit(_ count: Int) -> FetchRequest {
        var request = self
        request.fetchLimit = count
        return request
    }

    /// Sets the number of rows in a batch, which is read when one of its objects is accessed.
    /// - Parameter count: The number of rows in a batch; 0 to read all rows with the fetch.
    /// - Returns: A copy of the request with the batch size.
    public func batchSize(_ count: Int) -> FetchRequest {
        var request = self
        request.fetchBatchSize = count
        return request
    }

    /// Adds a relationship whose destination objects are prefetched.
    /// - Parameter keyPath: A relationship of the class, or a path over to-one relationships that ends with any
    ///   relationship.
    /// - Returns: A copy of the request that prefetches the relationship too.
    public func prefetching<Value>(_ keyPath: KeyPath<Object, Value>) -> FetchRequest {
        let key = SortKey(keyPath)
        return prefetching(key.path ?? key.text)
    }

    /// Adds a path of relationships, such as `"players.agent"`, whose destination objects are prefetched.
    /// - Parameter path: The names of the relationships, separated by dots.
    /// - Returns: A copy of the request that prefetches the relationships too.
    public func prefetching(_ path: String) -> FetchRequest {
        var request = self
        request.relationshipKeyPathsForPrefetching.append(path)
        return request
    }

    /// Sets the number of objects to skip at the beginning of the result.
    /// - Parameter count: The number of objects to skip; 0 for none.
    /// - Returns: A copy of the request with the offset, which replaces an earlier offset.
    public func offset(_ count: Int) -> FetchRequest {
        var request = self
        request.fetchOffset = count
        return request
    }
}

/// A type for which `fetchRequest()` creates a fetch request: every managed object class.
public protocol FetchableObject: ManagedObject {}

extension ManagedObject: FetchableObject {}

extension FetchableObject {
    /// Returns a request for all objects of the class.
    /// - Returns: A request without a predicate and without sort keys.
    @_disfavoredOverload  // The module `CoreData` has another one.
    public static func fetchRequest() -> FetchRequest<Self> { FetchRequest() }
}
