internal import ChordataModel
internal import OrderedCollections

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

extension PersistentStore {
    /// Returns the token of the last transaction of the persistent history.
    /// - Throws: ``PersistentHistoryError/notTracked(path:)`` when the store does not track its history, ``StoreError``
    ///   when the store cannot be read.
    public func currentPersistentHistoryToken() throws -> PersistentHistoryToken {
        try readConsistently { connection in
            try requireHistory(connection)
            let last = try connection.historyRange().last
            return PersistentHistoryToken(
                storeID: identifier,
                transactionNumber: last,
                origin: try connection.historyOrigin(of: last) ?? 0
            )
        }
    }

    /// The number that identifies this open store as the writer of its transactions.
    private var historyOrigin: Int64 { server?.historyOrigin ?? sqlite.historyOrigin }

    fileprivate static let history = "transactions of the persistent history"

    /// Deletes the persistent history, and records no further transactions.
    ///
    /// Requests then throw ``PersistentHistoryError/notTracked(path:)``; if tracking is turned on again, all earlier
    /// tokens have expired. The method does nothing if the store does not track its history.
    /// - Throws: ``StoreError`` when the store cannot be written; `CancellationError` when the current task or the
    ///   current `Progress` is cancelled, and the history is then still tracked.
    public func stopTrackingHistory() throws {
        if let server { return try server.stopTrackingHistory() }
        let sqlite = try requireDatabase(for: Self.history)
        let progress = OperationProgress(expectedCount: nil)
        try sqlite.write(changesContents: false) { connection in
            guard try connection.hasHistory() else { return }
            try connection.interruptible(progress) { try dropHistory(connection) }
        } didCommit: { _ in
            sqlite.stopRecordingHistory()
        }
        progress?.finish()
    }

    func fetchHistory(_ request: PersistentHistoryChangeRequest) throws -> [PersistentHistoryTransaction] {
        if let partition {
            let stores = try partition.stores(of: request.start, request.affectedStores)
            return mergedByTime(try stores.map { try $0.fetchHistory(request) }, limit: request.fetchLimit)
        }
        return try readConsistently { connection in
            try requireHistory(connection)
            let start = try number(of: request.start, connection)
            let progress = OperationProgress(expectedCount: nil)
            let rows = try connection.readHistory(
                after: start,
                request.predicate,
                limit: max(0, request.fetchLimit),
                progress
            )
            let transactions = try rows.map { row in
                try progress?.checkCancellation()
                progress?.addUnit()
                return try transaction(of: row)
            }
            progress?.finish()
            return transactions
        }
    }

    func deleteHistory(_ request: PersistentHistoryDeleteRequest) throws -> Int {
        if let partition {
            let stores = try partition.stores(of: request.end, request.affectedStores)
            return try stores.reduce(0) { try $0 + $1.deleteHistory(request) }
        }
        if let server { return try deleteHistory(request, on: server) }
        let progress = OperationProgress(expectedCount: nil)
        let count = try requireDatabase(for: Self.history).write(changesContents: false) { connection in
            try requireHistory(connection)
            return try connection.interruptible(progress) {
                switch request.end {
                case .beginning: 0
                case .token: try connection.deleteHistory(before: number(of: request.end, connection))
                case .date(let date): try connection.deleteHistory(before: connection.historyNumber(from: date))
                }
            }
        }
        progress?.finish()
        return count
    }

    private func deleteHistory(
        _ request: PersistentHistoryDeleteRequest,
        on server: any ServerStoreEngine
    ) throws -> Int {
        let number: Int64? = try readConsistently { history in
            try requireHistory(history)
            return switch request.end {
            case .beginning: nil
            case .token: try self.number(of: request.end, history)
            case .date(let date): try history.historyNumber(from: date)
            }
        }
        let progress = OperationProgress(expectedCount: nil)
        try progress?.checkCancellation()
        try Task.checkCancellation()
        let count = try number.map { try server.deleteHistory(before: $0) } ?? 0
        progress?.finish()
        return count
    }

    /// Runs a closure whose statements all read the same state of the store.
    func readConsistently<Result>(_ body: (any HistorySource) throws -> Result) throws -> Result {
        var result: Result?
        if let server {
            try server.readHistory { result = try body($0) }
            return result!  // The body returned or threw.
        }
        let sqlite = try requireDatabase(for: Self.history)
        guard let connection = try sqlite.beginTransaction() else { return try sqlite.read(body) }
        defer { sqlite.endTransaction(connection) }
        try sqlite.read(with: .sqlite(connection)) { _ in result = try body(connection) }
        return result!  // The body returned or threw.
    }

