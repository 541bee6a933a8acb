internal import Dispatch
internal import Synchronization

/// The pool of the connections that read a store.
///
/// At most ``limit`` connections are open at a time. A caller that needs another one waits until a connection is
/// returned or closed, in the order of the calls, and gives up after ``timeout``. So a context that uses a connection
/// and needs a second one waits for a limited time.
///
/// Each connection has a ``Lease``. While the lease lasts, the connection counts as open. The lease ends when the
/// connection is released, or earlier. So a connection that is released without being returned is counted correctly,
/// too.
final class ReaderPool: Sendable {
    /// A caller that waits; all properties are protected by the mutex of the pool.
    private final class Waiter: @unchecked Sendable {
        let signal = DispatchSemaphore(value: 0)
        /// The connection that was returned; `nil` if the caller may open one.
        var connection: ConnectionBox?
        /// A Boolean value that indicates whether the caller needs a connection that no reader has used.
        let needsNew: Bool

        init(needsNew: Bool) { self.needsNew = needsNew }
    }

    private struct State {
        var idle: [ConnectionBox] = []
        /// If callers wait, no connection is idle, and the maximum number of connections is open.
        var waiting: [Waiter] = []
        var counts = StoreStatistics.Readers()
    }

    /// The part of a connection that makes the pool count it as open.
    final class Lease: Sendable {
        private struct WeakPool: Sendable {
            weak var pool: ReaderPool?
        }

        private let pool: WeakPool
        private let hasEnded = Atomic(false)

        fileprivate init(_ pool: ReaderPool) { self.pool = WeakPool(pool: pool) }
        deinit { end() }

        /// Counts the connection as closed, once.
        ///
        /// The pool calls this method for the connections that it closes, after it has unlocked the mutex. Without
        /// the call, the optimizer could release a connection while the mutex is still locked, and the end of the
        /// lease locks the mutex.
        fileprivate func end() {
            if !hasEnded.exchange(true, ordering: .relaxed) { pool.pool?.didClose() }
        }
    }

    private enum Entry {
        case connection(ConnectionBox)
        case opening
        case waiting(Waiter)
    }

    /// The maximum number of connections that are open at a time.
    private let limit: Int
    /// The maximum time that a caller waits.
    private let timeout: Duration
    private let path: String
    private let state = Mutex(State())

    /// The maximum number of idle connections, each with its cache.
    private static let idleLimit = 4

    init(limit: Int, timeout: Duration, path: String) {
        precondition(limit > 0, "StoreOptions.maximumReaderCount is \(limit); it must be at least 1")
        self.limit = limit
        self.timeout = timeout
        self.path = path
    }

    /// The current numbers of connections, and the counts so far.
    var statistics: StoreStatistics.Readers {
        state.withLock { state in
            var counts = state.counts
            counts.idleCount = state.idle.count
            counts.busyCount = counts.openCount - counts.idleCount
            counts.waitingCount = state.waiting.count
            return counts
        }
    }

    /// Takes an idle connection, or opens one.
    /// - Throws: ``StoreError`` if the limit is reached for longer than the timeout, and any error that the closure
    ///   throws.
    @inline(__always)
    func take(opening open: () throws -> SQLiteConnection) throws -> ConnectionBox {
        if let box = state.withLock({ $0.idle.popLast() }) { return box }
        return try connect(enter(needsNew: false), opening: open)
    }

    /// Opens a connection that is not returned to the pool.
    /// - Throws: ``StoreError`` if the limit is reached for longer than the timeout, and any error that the closure
    ///   throws.
    func makeOwn(opening open: () throws -> SQLiteConnection) throws -> SQLiteConnection {
        try connect(enter(needsNew: true), opening: open).connection
    }

    /// Returns a connection to the pool, for a waiting caller or for the next one; closes it if enough connections are
    /// idle.
    @inline(__always)
    func keep(_ box: ConnectionBox) {
        let isKept = state.withLock { state in
            guard state.waiting.isEmpty, state.idle.count < Self.idleLimit else { return false }
            state.idle.append(box)
            return true
        }
        if !isKept { giveOrClose(box) }
    }

