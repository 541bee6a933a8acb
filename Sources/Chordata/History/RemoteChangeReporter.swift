internal import Dispatch
internal import Synchronization

/// Reports what other programs write to a store, which it finds in the persistent history.
///
/// It asks for the number of the last transaction at intervals: there is no notification that works on every file
/// system and also if the other program ends immediately.
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

    /// Reads the transactions since the last call, and delivers those of others.
    func report(to store: PersistentStore) {
        last.withLock { last in
            do {
                let rows = try store.readHistory(after: last)
                for row in rows {
                    if row.origin != store.sqlite.historyOrigin { try store.deliverRemote(row) }
                    last = row.id
                }
            } catch {
                // The store is locked, or another program has migrated it. The next call tries again; contexts find out
                // by their own reads.
            }
        }
    }
}

/// The changes of a transaction that another container has written.
public struct RemoteChange: Sendable {
    /// The token of the transaction in the persistent history.
    public let token: PersistentHistoryToken
    /// The object IDs of the changed objects.
    public let changes: ObjectIDChanges
    /// The author, ``ManagedObjectContext/transactionAuthor``.
    public let author: String?
}

extension PersistentContainer {
    /// An asynchronous sequence of the future transactions of other containers, in this process or another
    /// (rule H6 of <doc:Core-Data-Rules>).
    ///
    /// The store must be opened with ``StoreOptions/reportsRemoteChanges``; otherwise the sequence has no values. When
    /// a value arrives, the changes were delivered to the contexts of this container: contexts that merge
    /// automatically merge them. Each access returns a new sequence, which finishes when the store is released.
    public var remoteChanges: AsyncStream<RemoteChange> { store.remoteChanges.makeStream() }
}

extension PersistentStore {
    /// Begins to report what others write from now on.
    func reportRemoteChanges() throws(StoreError) {
        guard !sqlite.isInMemory else { return }
        let start: Int64
        do {
            start = try sqlite.read { try hasHistory($0) ? $0.historyRange().last : 0 }
        } catch let error as StoreError {
            throw error
        } catch {
            preconditionFailure("reading the history has thrown \(error)")
        }
        let reporter = RemoteChangeReporter(self, after: start)
        self.reporter.withLock { $0 = reporter }
        reporter.start()
    }

    fileprivate func readHistory(after number: Int64) throws -> [SQLiteConnection.HistoryRow] {
        try sqlite.read { connection in
            try hasHistory(connection) ? connection.readHistory(after: number, nil) : []
        }
    }

    fileprivate func deliverRemote(_ row: SQLiteConnection.HistoryRow) throws {
        let changes = try changes(of: row)
        inboxes.deliverRemote(
            ChangeSet(
                rows: changes.map { change in
                    let kind: ChangeSet.Row.Kind =
                        switch change.kind {
                        case .insert: .inserted
                        case .update: .updated
                        case .delete: .deleted
                        }
                    var row = ChangeSet.Row(
                        kind: kind,
                        type: change.type,
                        key: change.key,
                        version: change.version,
                        values: nil
                    )
                    row.isRemote = true
                    return row
                }
            )
        )
        let transaction = try transaction(of: row)
        remoteChanges.send(
            RemoteChange(token: transaction.token, changes: transaction.objectIDChanges, author: row.author)
        )
    }
}
