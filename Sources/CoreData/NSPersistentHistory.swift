#if !canImport(Darwin)
    public import Chordata
    internal import ChordataModel
    public import Foundation

    /// The kind of result of a request for the persistent history.
    public enum NSPersistentHistoryResultType: Int, Sendable {
        /// A Boolean value that indicates whether the request succeeded.
        case statusOnly
        /// An array of the object IDs of the changed objects.
        case objectIDs
        /// The number of transactions, an `Int`.
        case count
        /// An array of the transactions, without their changes.
        case transactionsOnly
        /// An array of the changes of all transactions.
        case changesOnly
        /// An array of the transactions, with their changes.
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
        /// A request whose predicate selects transactions by `author`, `contextName`, `timestamp` and
        /// `transactionNumber`.
        open var fetchRequest: NSFetchRequest<any NSFetchRequestResult>?

        /// The token that the request was created with; `nil` if it was created otherwise.
        public let token: NSPersistentHistoryToken?

        private init(
            _ operation: Operation,
            _ resultType: NSPersistentHistoryResultType,
            _ token: NSPersistentHistoryToken? = nil
        ) {
            (self.operation, self.token) = (operation, token)
            self.resultType = resultType
        }

        private convenience init(_ request: PersistentHistoryChangeRequest) {
            self.init(.fetch(request), .transactionsAndChanges)
        }

        /// Returns a request for the transactions after a token, or for all transactions if the token is `nil`.
        public class func fetchHistory(after token: NSPersistentHistoryToken?) -> NSPersistentHistoryChangeRequest {
            NSPersistentHistoryChangeRequest(.fetch(.fetchHistory(after: token?.token)), .transactionsAndChanges, token)
        }

        /// Returns a request for the transactions after a date.
        public class func fetchHistory(after date: Date) -> NSPersistentHistoryChangeRequest {
            NSPersistentHistoryChangeRequest(.fetchHistory(after: date))
        }

        /// Returns a request for the transactions after a given transaction, or for all transactions if it is `nil`.
        public class func fetchHistory(
            after transaction: NSPersistentHistoryTransaction?
        ) -> NSPersistentHistoryChangeRequest {
            fetchHistory(after: transaction?.token)
        }

        /// Returns a request for the transactions that match a fetch request; see
        /// `NSPersistentHistoryTransaction.fetchRequest`.
        public class func fetchHistory(
            withFetch fetchRequest: NSFetchRequest<any NSFetchRequestResult>
        ) -> NSPersistentHistoryChangeRequest {
            let request = fetchHistory(after: nil as NSPersistentHistoryToken?)
            request.fetchRequest = fetchRequest
            return request
        }

        /// Returns a request that deletes the transactions before the transaction of a token; if it is `nil`, none.
        public class func deleteHistory(before token: NSPersistentHistoryToken?) -> NSPersistentHistoryChangeRequest {
            guard let token else { return NSPersistentHistoryChangeRequest(.nothing, .statusOnly) }
            return NSPersistentHistoryChangeRequest(.deletion(.deleteHistory(before: token.token)), .statusOnly, token)
        }

        /// Returns a request that deletes the transactions before a date.
        public class func deleteHistory(before date: Date) -> NSPersistentHistoryChangeRequest {
            NSPersistentHistoryChangeRequest(.deletion(.deleteHistory(before: date)), .statusOnly)
        }

        /// Returns a request that deletes the transactions before a given transaction; if it is `nil`, none.
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
                let count = try context.execute(request)
                return NSPersistentHistoryResult(resultType == .count ? count : true, resultType)
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
                return NSPersistentHistoryResult(result, resultType, transactions)
            }
        }
    }

    /// The result of a request for the persistent history.
    open class NSPersistentHistoryResult: NSPersistentStoreResult {
        /// The result, whose type depends on the result type of the request.
        public let result: Any?
        /// The kind of result.
        public let resultType: NSPersistentHistoryResultType

        /// The transactions of the changes, which reference them weakly.
        private let transactions: [NSPersistentHistoryTransaction]

        fileprivate init(
            _ result: Any?,
            _ resultType: NSPersistentHistoryResultType,
            _ transactions: [NSPersistentHistoryTransaction] = []
        ) {
            (self.result, self.resultType, self.transactions) = (result, resultType, transactions)
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
        open var token: NSPersistentHistoryToken { NSPersistentHistoryToken(transaction.token) }
        /// A new fetch request for transactions.
        ///
        /// Set its predicate, and pass it to `NSPersistentHistoryChangeRequest.fetchHistory(withFetch:)`.
        open class var fetchRequest: NSFetchRequest<any NSFetchRequestResult>? {
            NSFetchRequest(entityName: "Transaction")
        }

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
        /// A request for changes.
        open class var fetchRequest: NSFetchRequest<any NSFetchRequestResult>? { NSFetchRequest(entityName: "Change") }

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
            // An element of a composite attribute is reported as the attribute.
            let names = change.updatedProperties.map { String($0.prefix { $0 != "." }) }
            updatedProperties = change.changeType == .update ? Set(names.compactMap { properties?[$0] }) : nil
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
    /// The key of the store's URL in the user info of a notification of remote changes.
    public var NSPersistentStoreURLKey: String { "storeURL" }
    /// The key of the store's type in metadata.
    public var NSStoreTypeKey: String { "NSStoreType" }

    extension Notification.Name {
        /// A notification that a coordinator posts after each save to a store with
        /// `NSPersistentStoreRemoteChangeNotificationPostOptionKey`, including saves by other processes.
        public static var NSPersistentStoreRemoteChange: Notification.Name {
            Notification.Name("NSPersistentStoreRemoteChangeNotification")
        }
    }

    extension PersistentStoreCoordinator {
        /// Returns the token of the last transaction; `nil` if no store records its history.
        /// - Parameter stores: The stores; the first store that records its history is used. `nil` means all
        ///   stores.
        public func currentPersistentHistoryToken(fromStores stores: [Any]?) -> NSPersistentHistoryToken? {
            let stores = stores?.compactMap { $0 as? NSPersistentStore } ?? persistentStores
            return stores.lazy.compactMap { $0.token }.first
        }

        /// Posts notifications of the saves to stores, in place of those that were posted for fewer stores.
        func postRemoteChanges(of store: NSPersistentStore) { RemoteChangePosters.shared.add(store, of: self) }
    }

    extension PersistentStore {
        /// The token of the last transaction; `nil` if the store does not record its history.
        fileprivate var token: NSPersistentHistoryToken? {
            (try? currentPersistentHistoryToken()).map { NSPersistentHistoryToken($0) }
        }
    }

    /// The posters of all coordinators.
    private final class RemoteChangePosters: @unchecked Sendable {
        static let shared = RemoteChangePosters()
        private let lock = NSLock()
        private var posters: [RemoteChangePoster] = []

        func add(_ store: PersistentStore, of coordinator: PersistentStoreCoordinator) {
            lock.withLock {
                let former = posters.first { $0.coordinator === coordinator }
                former?.cancel()
                posters.removeAll { $0.coordinator == nil || $0 === former }
                posters.append(RemoteChangePoster(coordinator, (former?.openStores ?? []) + [store]))
            }
        }
    }

    /// Posts the notifications of changes to stores of a coordinator.
    private final class RemoteChangePoster: @unchecked Sendable {  // Its tokens are used by one task at a time.
        private(set) weak var coordinator: PersistentStoreCoordinator?
        /// The stores, which the coordinator keeps open.
        private let stores: [WeakStore]
        private let lock = NSLock()
        private var tokens: [UUID: NSPersistentHistoryToken] = [:]
        private var tasks: [Task<Void, Never>] = []

        init(_ coordinator: PersistentStoreCoordinator, _ stores: [PersistentStore]) {
            (self.coordinator, self.stores) = (coordinator, stores.map { WeakStore(store: $0) })
            for store in stores { tokens[store.identifier] = store.token }
            guard let (remoteChanges, saves) = coordinator.makeStreamsOfChanges() else { return }
            tasks = [
                Task.detached { [weak self] in for await _ in remoteChanges { self?.post() } },
                Task.detached { [weak self] in for await _ in saves { self?.post() } },
            ]
        }

        private struct WeakStore {
            weak var store: PersistentStore?
        }

        var openStores: [PersistentStore] { stores.compactMap(\.store) }

        func cancel() { for task in tasks { task.cancel() } }

        private func post() {
            guard let coordinator else { return }
            for store in openStores {
                let token = store.token
                // Each store reports its own transactions; they are not known if the store does not record its history.
                let isNew = lock.withLock {
                    defer { tokens[store.identifier] = token }
                    return token == nil || token != tokens[store.identifier]
                }
                guard isNew else { continue }
                var userInfo: [AnyHashable: Any] = [NSStoreUUIDKey: store.identifier.uuidString]
                userInfo[NSPersistentStoreURLKey] = store.url
                userInfo[NSPersistentHistoryTokenKey] = token
                NotificationCenter.default.post(
                    name: .NSPersistentStoreRemoteChange,
                    object: coordinator,
                    userInfo: userInfo
                )
            }
        }
    }

    /// The position of a transaction in the persistent history.
    public final class NSPersistentHistoryToken: NSObject, NSSecureCoding, NSCopying, Sendable {
        let token: PersistentHistoryToken

        init(_ token: PersistentHistoryToken) { self.token = token }

        /// A Boolean value that indicates whether tokens can be decoded securely; `true`.
        public static var supportsSecureCoding: Bool { true }

        /// Decodes a token; returns `nil` if the archive has no token.
        public init?(coder: NSCoder) {
            guard let data = coder.decodeObject(of: NSData.self, forKey: "token"),
                let token = try? JSONDecoder().decode(PersistentHistoryToken.self, from: data as Data)
            else { return nil }
            self.token = token
        }

        /// Encodes the token.
        public func encode(with coder: NSCoder) {
            guard let data = try? JSONEncoder().encode(token) else { return }
            coder.encode(data as NSData, forKey: "token")
        }

        /// Returns the token itself.
        public func copy(with zone: NSZone? = nil) -> Any { self }
        public override func isEqual(_ object: Any?) -> Bool { (object as? NSPersistentHistoryToken)?.token == token }
        public override var hash: Int { token.hashValue }
        public override var description: String { "\(token.storeID) \(token.transactionNumber)" }
    }
#endif
