package import Chordata
internal import Dispatch
internal import Synchronization

/// The connections of a store, each used by one caller at a time.
///
/// At most ``PostgresConfiguration/maximumConnectionCount`` connections are open. A caller that needs another one waits
/// until a connection is returned, in the order of the calls, and gives up after
/// ``PostgresConfiguration/connectionWaitTimeout`` with an error that names the users of the connections.
package final class PostgresPool: ServerDatabase {
    /// A caller that waits; all properties are protected by the mutex of the pool.
    private final class Waiter: @unchecked Sendable {
        let signal = DispatchSemaphore(value: 0)
        /// The connection that was returned; `nil` if the caller may open one.
        var connection: Idle?
    }

    /// An unused connection; unchecked because it is reached only through the mutex of the pool.
    private struct Idle: @unchecked Sendable {
        let connection: PostgresConnection
        let since: ContinuousClock.Instant
        let end: ContinuousClock.Instant
    }

    private struct Holder {
        let purpose: String
        let since: ContinuousClock.Instant
        /// The time after which the connection is replaced.
        let end: ContinuousClock.Instant
    }

    private struct State {
        var idle: [Idle] = []
        var holders: [ObjectIdentifier: Holder] = [:]
        /// The callers that are opening a connection.
        var openingCount = 0
        var waiting: [Waiter] = []
        var openCount: Int { idle.count + holders.count + openingCount }
    }

    let configuration: PostgresConfiguration
    private let prepares: PreparationSwitch
    private let state = Mutex(State())
    private let knownPlace = Mutex("")

    package init(_ configuration: PostgresConfiguration) {
        precondition(
            configuration.maximumConnectionCount > 0,
            "PostgresConfiguration.maximumConnectionCount is \(configuration.maximumConnectionCount); "
                + "it must be at least 1"
        )
        self.configuration = configuration
        prepares = PreparationSwitch(isOn: configuration.preparesStatements)
    }

    /// The host, the port, the database and the schema; known once a connection has been opened.
    package var place: String { knownPlace.withLock { $0 } }

    /// The number of connections that are open.
    package var openCount: Int { state.withLock { $0.openCount } }

    /// A Boolean value that indicates whether the connections prepare statements; they do until the server has lost a
    /// prepared statement.
    var preparesStatements: Bool { prepares.isOn }

    package var isConnectionAvailable: Bool {
        state.withLock { !$0.idle.isEmpty || $0.openCount < configuration.maximumConnectionCount }
    }

    package func take(for purpose: String) throws(StoreError) -> any ServerConnection {
        try takeConnection(for: purpose)
    }

    /// Takes a connection that has no other user until it is returned.
    package func takeConnection(for purpose: String) throws(StoreError) -> PostgresConnection {
        while true {
            guard let idle = try enter() else { return try open(purpose) }
            let now = ContinuousClock.now
            let isFresh = now < idle.end && now - idle.since < configuration.idleTimeout
            if isFresh, idle.connection.isUsable {
                hold(idle.connection, for: purpose, until: idle.end)
                return idle.connection
            }
            // The connection is closed, and the next one replaces it.
            didClose()
        }
    }

    package func release(_ connection: any ServerConnection) {
        guard let connection = connection as? PostgresConnection else {
            preconditionFailure("a connection was returned to the pool of another engine")
        }
        let isReturnable = connection.isReturnable
        let waiter = state.withLock { state -> Waiter? in
            guard let holder = state.holders.removeValue(forKey: ObjectIdentifier(connection)) else {
                preconditionFailure("a connection was returned twice")
            }
            let isKept = isReturnable && ContinuousClock.now < holder.end
            let idle = Idle(connection: connection, since: .now, end: holder.end)
            guard !state.waiting.isEmpty else {
                if isKept { state.idle.append(idle) }
                return nil
            }
            state.openingCount += 1
            let first = state.waiting.removeFirst()
            first.connection = isKept ? idle : nil
            return first
        }
        waiter?.signal.signal()
    }

    /// Closes the unused connections.
    package func closeIdle() {
        let closed = state.withLock { state in
            defer { state.idle = [] }
            return state.idle
        }
        withExtendedLifetime(closed) {}
    }

    // MARK: The limit

    /// Returns an unused connection; `nil` if the caller may open one.
    ///
    /// In both cases, a connection is counted as open until ``hold(_:for:until:)`` or ``didClose()``.
    private func enter() throws(StoreError) -> Idle? {
        enum Entry {
            case idle(Idle?)
            case waiter(Waiter)
        }
        let entry = state.withLock { state -> Entry in
            if let idle = state.idle.popLast() {
                state.openingCount += 1
                return .idle(idle)
            }
            if state.openCount < configuration.maximumConnectionCount {
                state.openingCount += 1
                return .idle(nil)
            }
            let waiter = Waiter()
            state.waiting.append(waiter)
            return .waiter(waiter)
        }
        switch entry {
        case .idle(let idle): return idle
        case .waiter(let waiter): return try wait(waiter)
        }
    }

    private func wait(_ waiter: Waiter) throws(StoreError) -> Idle? {
        let (seconds, attoseconds) = configuration.connectionWaitTimeout.components
        let time = DispatchTimeInterval.milliseconds(Int(seconds * 1_000 + attoseconds / 1_000_000_000_000_000))
        whileWaitingForServer { _ = waiter.signal.wait(timeout: .now() + time) }
        let holders = state.withLock { state -> [Holder]? in
            guard let place = state.waiting.firstIndex(where: { $0 === waiter }) else { return nil }
            state.waiting.remove(at: place)
            return Array(state.holders.values)
        }
        if let holders { throw exhausted(holders) }
        return state.withLock { _ in waiter.connection }
    }

    private func exhausted(_ holders: [Holder]) -> StoreError {
        let now = ContinuousClock.now
        let names = holders.sorted { $0.since < $1.since }.map { holder in
            "\(holder.purpose) (for \((now - holder.since).components.seconds) s)"
        }
        return StoreError(
            .timedOut,
            "all \(configuration.maximumConnectionCount) connections are in use, and none was returned within "
                + "PostgresConfiguration.connectionWaitTimeout; they are used by these contexts and operations: \(names.joined(separator: ", ")); end "
                + "their transactions earlier, or increase PostgresConfiguration.maximumConnectionCount",
            path: place
        )
    }

    private func open(_ purpose: String) throws(StoreError) -> PostgresConnection {
        do throws(StoreError) {
            let connection = try PostgresConnection(configuration, prepares: prepares)
            knownPlace.withLock { $0 = connection.place }
            let lifetime = configuration.connectionLifetime * Double.random(in: 0.8...1.2)
            hold(connection, for: purpose, until: .now + lifetime)
            return connection
        } catch {
            didClose()
            throw error
        }
    }

    private func hold(_ connection: PostgresConnection, for purpose: String, until end: ContinuousClock.Instant) {
        state.withLock { state in
            state.openingCount -= 1
            state.holders[ObjectIdentifier(connection)] = Holder(purpose: purpose, since: .now, end: end)
        }
    }

    /// Records that a connection was closed or was not opened; the first waiting caller may open another one.
    private func didClose() {
        let waiter = state.withLock { state -> Waiter? in
            guard !state.waiting.isEmpty else {
                state.openingCount -= 1
                return nil
            }
            return state.waiting.removeFirst()
        }
        waiter?.signal.signal()
    }
}
