internal import Synchronization

/// The read transaction of a context that is pinned to a state of the store.
///
/// The context uses it in its isolation. The store ends it on any thread when the write-ahead log, which SQLite cannot use
/// again from its beginning as long as the transaction is open, has grown too much.
final class PinnedGeneration: Sendable {
    private struct State: @unchecked Sendable {  // The context and the store use the connection one at a time.
        var connection: StoreReader?
        /// The number of reads that are in progress, each within another.
        var readCount = 0
        var isExpired = false
        /// The size of the log when the transaction began. The file of the log does not become shorter when SQLite uses
        /// it again from its beginning.
        var startSize = 0
    }

    private let store: PersistentStore
    private let state: Mutex<State>

    /// Begins a transaction that reads the newest state of the store.
    /// - Throws: ``StoreError`` when the store cannot be read, or has only one connection.
    init(_ store: PersistentStore) throws {
        self.store = store
        state = Mutex(State())
        let connection = try Self.begin(store)
        state.withLock { state in
            state.connection = connection
            state.startSize = store.sqlite.logSize
        }
        store.sqlite.generations.add(self)
    }

    deinit { end() }

    private static func begin(_ store: PersistentStore) throws -> sending StoreReader {
        nonisolated(unsafe) let connection = try store.engine.beginReading()
        guard let connection else {
            throw StoreError(
                .unsupportedEnvironment,
                "a store in memory has one connection, so no context can be pinned to a query generation; use a store in a file",
                path: store.path
            )
        }
        do {
            // The first read of the transaction decides which state it sees.
            if let sqlite = connection.sqlite { _ = try sqlite.integer("SELECT count(*) FROM sqlite_schema") }
        } catch {
            store.engine.endReading(connection)
            throw error
        }
        return connection
    }

    /// Runs a closure with the connection.
    /// - Throws: ``StoreError`` when the transaction was ended, and what the closure throws.
    func read(_ body: (StoreReader) throws -> Void) throws {
        expireIfNeeded()
        nonisolated(unsafe) let connection = state.withLock { state in
            if state.connection != nil { state.readCount += 1 }
            return state.connection
        }
        guard let connection else {
            throw StoreError(
                .queryGenerationExpired,
                "the query generation of the context has expired, because the write-ahead log has grown by more "
                    + "than StoreOptions.maximumPinnedLogSize; pin the context again, and refresh its objects",
                path: store.path
            )
        }
        defer { didRead() }
        try body(connection)
    }

    private func didRead() {
        let endsNow = state.withLock { state in
            state.readCount -= 1
            return state.isExpired && state.readCount == 0
        }
        if endsNow { end() }
    }

    /// Ends the transaction, and begins one that reads the newest state.
    ///
    /// If it cannot begin, the next read throws.
    func advance() {
        end()
        do {
            let connection = try Self.begin(store)
            state.withLock { state in
                state.connection = connection
                state.isExpired = false
                state.startSize = store.sqlite.logSize
            }
        } catch {
            return
        }
    }

    /// Ends the transaction.
    func end() {
        let box = state.withLock { state in
            defer { state.connection = nil }
            return State(connection: state.connection)
        }
        if let connection = box.connection { store.engine.endReading(connection) }
    }

    /// Ends the transaction if the write-ahead log is too large: at the end of the read, if one is in progress.
    func expireIfNeeded() {
        let limit = store.sqlite.generations.limit
        let size = store.sqlite.logSize
        let endsNow = state.withLock { state in
            guard size - state.startSize > limit else { return false }
            state.isExpired = true
            return state.readCount == 0
        }
        if endsNow { end() }
    }
}

/// The pinned contexts of a store.
final class PinnedGenerations: Sendable {
    private struct WeakGeneration: Sendable {
        weak var generation: PinnedGeneration?
    }

    private let list = Mutex<[WeakGeneration]>([])
    /// The maximum growth of the write-ahead log in bytes.
    let limit: Int
    /// A Boolean value that indicates whether a context may be pinned.
    private let isUsed = Atomic(false)

    init(limit: Int) {
        precondition(limit > 0, "StoreOptions.maximumPinnedLogSize is \(limit); it must be at least 1")
        self.limit = limit
    }

    func add(_ generation: PinnedGeneration) {
        list.withLock { list in
            list.removeAll { $0.generation == nil }
            list.append(WeakGeneration(generation: generation))
        }
        isUsed.store(true, ordering: .relaxed)
    }

    /// Ends the transactions of pinned contexts if the log has grown too much; called after each commit.
    @inline(__always)
    func didCommit() {
        if isUsed.load(ordering: .relaxed) { expire() }
    }

    private func expire() {
        let generations = list.withLock { list in
            list.removeAll { $0.generation == nil }
            return list.compactMap(\.generation)
        }
        if generations.isEmpty { return isUsed.store(false, ordering: .relaxed) }
        for generation in generations { generation.expireIfNeeded() }
    }
}
