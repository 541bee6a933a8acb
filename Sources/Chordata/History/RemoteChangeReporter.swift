internal import Dispatch
internal import Synchronization

/// Reports the changes that other programs write to a store, as recorded in the persistent history.
///
/// It polls the number of the last transaction, because no notification works on every file system and also when the
/// other program exits immediately.
final class RemoteChangeReporter: Sendable {
    private static let interval = DispatchTimeInterval.milliseconds(100)

    private struct WeakStore: Sendable {
        weak var store: PersistentStore?
    }

    private let store: WeakStore
    /// The number of the last transaction that was read.
    private let last: Mutex<Int64>

    init(_ store: PersistentStore, after number: Int64) {
        self.store = WeakStore(store: store)
        last = Mutex(number)
    }

    /// Calls ``report(to:)`` after each interval, until the reporter is released.
    func start() {
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + Self.interval) { [weak self] in
            guard let self, let store = store.store else { return }
            report(to: store)
            start()
        }
    }

    /// The number of transactions that are read together.
    private static let batchSize = 100

    /// Reads the transactions since the last call, and delivers those that other containers wrote.
    func report(to store: PersistentStore) {
        last.withLock { last in
            do {
                while true {
                    let (first, rows) = try store.readHistory(after: last, limit: Self.batchSize)
                    if let first, first > last + 1 {
                        // Transactions were deleted before they were read here.
                        last = first - 1
                        store.reportGap(before: first)
                    }
                    for row in rows {
                        if row.origin != store.sqlite.historyOrigin { try deliver(row, of: store) }
                        last = row.id
                    }
                    if rows.count < Self.batchSize { return }
                }
            } catch {
                // The store is locked, or another program has migrated it. The next call tries again; contexts get the
                // error from their own reads.
            }
        }
    }

    private func deliver(_ row: HistoryRow, of store: PersistentStore) throws {
        do {
            try store.deliverRemote(row)
        } catch let error as StoreError where error.code == .incompleteStore {
            // The changes of this transaction cannot be read, now or later.
            store.reportGap(before: row.id + 1, origin: row.origin)
        }
    }
}

/// The changes of a transaction that another container has written.
public struct RemoteChange: Sendable {
    /// The token of the transaction in the persistent history.
    public let token: PersistentHistoryToken
    /// The object IDs of the changed objects.
    ///
    /// If transactions were deleted from the history before the container read them, or cannot be read,
    /// ``ObjectIDChanges/invalidatesAll`` is `true`: pass the changes to ``ManagedObjectContext/mergeChanges(_:)`` of
    /// each context, which then reads its objects without unsaved changes again.
    public let changes: ObjectIDChanges
    /// The author, ``ManagedObjectContext/transactionAuthor``.
    public let author: String?
}

extension PersistentContainer {
    /// An asynchronous sequence of the future transactions of other containers, in this process or another
    /// (rule H6 of <doc:Core-Data-Rules>).
    ///
    /// The store must be opened with ``StoreOptions/reportsRemoteChanges``; otherwise the sequence has no values. When
    /// a value arrives, the changes have been delivered to the contexts of this container: contexts that merge
    /// automatically merge them, except for a value with ``ObjectIDChanges/invalidatesAll``, which you merge yourself.
    /// Each access returns a new sequence, which finishes when the store is released.
    public var remoteChanges: AsyncStream<RemoteChange> { store.remoteChanges.makeStream() }
}

extension PersistentStoreCoordinator {
    /// Returns streams of the transactions of other containers and of the saves, for the module `CoreData`; stores can
    /// still be added afterwards.
    package func makeStreamsOfChanges()
        -> (remoteChanges: AsyncStream<RemoteChange>, saves: AsyncStream<ContextSave>)?
    {
        currentStoreOfContexts.map { ($0.remoteChanges.makeStream(), $0.saves.makeStream()) }
    }
}