    func requireHistory(_ connection: any HistorySource) throws {
        guard try connection.hasHistory() else { throw PersistentHistoryError.notTracked(path: path) }
    }

    /// Returns the number of the transaction at a position; for a date, the number of the last transaction before the
    /// date.
    func number(of start: PersistentHistoryPosition, _ connection: any HistorySource) throws -> Int64 {
        switch start {
        case .beginning: return 0
        case .date(let date): return try connection.historyNumber(from: date) - 1
        case .token(let token):
            guard token.storeID == identifier else {
                throw PersistentHistoryError.tokenOfAnotherStore(token, storeID: identifier)
            }
            let range = try connection.historyRange()
            let origin = try connection.historyOrigin(of: token.transactionNumber)
            // If the row does not exist, the token belongs to the last transaction before those that are kept.
            guard token.transactionNumber >= range.first - 1, token.transactionNumber <= range.last,
                origin == nil || origin == token.origin
            else { throw PersistentHistoryError.tokenExpired(token) }
            return token.transactionNumber
        }
    }

    func transaction(of row: HistoryRow) throws -> PersistentHistoryTransaction {
        transaction(of: row, try changes(of: row))
    }

    package func transaction(of row: HistoryRow, _ changes: [HistoryRowChange]) -> PersistentHistoryTransaction {
        PersistentHistoryTransaction(
            transactionNumber: row.id,
            storeID: identifier,
            timestamp: row.date,
            author: row.author,
            contextName: row.contextName,
            isRemote: row.origin != historyOrigin,
            changes: changes.map { row in
                PersistentHistoryChange(
                    changeType: row.kind,
                    changedObjectID: ManagedObjectID(runtimeEntity: row.type, key: row.key),
                    updatedProperties: row.properties,
                    tombstone: row.tombstone
                )
            },
            origin: row.origin
        )
    }

    /// A changed row of a transaction.
    package struct HistoryRowChange {
        let kind: PersistentHistoryChange.ChangeType
        let type: RuntimeEntity
        let key: Int64
        var version: Int64
        var properties: Set<String> = []
        var tombstone: [String: AttributeValue] = [:]
    }

    /// Returns the changed rows of a transaction, ordered by the names of their entities.
    package func changes(of row: HistoryRow) throws -> [HistoryRowChange] {
        // Changes that the server itself recorded are additional texts.
        let texts = row.changes.split(separator: "\n", omittingEmptySubsequences: false)
        let parts = try texts.map { text in
            do {
                return try JSONDecoder().decode([String: StoredHistory].self, from: Data(text.utf8))
            } catch {
                throw damaged(row, "its changes are not the JSON text that Chordata writes")
            }
        }
        if parts.count == 1 { return try changes(of: row, parts[0]) }
        return combined(try parts.flatMap { try changes(of: row, $0) })
    }

    /// Combines the changes of a transaction, several of which may concern the same row.
    private func combined(_ changes: [HistoryRowChange]) -> [HistoryRowChange] {
        var rows: OrderedDictionary<IdentityMap.Key, HistoryRowChange> = [:]
        for change in changes {
            let key = IdentityMap.Key(rootIndex: change.type.rootIndex, key: change.key)
            guard var known = rows[key] else {
                rows[key] = change
                continue
            }
            known.version = max(known.version, change.version)
            if known.kind == .update { known.properties.formUnion(change.properties) }
            rows[key] = known
        }
        return rows.values.sorted { left, right in
            left.type === right.type
                ? left.kind.rawValue < right.kind.rawValue : left.type.entity.name < right.type.entity.name
        }
    }

