#if !canImport(Darwin)
    public import Chordata
    internal import ChordataPredicate
    public import Foundation

    /// A type of values that a fetch returns.
    public protocol NSFetchRequestResult {}

    extension ManagedObject: NSFetchRequestResult {}
    extension ManagedObjectID: NSFetchRequestResult {}
    extension NSDictionary: NSFetchRequestResult {}
    extension NSNumber: NSFetchRequestResult {}

    /// The kind of values that a fetch returns.
    public struct NSFetchRequestResultType: OptionSet, Sendable, Hashable {
        /// The bits of the type.
        public let rawValue: UInt

        /// Creates a type from bits.
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// Objects.
        public static let managedObjectResultType = NSFetchRequestResultType([])
        /// Object IDs.
        public static let managedObjectIDResultType = NSFetchRequestResultType(rawValue: 1)
        /// Dictionaries with the values of properties.
        public static let dictionaryResultType = NSFetchRequestResultType(rawValue: 2)
        /// The number of objects.
        public static let countResultType = NSFetchRequestResultType(rawValue: 4)
    }

    /// A request that a context executes.
    open class NSPersistentStoreRequest: NSObject {
        /// The stores to which the request applies; `nil` for all stores of the context's coordinator.
        open var affectedStores: [NSPersistentStore]?
        /// The kind of the request.
        open var requestType: NSPersistentStoreRequestType { .fetchRequestType }
    }

    /// The kind of a request.
    public enum NSPersistentStoreRequestType: UInt, Sendable {
        /// A fetch request.
        case fetchRequestType = 1
        /// A save; this module has no such requests.
        case saveRequestType
        /// A batch insertion.
        case batchInsertRequestType = 5
        /// A batch update.
        case batchUpdateRequestType
        /// A batch deletion.
        case batchDeleteRequestType
    }

    /// A description of the objects, or of their values, that a fetch returns.
    open class NSFetchRequest<ResultType>: NSPersistentStoreRequest {
        private var ownEntityName: String?

        /// The entity; `nil` if only its name was set.
        open var entity: NSEntityDescription? { didSet { ownEntityName = nil } }
        /// The predicate that the objects match; `nil` for all objects.
        open var predicate: NSPredicate?
        /// The order of the objects.
        open var sortDescriptors: [NSSortDescriptor]?
        /// The maximum number of objects; 0 for all.
        open var fetchLimit = 0
        /// The number of objects that are left out at the beginning.
        open var fetchOffset = 0
        /// The number of objects that are read in one batch; 0 for all.
        open var fetchBatchSize = 0
        /// The kind of values that the fetch returns.
        open var resultType = NSFetchRequestResultType.managedObjectResultType
        /// A Boolean value that indicates whether objects of subentities are fetched.
        open var includesSubentities = true
        /// A Boolean value that indicates whether the fetch also reads the values of the objects.
        open var includesPropertyValues = true
        /// A Boolean value that indicates whether unsaved changes of the context are considered.
        open var includesPendingChanges = true
        /// A Boolean value that indicates whether fetched objects are faults until the program accesses their values,
        /// which are read with them in any case.
        open var returnsObjectsAsFaults = true
        /// A Boolean value that indicates whether objects that the context already has are refreshed.
        open var shouldRefreshRefetchedObjects = false
        /// The relationships whose objects are read with the result.
        open var relationshipKeyPathsForPrefetching: [String]?
        /// The values of dictionaries: names of properties, `NSPropertyDescription` and `NSExpressionDescription`.
        open var propertiesToFetch: [Any]?
        /// A Boolean value that indicates whether equal dictionaries are returned once.
        open var returnsDistinctResults = false
        /// The properties by which dictionaries are grouped.
        open var propertiesToGroupBy: [Any]?
        /// The predicate that groups of dictionaries must match.
        open var havingPredicate: NSPredicate?

        /// Creates a request for the entity of the result type.
        public override init() {
            super.init()
            ownEntityName = (ResultType.self as? ManagedObject.Type)?.entityNameOfClass
        }

        /// Creates a request for an entity.
        public init(entityName: String) {
            super.init()
            ownEntityName = entityName
        }

        /// The name of the entity; `nil` if the request has none.
        open var entityName: String? { entity?.name ?? ownEntityName }

        /// Executes the request in the context whose block is running on the calling thread.
        /// - Returns: The results of the fetch.
        /// - Throws: Errors of fetches; ``UnsupportedFeatureError`` outside of blocks of `perform` and
        ///   `performAndWait`.
        open func execute() throws -> [ResultType] {
            guard let context = NSManagedObjectContext.current else {
                throw UnsupportedFeatureError(
                    "NSFetchRequest.execute() was called outside of a block of a context's perform or performAndWait; call it in "
                        + "such a block, or use context.fetch(request)"
                )
            }
            return try context.fetch(self)
        }

        /// Returns a copy of the request.
        open override func copy() -> Any { copy(of: ResultType.self) }

        /// A copy for results of another type.
        func copy<OtherResult>(of type: OtherResult.Type) -> NSFetchRequest<OtherResult> {
            let copy = NSFetchRequest<OtherResult>(entityName: entityName ?? "")
            if let entity { copy.entity = entity }
            copy.affectedStores = affectedStores
            copy.predicate = predicate
            copy.sortDescriptors = sortDescriptors
            (copy.fetchLimit, copy.fetchOffset, copy.fetchBatchSize) = (fetchLimit, fetchOffset, fetchBatchSize)
            copy.resultType = resultType
            copy.includesSubentities = includesSubentities
            copy.includesPropertyValues = includesPropertyValues
            copy.includesPendingChanges = includesPendingChanges
            copy.returnsObjectsAsFaults = returnsObjectsAsFaults
            copy.shouldRefreshRefetchedObjects = shouldRefreshRefetchedObjects
            copy.relationshipKeyPathsForPrefetching = relationshipKeyPathsForPrefetching
            copy.propertiesToFetch = propertiesToFetch
            copy.returnsDistinctResults = returnsDistinctResults
            copy.propertiesToGroupBy = propertiesToGroupBy
            copy.havingPredicate = havingPredicate
            return copy
        }
    }

    extension NSFetchRequest {
        /// Returns the request in the form that a context of Chordata accepts.
        func request() throws -> FetchRequest<ManagedObject> {
            guard let entityName else {
                throw UnsupportedFeatureError(
                    "the fetch request has no entity; create it with NSFetchRequest(entityName:)"
                )
            }
            var request = FetchRequest<ManagedObject>(entityName: entityName)
            request.predicate = try predicate?.fetchPredicate()
            request.sortKeys = try (sortDescriptors ?? []).map { try $0.sortKey() }
            request.fetchLimit = fetchLimit
            request.fetchOffset = fetchOffset
            request.fetchBatchSize = fetchBatchSize
            request.includesSubentities = includesSubentities
            request.includesPropertyValues = includesPropertyValues
            request.includesPendingChanges = includesPendingChanges
            request.shouldRefreshRefetchedObjects = shouldRefreshRefetchedObjects
            request.relationshipKeyPathsForPrefetching = relationshipKeyPathsForPrefetching ?? []
            request.affectedStores = affectedStores
            return request
        }

        /// The request for dictionaries.
        fileprivate func dictionaryRequest(_ context: ManagedObjectContext) throws -> DictionaryFetchRequest<
            ManagedObject
        > {
            var request = DictionaryFetchRequest(try request())
            request.propertiesToFetch = try (propertiesToFetch ?? []).map { property in
                switch property {
                case let name as String: .property(name)
                case let description as NSExpressionDescription: .expression(try description.value())
                case let description as NSPropertyDescription: .property(description.name)
                default:
                    throw UnsupportedFeatureError(
                        "propertiesToFetch has a value of type \(type(of: property)); use names, NSPropertyDescription or "
                            + "NSExpressionDescription"
                    )
                }
            }
            request.propertiesToGroupBy = try (propertiesToGroupBy ?? []).map { property in
                switch property {
                case let name as String: name
                case let description as NSPropertyDescription: description.name
                default:
                    throw UnsupportedFeatureError(
                        "propertiesToGroupBy has a value of type \(type(of: property)); use names or NSPropertyDescription"
                    )
                }
            }
            if let having = try havingPredicate?.fetchPredicate() {
                // A variable is the name of an expression description.
                let expressions = (propertiesToFetch ?? []).compactMap { $0 as? NSExpressionDescription }
                let format = try replaceVariables(in: having.description) { name in
                    expressions.first { $0.name == name }?.expression
                }
                request.havingPredicate = try FetchPredicate(format: format)
            }
            request.returnsDistinctResults = returnsDistinctResults
            return request
        }
    }

    extension ManagedObjectContext {
        /// Returns the objects, or their values, that match a request.
        /// - Throws: Errors of fetches; ``UnsupportedFeatureError`` when the request uses something that the store
        ///   cannot compute.
        public func fetch<Result>(_ request: NSFetchRequest<Result>) throws -> [Result] {
            try throwingCocoaErrors { try fetchResults(request) }
        }

        private func fetchResults<Result>(_ request: NSFetchRequest<Result>) throws -> [Result] {
            if request.resultType == .dictionaryResultType {
                return try results(
                    fetch(request.dictionaryRequest(self)).map { dictionary in
                        NSDictionary(dictionary: dictionary.mapValues { foundationValue($0) })
                    },
                    of: request
                )
            }
            if request.resultType == .managedObjectIDResultType {
                return try results(fetch(request.request().objectIDs), of: request)
            }
            if request.resultType == .countResultType {
                return try results([NSNumber(value: count(for: request.request()))], of: request)
            }
            let objects = try results(fetch(request.request()), of: request)
            if !request.returnsObjectsAsFaults, request.includesPropertyValues {
                for case let object as ManagedObject in objects { object.markAsRead() }
            }
            return objects
        }

        private func results<Value, Result>(_ values: [Value], of request: NSFetchRequest<Result>) throws -> [Result] {
            if let results = values as? [Result] { return results }
            throw UnsupportedFeatureError(
                "the request returns values of type \(values.first.map { type(of: $0) as Any.Type } ?? Value.self), not "
                    + "\(Result.self); set its resultType"
            )
        }

        /// Returns the number of objects that match a request.
        public func count<Result>(for request: NSFetchRequest<Result>) throws -> Int {
            try throwingCocoaErrors { try count(for: request.request()) }
        }

        /// Returns the number of objects that match a request whose result type the compiler must infer.
        public func count(for request: NSFetchRequest<NSManagedObject>) throws -> Int {
            try throwingCocoaErrors { try count(for: request.request()) }
        }
    }

    /// The value as an instance of the Foundation class that Core Data uses in dictionaries.
    private func foundationValue(_ value: Any) -> Any {
        switch value {
        case let value as Int64: NSNumber(value: value)
        case let value as Int32: NSNumber(value: value)
        case let value as Int16: NSNumber(value: value)
        case let value as Double: NSNumber(value: value)
        case let value as Float: NSNumber(value: value)
        case let value as Bool: NSNumber(value: value)
        case let value as Decimal: NSDecimalNumber(decimal: value)
        default: value
        }
    }

    extension ManagedObject {
        /// The name of the class's entity; `nil` for `NSManagedObject` itself.
        static var entityNameOfClass: String? { self == ManagedObject.self ? nil : entityName }
    }

    extension FetchableObject {
        /// Creates a request for the objects of the class.
        public static func fetchRequest() -> NSFetchRequest<Self> { NSFetchRequest(entityName: entityName) }

        /// Creates a request for the objects of the class, for code that declares the request with this result type.
        @_disfavoredOverload
        public static func fetchRequest() -> NSFetchRequest<any NSFetchRequestResult> {
            NSFetchRequest(entityName: entityName)
        }
    }
#endif
