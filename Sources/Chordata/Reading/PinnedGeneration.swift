internal import CChordataSQLite
internal import Dispatch
internal import Synchronization

/// The read transaction of a context that is pinned to a state of the store.
///
/// The context uses it in its isolation. The store ends it on any thread when the write-ahead log has grown too much,
/// because SQLite cannot reuse the log from its beginning as long as the transaction is open.
final class PinnedGeneration: Sendable {
    private struct State: @unchecked Sendable {  // The context and the store use the connection one at a time.
        /// `nil` if the next read begins the transaction, or if it has expired.
        var connection: StoreReader?
        /// The number of reads in progress, each nested in another.
        var readCount = 0
        var isExpired = false
        /// The size of the log when the transaction began.
        ///
        /// The file of the log does not become shorter when SQLite uses it again from its beginning.
        var startSize = 0

        /// Removes and returns the connection, unless a read is in progress.
        mutating func takeIdleConnection() -> State {
            guard readCount == 0 else { return State() }
            defer { connection = nil }
            return State(connection: connection)
        }
    }

    private let store: PersistentStore
    private let logPath: String
    private let state = Mutex(State())

    /// Begins a transaction that reads the newest state of the store.
    /// - Throws: ``StoreError`` when the store cannot be read, has only one connection, or consists of several stores.
    init(_ store: PersistentStore) throws {
        guard store.partition == nil else {
            throw StoreError(
                .unsupportedEnvironment,
                "a context of several stores, or of a store with a configuration, cannot be pinned to a query generation, because "
                    + "Chordata reads such stores through a connection for several files, and SQLite has no common state of several "
                    + "files; use one store without a configuration"
            )
        }
        _ = try store.requireDatabase(for: "pinned query generations")
        self.store = store
        logPath = realPath(store.path) + "-wal"
        try begin()
        store.sqlite.generations.add(self)
    }

    deinit { end() }

    private var logSize: Int { max(0, Int(chordata_file_size(logPath))) }

    /// Begins the transaction, if it has not begun.
    func begin() throws {
        if state.withLock({ $0.connection != nil || $0.isExpired }) { return }
        guard let connection = try store.engine.beginReading() else {
            throw StoreError(
                .unsupportedEnvironment,
                "a store in memory has one connection, so no context can be pinned to a query generation; use a store in a file",
                path: store.path
            )
        }
        do {
            try connection.sqlite?.beginSnapshot()
        } catch {
            store.engine.endReading(connection)
            throw error
        }
        let begun = State(connection: connection, startSize: logSize)
        state.withLock { $0 = begun }
    }

    /// Runs a closure with the connection.
    /// - Throws: ``StoreError`` when the transaction has expired or cannot begin, and any error that the closure
    ///   throws.
    func read(_ body: (StoreReader) throws -> Void) throws {
        expireIfNeeded()
        try begin()
        let current = state.withLock { state in
            // A nested read continues with the connection of the outer read.
            guard !state.isExpired || state.readCount > 0 else { return State() }
            state.readCount += 1
            return state
        }
        guard let connection = current.connection else {
            throw StoreError(
                .queryGenerationExpired,
                "the query generation of the context has expired, because the write-ahead log has grown by more than "
                    + "StoreOptions.maximumPinnedLogSize; pin the context again, and refresh its objects",
                path: store.path
            )
        }
        defer { didRead() }
        try body(connection)
    }

    private func didRead() {
        let ended = state.withLock { state in
            state.readCount -= 1
            return state.isExpired ? state.takeIdleConnection() : State()
        }
        if let connection = ended.connection { store.engine.endReading(connection) }
    }

    /// Ends the transaction; the next read begins a transaction that reads the newest state.
    func advance() {
        end()
        state.withLock { $0.isExpired = false }
    }

    /// Ends the transaction.
    func end() {
        let ended = state.withLock { $0.takeIdleConnection() }
        if let connection = ended.connection { store.engine.endReading(connection) }
    }

    /// Ends the transaction if the write-ahead log has grown too much; if a read is in progress, the transaction ends
    /// after it.
    func expireIfNeeded() {
        let (limit, size) = (store.sqlite.generations.limit, logSize)
        let ended = state.withLock { state in
            guard state.connection != nil, size - state.startSize > limit else { return State() }
            state.isExpired = true
            return state.takeIdleConnection()
        }
        if let connection = ended.connection { store.engine.endReading(connection) }
    }
}

/// The pinned contexts of a store.
final class PinnedGenerations: Sendable {
    private struct WeakGeneration: Sendable {
        weak var generation: PinnedGeneration?
    }

    private struct State: Sendable {
        var generations: [WeakGeneration] = []
        /// A Boolean value that indicates whether the log will be checked after the interval.
        var isCheckScheduled = false

        /// Removes the generations of contexts that are no longer pinned.
        mutating func removeEnded() { generations.removeAll { $0.generation == nil } }
    }

    /// The time between two checks of the log, which other processes write too.
    private static let checkInterval = DispatchTimeInterval.seconds(1)
    private let state = Mutex(State())
    /// The maximum growth of the write-ahead log in bytes.
    let limit: Int
    /// A Boolean value that indicates whether a context may be pinned; it is changed under the lock of the state.
    private let isUsed = Atomic(false)

    init(limit: Int) {
        precondition(limit > 0, "StoreOptions.maximumPinnedLogSize is \(limit); it must be at least 1")
        self.limit = limit
    }

    func add(_ generation: PinnedGeneration) {
        let schedulesCheck = state.withLock { state in
            state.removeEnded()
            state.generations.append(WeakGeneration(generation: generation))
            isUsed.store(true, ordering: .relaxed)
            defer { state.isCheckScheduled = true }
            return !state.isCheckScheduled
        }
        if schedulesCheck { scheduleCheck() }
    }

    /// Checks the log after the interval, and again as long as a context is pinned.
    private func scheduleCheck() {
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + Self.checkInterval) { [weak self] in
            guard let self else { return }
            expire()
            let continues = state.withLock { state in
                state.removeEnded()
                state.isCheckScheduled = !state.generations.isEmpty
                return state.isCheckScheduled
            }
            if continues { scheduleCheck() }
        }
    }

    /// Ends the transactions of pinned contexts if the log has grown too much; called after each commit.
    @inline(__always)
    func didCommit() {
        if isUsed.load(ordering: .relaxed) { expire() }
    }

    private func expire() {
        let generations = state.withLock { state in
            state.removeEnded()
            if state.generations.isEmpty { isUsed.store(false, ordering: .relaxed) }
            return state.generations.compactMap(\.generation)
        }
        for generation in generations { generation.expireIfNeeded() }
    }
}
