#if !canImport(Darwin)
    public import Chordata
    internal import ChordataPredicate
    public import Foundation

    /// The result of a request that a context executes.
    open class NSPersistentStoreResult: NSObject {}

    // MARK: Batch insertion

    /// The kind of result of a batch insertion.
    public enum NSBatchInsertRequestResultType: UInt, Sendable {
        /// A Boolean value that indicates whether the insertion succeeded.
        case statusOnly
        /// An array of the object IDs.
        case objectIDs
        /// The number of objects, an `Int`.
        case count
    }

    /// A request to insert rows into the store.
    open class NSBatchInsertRequest: NSPersistentStoreRequest {
        open override var requestType: NSPersistentStoreRequestType { .batchInsertRequestType }
        fileprivate enum Source {
            case dictionaries([[String: Any]])
            case dictionaryHandler((NSMutableDictionary) -> Bool)
            case managedObjectHandler((NSManagedObject) -> Bool)
        }

        /// The name of the entity.
        public let entityName: String
        /// The entity; for a request with a name, that of a generated model of the program, or `nil` if none has it.
        public let entity: NSEntityDescription?
        /// The kind of result.
        open var resultType = NSBatchInsertRequestResultType.statusOnly
        fileprivate let source: Source

        fileprivate init(_ entityName: String, _ source: Source) {
            entity = NSManagedObjectModel.generatedEntity(named: entityName)
            (self.entityName, self.source) = (entityName, source)
        }

        fileprivate init(_ entity: NSEntityDescription, _ source: Source) {
            guard let name = entity.name else {
                preconditionFailure("the entity of a batch insertion has no name; set the name of the entity")
            }
            (entityName, self.entity, self.source) = (name, entity, source)
        }

        /// Creates a request that inserts a row for each dictionary; the keys of the dictionaries are property names.
        public convenience init(entityName: String, objects dictionaries: [[String: Any]]) {
            self.init(entityName, .dictionaries(dictionaries))
        }

        /// Creates a request that inserts a row for each dictionary; the keys of the dictionaries are property names.
        public convenience init(entity: NSEntityDescription, objects dictionaries: [[String: Any]]) {
            self.init(entity, .dictionaries(dictionaries))
        }

        /// Creates a request that inserts rows from dictionaries, which a closure fills one after another until it
        /// returns `true`.
        public convenience init(entityName: String, dictionaryHandler handler: @escaping (NSMutableDictionary) -> Bool)
        {
            self.init(entityName, .dictionaryHandler(handler))
        }

        /// Creates a request that inserts rows from dictionaries, which a closure fills one after another until it
        /// returns `true`.
        public convenience init(
            entity: NSEntityDescription,
            dictionaryHandler handler: @escaping (NSMutableDictionary) -> Bool
        ) {
            self.init(entity, .dictionaryHandler(handler))
        }

        /// Creates a request that inserts objects, whose properties a closure sets until the closure returns `true`.
        public convenience init(entityName: String, managedObjectHandler handler: @escaping (NSManagedObject) -> Bool) {
            self.init(entityName, .managedObjectHandler(handler))
        }

        /// Creates a request that inserts objects, whose properties a closure sets until the closure returns `true`.
        public convenience init(
            entity: NSEntityDescription,
            managedObjectHandler handler: @escaping (NSManagedObject) -> Bool
        ) {
            self.init(entity, .managedObjectHandler(handler))
        }

        /// The dictionaries; `nil` for a request with a closure.
        open var objectsToInsert: [[String: Any]]? {
            if case .dictionaries(let dictionaries) = source { dictionaries } else { nil }
        }

        /// The closure that fills dictionaries; `nil` for another request.
        open var dictionaryHandler: ((NSMutableDictionary) -> Bool)? {
            if case .dictionaryHandler(let handler) = source { handler } else { nil }
        }

        /// The closure that sets the properties of objects; `nil` for another request.
        open var managedObjectHandler: ((NSManagedObject) -> Bool)? {
            if case .managedObjectHandler(let handler) = source { handler } else { nil }
        }

        fileprivate var request: BatchInsertRequest<ManagedObject> {
            var request: BatchInsertRequest<ManagedObject> =
                switch source {
                case .dictionaries(let dictionaries): BatchInsertRequest(entityName: entityName, objects: dictionaries)
                case .dictionaryHandler(let handler):
                    BatchInsertRequest(
                        entityName: entityName,
                        dictionaryHandler: { row in
                            let dictionary = NSMutableDictionary()
                            if handler(dictionary) { return true }
                            for (key, value) in dictionary { row["\(key)"] = value }
                            return false
                        }
                    )
                case .managedObjectHandler(let handler):
                    BatchInsertRequest(entityName: entityName, managedObjectHandler: handler)
                }
            request.affectedStores = affectedStores
            return request
        }
    }

    /// The result of a batch insertion.
    open class NSBatchInsertResult: NSPersistentStoreResult {
        /// The result, whose type depends on the result type of the request.
        public let result: Any?
        /// The kind of result.
        public let resultType: NSBatchInsertRequestResultType

        fileprivate init(_ result: Any?, _ resultType: NSBatchInsertRequestResultType) {
            (self.result, self.resultType) = (result, resultType)
        }
    }

    // MARK: Batch update

    /// The kind of result of a batch update.
    public enum NSBatchUpdateRequestResultType: UInt, Sendable {
        /// A Boolean value that indicates whether the update succeeded.
        case statusOnlyResultType
        /// An array of the object IDs.
        case updatedObjectIDsResultType
        /// The number of objects, an `Int`.
        case updatedObjectsCountResultType
    }

    /// A request to set properties of many rows of the store.
    open class NSBatchUpdateRequest: NSPersistentStoreRequest {
        open override var requestType: NSPersistentStoreRequestType { .batchUpdateRequestType }
        /// The name of the entity.
        public let entityName: String
        /// The entity; for a request with a name, that of a generated model of the program, or a description with only
        /// the name if none has it.
        public let entity: NSEntityDescription
        /// The predicate that selects the rows; `nil` for all rows.
        open var predicate: NSPredicate?
        /// A Boolean value that indicates whether rows of subentities are updated.
        open var includesSubentities = true
        /// The new values, keyed by property name or `NSPropertyDescription`: constants or `NSExpression`s.
        open var propertiesToUpdate: [AnyHashable: Any]?
        /// The kind of result.
        open var resultType = NSBatchUpdateRequestResultType.statusOnlyResultType

        /// Creates a request for an entity.
        public init(entityName: String) {
            self.entityName = entityName
            if let known = NSManagedObjectModel.generatedEntity(named: entityName) {
                entity = known
            } else {
                entity = NSEntityDescription()
                entity.name = entityName
            }
        }

        /// Creates a request for an entity.
        public init(entity: NSEntityDescription) {
            guard let name = entity.name else {
                preconditionFailure("the entity of a batch update has no name; set the name of the entity")
            }
            (entityName, self.entity) = (name, entity)
        }

        fileprivate func request() throws -> BatchUpdateRequest<ManagedObject> {
            var request = BatchUpdateRequest<ManagedObject>(entityName: entityName)
            request.predicate = try predicate?.fetchPredicate()
            request.includesSubentities = includesSubentities
            request.affectedStores = affectedStores
            for (key, value) in propertiesToUpdate ?? [:] {
                let name = (key.base as? NSPropertyDescription)?.name ?? "\(key.base)"
                let expression = value as? NSExpression ?? NSExpression(forConstantValue: value)
                request.propertiesToUpdate[name] = try expression.fetchExpression()
            }
            return request
        }
    }

    /// The result of a batch update.
    open class NSBatchUpdateResult: NSPersistentStoreResult {
        /// The result, whose type depends on the result type of the request.
        public let result: Any?
        /// The kind of result.
        public let resultType: NSBatchUpdateRequestResultType

        fileprivate init(_ result: Any?, _ resultType: NSBatchUpdateRequestResultType) {
            (self.result, self.resultType) = (result, resultType)
        }
    }

    // MARK: Batch deletion

    /// The kind of result of a batch deletion.
    public enum NSBatchDeleteRequestResultType: UInt, Sendable {
        /// A Boolean value that indicates whether the deletion succeeded.
        case resultTypeStatusOnly
        /// An array of the object IDs.
        case resultTypeObjectIDs
        /// The number of objects, an `Int`.
        case resultTypeCount
    }

    /// A request to delete many rows of the store.
    open class NSBatchDeleteRequest: NSPersistentStoreRequest {
        open override var requestType: NSPersistentStoreRequestType { .batchDeleteRequestType }
        /// The request for the rows.
        public let fetchRequest: NSFetchRequest<any NSFetchRequestResult>
        /// The kind of result.
        open var resultType = NSBatchDeleteRequestResultType.resultTypeStatusOnly
        private let objectIDs: [NSManagedObjectID]?

        /// Creates a request that deletes the rows of a fetch request.
        public init<Result>(fetchRequest: NSFetchRequest<Result>) {
            self.fetchRequest = fetchRequest.copy(of: (any NSFetchRequestResult).self)
            objectIDs = nil
        }

        /// Creates a request for the rows of objects, whose entities must have the same root entity.
        public init(objectIDs: [NSManagedObjectID]) {
            fetchRequest = NSFetchRequest(entityName: objectIDs.first?.entityName ?? "")
            self.objectIDs = objectIDs
        }

        /// The request for the rows; `nil` if the request was created with no object IDs.
        fileprivate func request(_ context: NSManagedObjectContext) throws -> BatchDeleteRequest<ManagedObject>? {
            guard let objectIDs else {
                var request = BatchDeleteRequest(fetchRequest: try fetchRequest.request())
                request.fetchRequest.affectedStores = affectedStores ?? fetchRequest.affectedStores
                return request
            }
            guard let first = objectIDs.first else { return nil }
            let entity = context.persistentStoreCoordinator?.definition.entity(named: first.entityName)
            let root = sequence(first: entity) { $0?.superentity }.reduce(entity) { $1 ?? $0 }
            var request = BatchDeleteRequest<ManagedObject>(
                entityName: root?.name ?? first.entityName,
                objectIDs: objectIDs
            )
            request.fetchRequest.affectedStores = affectedStores
            return request
        }
    }

    /// The result of a batch deletion.
    open class NSBatchDeleteResult: NSPersistentStoreResult {
        /// The result, whose type depends on the result type of the request.
        public let result: Any?
        /// The kind of result.
        public let resultType: NSBatchDeleteRequestResultType

        fileprivate init(_ result: Any?, _ resultType: NSBatchDeleteRequestResultType) {
            (self.result, self.resultType) = (result, resultType)
        }
    }

    // MARK: Asynchronous fetch

    /// A fetch request that a context executes asynchronously, and whose result it passes to a closure.
    open class NSAsynchronousFetchRequest<ResultType>: NSPersistentStoreRequest {
        /// The request.
        public let fetchRequest: NSFetchRequest<ResultType>
        /// The closure that is called with the result, on the queue of the context.
        public let completionBlock: ((NSAsynchronousFetchResult<ResultType>) -> Void)?
        /// The estimated number of objects.
        open var estimatedResultCount = 0

        /// Creates a request.
        public init(
            fetchRequest request: NSFetchRequest<ResultType>,
            completionBlock block: ((NSAsynchronousFetchResult<ResultType>) -> Void)? = nil
        ) {
            (fetchRequest, completionBlock) = (request, block)
        }
    }

    /// The result of an asynchronous fetch.
    open class NSAsynchronousFetchResult<ResultType>: NSPersistentStoreResult {
        /// The request.
        public let fetchRequest: NSAsynchronousFetchRequest<ResultType>
        /// The objects; `nil` before the fetch has ended, or if the fetch failed.
        public fileprivate(set) var finalResult: [ResultType]?
        /// The error of the fetch.
        public fileprivate(set) var operationError: (any Error)?
        /// The progress of the fetch, which is a child of the current progress of the thread that executed the request.
        public let progress: Progress? = Progress(totalUnitCount: 1)

        fileprivate init(_ fetchRequest: NSAsynchronousFetchRequest<ResultType>) { self.fetchRequest = fetchRequest }

        /// Cancels the fetch, if it has not ended; `operationError` is then a `CancellationError`.
        open func cancel() { progress?.cancel() }
    }

    // MARK: Execution

    extension ManagedObjectContext {
        /// Executes a request.
        /// - Returns: The result, of the class of the request's results.
        /// - Throws: Errors of the operation; ``UnsupportedFeatureError`` when this module does not support the
        ///   request.
        @discardableResult
        public func execute(_ request: NSPersistentStoreRequest) throws -> NSPersistentStoreResult {
            try throwingCocoaErrors { try result(of: request) }
        }

        private func result(of request: NSPersistentStoreRequest) throws -> NSPersistentStoreResult {
            switch request {
            case let request as NSBatchInsertRequest:
                let result = try execute(request.request)
                return switch request.resultType {
                case .statusOnly: NSBatchInsertResult(true, request.resultType)
                case .objectIDs: NSBatchInsertResult(result.insertedObjectIDs, request.resultType)
                case .count: NSBatchInsertResult(result.insertedObjectsCount, request.resultType)
                }
            case let request as NSBatchUpdateRequest:
                let result = try execute(request.request())
                return switch request.resultType {
                case .statusOnlyResultType: NSBatchUpdateResult(true, request.resultType)
                case .updatedObjectIDsResultType: NSBatchUpdateResult(result.updatedObjectIDs, request.resultType)
                case .updatedObjectsCountResultType: NSBatchUpdateResult(result.updatedObjectsCount, request.resultType)
                }
            case let request as NSBatchDeleteRequest:
                let result = try request.request(self).map { try execute($0) }
                return switch request.resultType {
                case .resultTypeStatusOnly: NSBatchDeleteResult(true, request.resultType)
                case .resultTypeObjectIDs: NSBatchDeleteResult(result?.deletedObjectIDs ?? [], request.resultType)
                case .resultTypeCount: NSBatchDeleteResult(result?.deletedObjectsCount ?? 0, request.resultType)
                }
            case let request as NSPersistentHistoryChangeRequest: return try request.execute(in: self)
            case let request as any ExecutableRequest: return try request.execute(in: self)
            default:
                throw UnsupportedFeatureError(
                    "a context cannot execute a request of class \(type(of: request)); use a fetch, batch or history request"
                )
            }
        }
    }

    /// A generic request.
    private protocol ExecutableRequest {
        func execute(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult
    }

    extension NSAsynchronousFetchRequest: ExecutableRequest {
        fileprivate func execute(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult {
            let result = NSAsynchronousFetchResult(self)
            context.perform {
                result.progress?.becomeCurrent(withPendingUnitCount: 1)
                do {
                    // A short fetch does not check for cancellation.
                    if result.progress?.isCancelled == true { throw CancellationError() }
                    result.finalResult = try context.fetch(self.fetchRequest)
                } catch {
                    result.operationError = error
                }
                result.progress?.resignCurrent()
                self.completionBlock?(result)
            }
            return result
        }
    }

    extension NSFetchRequest: ExecutableRequest {
        fileprivate func execute(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult {
            let result = NSAsynchronousFetchResult(NSAsynchronousFetchRequest(fetchRequest: self))
            result.finalResult = try context.fetch(self)
            return result
        }
    }

    // MARK: Merging

    extension ManagedObjectContext {
        /// Merges changes that were made by code other than the contexts, such as the changes of batch operations.
        ///
        /// Changes that have another form trap, and so does a URI of an unknown entity.
        /// - Parameters:
        ///   - changeNotificationData: Arrays of object IDs, objects or URIs for the keys of a save's notification,
        ///     such as `NSDeletedObjectsKey` or `NSDeletedObjectIDsKey`.
        ///   - contexts: The contexts, each of which merges on its queue.
        public static func mergeChanges(
            fromRemoteContextSave changeNotificationData: [AnyHashable: Any],
            into contexts: [NSManagedObjectContext]
        ) {
            for context in contexts {
                context.performAndWait {
                    do {
                        try mergeRemoteChanges(changeNotificationData, into: context)
                    } catch {
                        preconditionFailure("\(error)")
                    }
                }
            }
        }
    }
#endif