    /// Gives a connection to the first waiting caller, or closes it.
    private func giveOrClose(_ box: ConnectionBox) {
        let waiter = state.withLock { state -> Waiter? in
            // A caller that needs a new connection opens it when this one is closed.
            guard let first = state.waiting.first, !first.needsNew else { return nil }
            first.connection = box
            return state.waiting.removeFirst()
        }
        if let waiter { waiter.signal.signal() } else { box.connection.lease?.end() }
    }

    /// Closes the idle connections.
    func closeIdle() {
        var idle = state.withLock { state in
            defer { state.idle = [] }
            return state.idle
        }
        // The last connection to a file checkpoints the log when it is closed, if it is allowed to.
        if let first = idle.firstIndex(where: \.connection.checkpointsAtClose) { idle.append(idle.remove(at: first)) }
        while !idle.isEmpty { idle.removeFirst().connection.lease?.end() }
    }

    // MARK: The limit

    private func enter(needsNew: Bool) -> Entry {
        var closed: ConnectionBox?
        let entry = state.withLock { state -> Entry in
            if !needsNew, let box = state.idle.popLast() { return .connection(box) }
            if state.counts.openCount < limit {
                state.counts.openCount += 1
                state.counts.peakOpenCount = max(state.counts.peakOpenCount, state.counts.openCount)
                return .opening
            }
            let waiter = Waiter(needsNew: needsNew)
            closed = state.idle.popLast()
            if closed == nil { state.counts.waitCount += 1 }
            state.waiting.append(waiter)
            return .waiting(waiter)
        }
        // This serves the first waiting caller, which is this one.
        closed?.connection.lease?.end()
        return entry
    }

    private func connect(_ entry: Entry, opening open: () throws -> SQLiteConnection) throws -> ConnectionBox {
        switch entry {
        case .connection(let box): return box
        case .opening: break
        case .waiting(let waiter): if let box = try wait(waiter) { return box }
        }
        do {
            let connection = try open()
            connection.lease = Lease(self)
            state.withLock { $0.counts.openedCount += 1 }
            return ConnectionBox(connection)
        } catch {
            didClose()
            throw error
        }
    }

    /// Blocks the thread until a connection is returned or closed.
    /// - Returns: The connection; `nil` if the caller may open one.
    private func wait(_ waiter: Waiter) throws(StoreError) -> ConnectionBox? {
        var isServed = false
        StoreThreadPool.whileBlocked {
            let time = DispatchTimeInterval.milliseconds(Int(milliseconds(timeout)))
            isServed = waiter.signal.wait(timeout: .now() + time) == .success
        }
        let busyCount = state.withLock { state -> Int? in
            guard !isServed, let place = state.waiting.firstIndex(where: { $0 === waiter }) else { return nil }
            state.waiting.remove(at: place)
            state.counts.exhaustedCount += 1
            return state.counts.openCount
        }
        if let busyCount {
            throw StoreError(
                .readerLimitExceeded,
                "\(busyCount) of \(limit) connections for reading are in use, and none was returned within "
                    + "StoreOptions.busyTimeout; read again later, or increase StoreOptions.maximumReaderCount",
                path: path
            )
        }
        return state.withLock { _ in waiter.connection.take() }
    }

    /// Records that a connection was closed or was not opened; the first waiting caller may open another one.
    private func didClose() {
        let waiter = state.withLock { state -> Waiter? in
            guard !state.waiting.isEmpty else {
                state.counts.openCount -= 1
                return nil
            }
            return state.waiting.removeFirst()
        }
        waiter?.signal.signal()
    }
}

/// A box that transfers a connection between the pool and the one thread that uses it.
///
/// Unchecked because a connection is only ever reached through the mutex of ``ReaderPool``: it is either in the pool or
/// in use by one caller.
struct ConnectionBox: @unchecked Sendable {
    let connection: SQLiteConnection
    init(_ connection: SQLiteConnection) { self.connection = connection }
}