extension PersistentStore {
    /// Starts to report the transactions that other containers write from now on.
    func reportRemoteChanges() throws(StoreError) {
        guard !sqlite.isInMemory else { return }
        let start: Int64
        do {
            start = try sqlite.read { try $0.hasHistory() ? $0.historyRange().last : 0 }
        } catch let error as StoreError {
            throw error
        } catch {
            preconditionFailure("reading the history has thrown \(error)")
        }
        let reporter = RemoteChangeReporter(self, after: start)
        self.reporter.withLock { $0 = reporter }
        reporter.start()
    }

    /// - Returns: The number of the first transaction that is kept, and the transactions; `nil` and an empty array if
    ///   the store does not track its history.
    fileprivate func readHistory(after number: Int64, limit: Int) throws -> (
        first: Int64?, rows: [HistoryRow]
    ) {
        try readConsistently { connection in
            guard try connection.hasHistory() else { return (nil, []) }
            let first = try connection.historyRange().first
            return (first, try connection.readHistory(after: number, nil, limit: limit, nil))
        }
    }

    /// Reports that transactions are missing.
    package func reportGap(before number: Int64, origin: Int64 = 0) {
        let token = PersistentHistoryToken(storeID: identifier, transactionNumber: number - 1, origin: origin)
        storeOfContexts.remoteChanges.send(
            RemoteChange(token: token, changes: ObjectIDChanges(invalidatesAll: true), author: nil)
        )
    }

    fileprivate func deliverRemote(_ row: HistoryRow) throws {
        let changes = try changes(of: row)
        let receiver = storeOfContexts
        // The closure runs in a turn of the write queue, so that no save of this container comes between the check and
        // the delivery.
        try receiver.sqlite.writeQueue.withTurn(isLimited: false) {
            let missing = try sqlite.read { try missingRows(of: changes, .sqlite($0)) }
            receiver.inboxes.queueRemote(changeSet(of: changes, except: missing))
        }
        receiver.inboxes.deliver()
        sendRemoteChange(row, transaction(of: row, changes))
    }

    /// Returns the changes of a transaction as a change set for contexts.
    /// - Parameter missing: The rows that a later transaction has deleted.
    package func changeSet(of changes: [HistoryRowChange], except missing: Set<IdentityMap.Key>) -> ChangeSet {
        ChangeSet(
            rows: changes.compactMap { change in
                let key = IdentityMap.Key(rootIndex: change.type.rootIndex, key: change.key)
                if change.kind != .delete, missing.contains(key) { return nil }
                return change.row
            }
        )
    }

    package func sendRemoteChange(_ row: HistoryRow, _ transaction: PersistentHistoryTransaction) {
        storeOfContexts.remoteChanges.send(
            RemoteChange(token: transaction.token, changes: transaction.objectIDChanges, author: row.author)
        )
    }
}

extension PersistentStore {
    /// Returns the inserted and updated rows that no longer exist in the store.
    package func missingRows(of changes: [HistoryRowChange], _ reader: StoreReader) throws -> Set<IdentityMap.Key> {
        var rows: [Int: [Int64]] = [:]
        for change in changes where change.kind != .delete { rows[change.type.index, default: []].append(change.key) }
        var missing: Set<IdentityMap.Key> = []
        for (index, keys) in rows {
            let type = schema.runtimeEntities[index]
            for key in keys { missing.insert(IdentityMap.Key(rootIndex: type.rootIndex, key: key)) }
            try reader.forEachVersion(of: keys, type, schema.dialect) { key, _, _ in
                missing.remove(IdentityMap.Key(rootIndex: type.rootIndex, key: key))
            }
        }
        return missing
    }
}

extension PersistentStore.HistoryRowChange {
    fileprivate var row: ChangeSet.Row {
        let kind: ChangeSet.Row.Kind =
            switch self.kind {
            case .insert: .inserted
            case .update: .updated
            case .delete: .deleted
            }
        var row = ChangeSet.Row(kind: kind, type: type, key: key, version: version, values: nil)
        row.isRemote = true
        return row
    }
}
