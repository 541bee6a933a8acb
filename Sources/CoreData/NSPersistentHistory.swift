#if !canImport(Darwin)
    public import Chordata
    internal import ChordataModel
    public import Foundation

    /// The kind of result of a request for the persistent history.
    public enum NSPersistentHistoryResultType: Int, Sendable {
        /// Whether the request succeeded; a `Bool`.
        case statusOnly
        /// The object IDs of the changed objects; an array.
        case objectIDs
        /// The number of transactions; an `Int`.
        case count
        /// The transactions, without their changes; an array.
        case transactionsOnly
        /// The changes of all transactions; an array.
        case changesOnly
        /// The transactions with their changes; an array.
        case transactionsAndChanges
    }

    /// The kind of a change.
    public typealias NSPersistentHistoryChangeType = PersistentHistoryChange.ChangeType

    /// A request for the persistent history, or for the deletion of a part of it.
    open class NSPersistentHistoryChangeRequest: NSPersistentStoreRequest {
        private enum Operation {
            case fetch(PersistentHistoryChangeRequest)
            case deletion(PersistentHistoryDeleteRequest)
            case nothing
        }

        private let operation: Operation
        /// The kind of result.
        open var resultType = NSPersistentHistoryResultType.transactionsAndChanges
        /// A request whose predicate selects transactions by `author`, `contextName`, `timestamp` and others.
        open var fetchRequest: NSFetchRequest<any NSFetchRequestResult>?

        private init(_ operation: Operation, _ resultType: NSPersistentHistoryResultType) {
            self.operation = operation
            self.resultType = resultType
        }

        private convenience init(_ request: PersistentHistoryChangeRequest) {
            self.init(.fetch(request), .transactionsAndChanges)
        }

        /// Returns a request for the transactions after a token; for `nil`, for all.
        public class func fetchHistory(after token: NSPersistentHistoryToken?) -> NSPersistentHistoryChangeRequest {
            NSPersistentHistoryChangeRequest(.fetchHistory(after: token))
        }

        /// Returns a request for the transactions after a date.
        public class func fetchHistory(after date: Date) -> NSPersistentHistoryChangeRequest {
            NSPersistentHistoryChangeRequest(.fetchHistory(after: date))
        }

        /// Returns a request for the transactions after another one; for `nil`, for all.
        public class func fetchHistory(
            after transaction: NSPersistentHistoryTransaction?
        ) -> NSPersistentHistoryChangeRequest {
            fetchHistory(after: transaction?.token)
        }

        /// Returns a request that deletes the transactions before that of a token; for `nil`, none.
        public class func deleteHistory(before token: NSPersistentHistoryToken?) -> NSPersistentHistoryChangeRequest {
            guard let token else { return NSPersistentHistoryChangeRequest(.nothing, .statusOnly) }
            return NSPersistentHistoryChangeRequest(.deletion(.deleteHistory(before: token)), .statusOnly)
        }

        /// Returns a request that deletes the transactions before a date.
        public class func deleteHistory(before date: Date) -> NSPersistentHistoryChangeRequest {
            NSPersistentHistoryChangeRequest(.deletion(.deleteHistory(before: date)), .statusOnly)
        }

        /// Returns a request that deletes the transactions before another one; for `nil`, none.
        public class func deleteHistory(
            before transaction: NSPersistentHistoryTransaction?
        ) -> NSPersistentHistoryChangeRequest {
            deleteHistory(before: transaction?.token)
        }

        func execute(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult {
            switch operation {
            case .nothing: return NSPersistentHistoryResult(true, resultType)
            case .deletion(var request):
                request.affectedStores = affectedStores
                try context.execute(request)
                return NSPersistentHistoryResult(true, resultType)
            case .fetch(var request):
                request.affectedStores = affectedStores
                request.predicate = try fetchRequest?.predicate?.fetchPredicate()
                request.fetchLimit = fetchRequest?.fetchLimit ?? 0
                let definition = context.persistentStoreCoordinator?.definition
                let transactions = try context.execute(request).map {
                    NSPersistentHistoryTransaction($0, definition, hasChanges: resultType != .transactionsOnly)
                }
                let changes = transactions.flatMap { $0.changes ?? [] }
                let result: Any =
                    switch resultType {
                    case .statusOnly: true
                    case .objectIDs: changes.map(\.changedObjectID)
                    case .count: transactions.count
                    case .changesOnly: changes
                    case .transactionsOnly, .transactionsAndChanges: transactions
                    }
                return NSPersistentHistoryResult(result, resultType)
            }
        }
    }

    /// The result of a request for the persistent history.
    open class NSPersistentHistoryResult: NSPersistentStoreResult {
        /// The result, of the kind that the request asks for.
        public let result: Any?
        /// The kind of result.
        public let resultType: NSPersistentHistoryResultType

        fileprivate init(_ result: Any?, _ resultType: NSPersistentHistoryResultType) {
            (self.result, self.resultType) = (result, resultType)
        }
    }

    /// A transaction of the persistent history.
    open class NSPersistentHistoryTransaction: NSObject {
        fileprivate let transaction: PersistentHistoryTransaction
        /// The changes, in order; `nil` if the request did not ask for them.
        public private(set) var changes: [NSPersistentHistoryChange]?

        fileprivate init(
            _ transaction: PersistentHistoryTransaction,
            _ definition: ModelDefinition?,
            hasChanges: Bool
        ) {
            self.transaction = transaction
            super.init()
            guard hasChanges else { return }
            changes = transaction.changes.enumerated().map { index, change in
                NSPersistentHistoryChange(change, index, self, definition)
            }
        }

        /// The time of the save.
        open var timestamp: Date { transaction.timestamp }
        /// The number of the transaction.
        open var transactionNumber: Int64 { transaction.transactionNumber }
        /// The identifier of the store.
        open var storeID: String { transaction.storeID.uuidString }
        /// The name of the context that saved.
        open var contextName: String? { transaction.contextName }
        /// The author, `transactionAuthor` of the context that saved.
        open var author: String? { transaction.author }
        /// The token of the transaction.
        open var token: NSPersistentHistoryToken { transaction.token }

        /// Returns a notification that `mergeChanges(fromContextDidSave:)` of a context merges.
        open func objectIDNotification() -> Notification {
            let changes = transaction.objectIDChanges
            return Notification(
                name: ManagedObjectContext.didSaveObjectIDsNotification,
                userInfo: [
                    NSInsertedObjectIDsKey: changes.inserted, NSUpdatedObjectIDsKey: changes.updated,
                    NSDeletedObjectIDsKey: changes.deleted,
                ]
            )
        }
    }

    /// A change of an object in a transaction of the persistent history.
    open class NSPersistentHistoryChange: NSObject {
        /// The number of the change in its transaction.
        public let changeID: Int64
        /// The object ID of the object.
        public let changedObjectID: NSManagedObjectID
        /// The kind of change.
        public let changeType: NSPersistentHistoryChangeType
        /// The changed properties of an update.
        public let updatedProperties: Set<NSPropertyDescription>?
        /// The preserved values of a deleted object.
        public let tombstone: [AnyHashable: Any]?
        /// The transaction.
        public private(set) weak var transaction: NSPersistentHistoryTransaction?

        fileprivate init(
            _ change: PersistentHistoryChange,
            _ index: Int,
            _ transaction: NSPersistentHistoryTransaction,
            _ definition: ModelDefinition?
        ) {
            changeID = Int64(index + 1)
            changedObjectID = change.changedObjectID
            changeType = change.changeType
            self.transaction = transaction
            let properties = definition?.entity(named: change.changedObjectID.entityName)?.propertiesByName
            updatedProperties =
                change.changeType == .update ? Set(change.updatedProperties.compactMap { properties?[$0] }) : nil
            tombstone =
                change.changeType == .delete
                ? Dictionary(uniqueKeysWithValues: change.tombstone.map { ($0 as AnyHashable, $1.foundationValue) })
                : nil
        }
    }

    // MARK: Tokens and notifications

    /// The key of the history token in the user info of a notification of remote changes.
    public var NSPersistentHistoryTokenKey: String { "historyToken" }
    /// The key of the store's identifier in metadata, and in the user info of a notification of remote changes.
    public var NSStoreUUIDKey: String { "NSStoreUUID" }
    /// The key of the store's type in metadata.
    public var NSStoreTypeKey: String { "NSStoreType" }

    extension Notification.Name {
        /// A notification that a coordinator posts after each save to a store with
        /// `NSPersistentStoreRemoteChangeNotificationPostOptionKey`, also by other processes.
        public static var NSPersistentStoreRemoteChange: Notification.Name {
            Notification.Name("NSPersistentStoreRemoteChangeNotification")
        }
    }

    extension PersistentStoreCoordinator {
        /// Returns the token of the last transaction; `nil` if no store records its history.
        /// - Parameter stores: The stores, of which the first that records its history is used; `nil` for all.
        public func currentPersistentHistoryToken(fromStores stores: [Any]?) -> NSPersistentHistoryToken? {
            let stores = stores?.compactMap { $0 as? NSPersistentStore } ?? persistentStores
            return stores.lazy.compactMap { try? $0.currentPersistentHistoryToken() }.first
        }

        /// Posts notifications of the saves to a store.
        func postRemoteChanges(of store: NSPersistentStore) {
            let container = PersistentContainer(coordinator: self)
            let (remoteChanges, saves) = (container.remoteChanges, container.saves)
            let poster = RemoteChangePoster(self, store)
            Task.detached { for await _ in remoteChanges { poster.post() } }
            Task.detached { for await _ in saves { poster.post() } }
        }
    }

    /// Posts the notification of changes to a store.
    private final class RemoteChangePoster: Sendable {
        // Read by any thread, which a weak reference allows.
        nonisolated(unsafe) private weak var coordinator: PersistentStoreCoordinator?
        nonisolated(unsafe) private weak var store: PersistentStore?

        init(_ coordinator: PersistentStoreCoordinator, _ store: PersistentStore) {
            (self.coordinator, self.store) = (coordinator, store)
        }

        func post() {
            guard let coordinator, let store else { return }
            var userInfo: [AnyHashable: Any] = [NSStoreUUIDKey: store.identifier.uuidString]
            userInfo[NSPersistentHistoryTokenKey] = try? store.currentPersistentHistoryToken()
            NotificationCenter.default.post(
                name: .NSPersistentStoreRemoteChange,
                object: coordinator,
                userInfo: userInfo
            )
        }
    }
#endif