    private func changes(of row: HistoryRow, _ entities: [String: StoredHistory]) throws -> [HistoryRowChange] {
        var changes: [HistoryRowChange] = []
        for (name, stored) in entities.orderedByKey {
            guard let type = storeOfContexts.schema.runtimeEntity(named: name), !type.entity.isAbstract else {
                throw damaged(row, "the model has no entity '\(name)', or this entity is abstract")
            }
            let lists: [(PersistentHistoryChange.ChangeType, [[Int64]]?)] = [
                (.insert, stored.inserted), (.update, stored.updated), (.delete, stored.deleted),
            ]
            for (kind, rows) in lists {
                for values in rows ?? [] {
                    guard values.count >= 2, values[0] > 0, values[0] < Self.firstProvisionalKey, values[1] > 0 else {
                        throw damaged(row, "the row key or the row version of a change is missing or not valid")
                    }
                    var change = HistoryRowChange(kind: kind, type: type, key: values[0], version: values[1])
                    for place in values[2...] {
                        guard let names = stored.properties, names.indices.contains(Int(place)) else {
                            throw damaged(row, "a changed property has no name")
                        }
                        change.properties.insert(names[Int(place)])
                    }
                    change.tombstone = stored.tombstones?["\(change.key)"] ?? [:]
                    changes.append(change)
                }
            }
        }
        return changes
    }

    private func damaged(_ row: HistoryRow, _ reason: String) -> StoreError {
        StoreError(
            .incompleteStore,
            "transaction \(row.id) of the persistent history cannot be read, because \(reason); delete it and the "
                + "earlier transactions with deleteHistory(before:) and a date after this transaction, and read all objects again",
            path: path
        )
    }
}

/// Merges the transactions of several stores in order of time; the transactions of each store keep their order.
private func mergedByTime(_ lists: [[PersistentHistoryTransaction]], limit: Int) -> [PersistentHistoryTransaction] {
    let count = lists.reduce(0) { $0 + $1.count }
    var heads = lists.map(\.startIndex)
    var merged: [PersistentHistoryTransaction] = []
    while merged.count < (limit > 0 ? min(limit, count) : count) {
        let rest = lists.indices.filter { heads[$0] < lists[$0].endIndex }
        guard let first = rest.min(by: { lists[$0][heads[$0]].timestamp < lists[$1][heads[$1]].timestamp }) else {
            break
        }
        merged.append(lists[first][heads[first]])
        heads[first] += 1
    }
    return merged
}

extension StorePartition {
    /// Returns the stores of a request: the store of its token, or else the given stores, or else all stores that track
    /// their history.
    fileprivate func stores(of position: PersistentHistoryPosition, _ affected: [PersistentStore]?) throws
        -> [PersistentStore]
    {
        for store in affected ?? [] where !stores.contains(where: { $0 === store }) {
            throw StoreAssignmentError.unknownStore(path: store.path)
        }
        let asked = affected ?? stores
        if case .token(let token) = position {
            guard let store = asked.first(where: { $0.identifier == token.storeID }) else {
                throw PersistentHistoryError.tokenOfAnotherStore(token, storeID: asked.first?.identifier ?? UUID())
            }
            return [store]
        }
        if affected != nil { return asked }
        let tracking = try stores.filter {
            try $0.requireDatabase(for: PersistentStore.history).read { try $0.hasHistory() }
        }
        guard !tracking.isEmpty else { throw PersistentHistoryError.notTracked(path: stores[0].path) }
        return tracking
    }
}

extension ManagedObjectContext {
    /// Reads transactions of the persistent history of the store (rules H3 and H5 of <doc:Core-Data-Rules>).
    ///
    /// If the coordinator has several stores, the transactions of all stores that track their history are ordered by
    /// time; if the request has a token, only the transactions of the token's store are read.
    ///
    /// Changes of a transaction are ordered by the names of their entities: inserted, updated and deleted objects of
    /// each entity.
    /// - Returns: The transactions in the order of their commits.
    /// - Throws: ``PersistentHistoryError`` when the store does not track its history, or a token has expired or
    ///   belongs to another store, ``FetchPredicateError`` or ``FetchError`` when the predicate cannot be used for
    ///   transactions, ``StoreError`` when the store cannot be read, `CancellationError` when the current `Progress` is
    ///   cancelled.
    /// - Complexity: O(n) in the number of changes in these transactions.
    public func execute(_ request: PersistentHistoryChangeRequest) throws -> [PersistentHistoryTransaction] {
        try store.fetchHistory(request)
    }

    /// Deletes transactions of the persistent history of the store.
    ///
    /// A token expires when a transaction after the token's transaction is deleted.
    /// - Returns: The number of deleted transactions.
    /// - Throws: ``PersistentHistoryError`` when the store does not track its history, or a token has expired or
    ///   belongs to another store, ``StoreError`` when the store cannot be written, `CancellationError` when the
    ///   current task or the current `Progress` is cancelled.
    @discardableResult
    public func execute(_ request: PersistentHistoryDeleteRequest) throws -> Int {
        try store.deleteHistory(request)
    }
}
