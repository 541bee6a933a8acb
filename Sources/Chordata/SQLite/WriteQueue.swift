internal import CChordataSQLite
internal import Dispatch
internal import Synchronization

/// The queue of the writers of a store: one has its turn, and the others get theirs in the order of their arrival.
///
/// A thread waits blocked, a task suspended. A save that a thread waits with can be executed by the thread before it,
/// so that several saves share one transaction.
final class WriteQueue: Sendable {
    /// A writer that waits. All properties are protected by the mutex of the queue.
    private final class Waiter: @unchecked Sendable {
        let save: QueuedSave?
        /// Signals the thread; `nil` for a task.
        let signal: DispatchSemaphore?
        var continuation: UnsafeContinuation<Void, any Error>?
        var isCancelled = false
        /// A Boolean value that indicates whether there is a limit of the time in which the task has to come.
        var isLimited = false
        /// A Boolean value that indicates whether another thread has executed the save.
        var isExecuted = false
        var next: Waiter?

        init(_ save: QueuedSave?, blocksThread: Bool) {
            self.save = save
            signal = blocksThread ? DispatchSemaphore(value: 0) : nil
        }
    }

    private struct State {
        var isTaken = false
        /// The thread on which a task has its turn: what it writes meanwhile is a part of the turn. 0 for none.
        var owner: UInt = 0
        /// The task that was called for its turn and has not come yet. Threads do not wait for it: its actor may be
        /// busy.
        var called: Waiter?
        var first: Waiter?
        var last: Waiter?
        var count = 0

        mutating func append(_ waiter: Waiter) {
            if let last { last.next = waiter } else { first = waiter }
            last = waiter
            count += 1
        }

        mutating func prepend(_ waiter: Waiter) {
            waiter.next = first
            first = waiter
            if last == nil { last = waiter }
            count += 1
        }

        mutating func popFirst() -> Waiter? {
            guard let waiter = first else { return nil }
            first = waiter.next
            if first == nil { last = nil }
            waiter.next = nil
            count -= 1
            return waiter
        }

        mutating func popFirstThread() -> Waiter? {
            var waiter = first
            while let candidate = waiter, candidate.signal == nil { waiter = candidate.next }
            guard let waiter, remove(waiter) else { return nil }
            return waiter
        }

        mutating func remove(_ waiter: Waiter) -> Bool {
            var previous: Waiter?
            var current = first
            while let candidate = current, candidate !== waiter { (previous, current) = (candidate, candidate.next) }
            guard current != nil else { return false }
            if let previous { previous.next = waiter.next } else { first = waiter.next }
            if last === waiter { last = previous }
            waiter.next = nil
            count -= 1
            return true
        }
    }

    private enum Entry {
        case turn, partOfTurn
        case waiting(Waiter)
    }

    private let state = Mutex(State())

    /// The number of writers that wait.
    var waitingCount: Int { state.withLock { $0.count } }

    private static var thread: UInt { UInt(bitPattern: chordata_thread()) }

    // MARK: Threads

    /// Runs a closure as the only writer; blocks the thread until it is its turn.
    func withTurn<Result>(_ body: () throws -> Result) rethrows -> Result {
        switch enter(nil) {
        case .turn: break
        case .partOfTurn: return try body()
        case .waiting(let waiter): block(waiter)
        }
        defer { finishTurn() }
        return try body()
    }

    /// Runs a closure as the only writer, unless another one has its turn.
    func withTurnIfAvailable(_ body: () throws -> Void) rethrows {
        let thread = Self.thread
        let entry = state.withLock { state -> Entry? in
            if state.isTaken { return state.owner == thread ? .partOfTurn : nil }
            state.isTaken = true
            return .turn
        }
        switch entry {
        case nil, .waiting: return
        case .partOfTurn: try body()
        case .turn:
            defer { finishTurn() }
            try body()
        }
    }

    /// Executes a save; blocks the thread until it is its turn, or until another thread has executed it.
    /// - Parameters:
    ///   - save: The save, which has its result afterwards.
    ///   - executeAlone: A closure that executes it.
    ///   - executeGroup: A closure that executes it and those of threads that wait for their turn.
    func execute(
        _ save: QueuedSave,
        groupLimit: Int,
        alone executeAlone: () -> Void,
        group executeGroup: ([QueuedSave]) -> Void
    ) {
        switch enter(save) {
        case .partOfTurn: return executeAlone()
        case .turn:
            defer { finishTurn() }
            executeAlone()
        case .waiting(let waiter):
            guard !block(waiter) else { return }
            let others = takeSaves(groupLimit - 1)
            if others.isEmpty { executeAlone() } else { executeGroup([save] + others.compactMap(\.save)) }
            state.withLock { _ in for other in others { other.isExecuted = true } }
            for other in others { other.signal?.signal() }
            finishTurn()
        }
    }

    private func enter(_ save: QueuedSave?, atFront: Bool = false) -> Entry {
        let thread = Self.thread
        return state.withLock { state in
            guard state.isTaken else {
                state.isTaken = true
                return .turn
            }
            if state.owner == thread { return .partOfTurn }
            let waiter = Waiter(save, blocksThread: true)
            if atFront { state.prepend(waiter) } else { state.append(waiter) }
            return .waiting(waiter)
        }
    }

    /// Blocks the thread until it has its turn, or another thread has executed its save.
    /// - Returns: Whether the save was executed.
    @discardableResult
    private func block(_ waiter: Waiter) -> Bool {
        StoreThreadPool.whileBlocked { waiter.signal?.wait() }
        return state.withLock { _ in waiter.isExecuted }
    }

    /// Removes those from the beginning of the queue whose saves can be executed by another thread.
    private func takeSaves(_ limit: Int) -> [Waiter] {
        state.withLock { state in
            var taken: [Waiter] = []
            while taken.count < limit, state.first?.save != nil, let waiter = state.popFirst() { taken.append(waiter) }
            return taken
        }
    }

    // MARK: Tasks

    /// The time in which a called task has to come, if other tasks wait behind it.
    private static let callTime = DispatchTimeInterval.milliseconds(20)
    /// The number of calls that a task can miss before it waits for its turn blocked.
    private static let missLimit = 3

    /// Waits for the turn of a task without a thread; ``finishTurn()`` ends it.
    ///
    /// A task is called for its turn, but does not have it before it runs, so a busy actor delays no other writer. If a
    /// thread was faster, the task waits again, as the first one.
    /// - Throws: `CancellationError` if the task is cancelled while it waits.
    func takeTurn(isolation: isolated (any Actor)? = #isolation) async throws {
        for miss in 0..<Self.missLimit {
            let waiter = Waiter(nil, blocksThread: false)
            try await wait(waiter, isFirstTime: miss == 0)
            let hasTurn = state.withLock { state in
                // Nobody was there.
                if waiter.continuation == nil { return true }
                if state.called === waiter { state.called = nil }
                if state.isTaken { return false }
                state.isTaken = true
                return true
            }
            if hasTurn { return }
        }
        if case .waiting(let waiter) = enter(nil, atFront: true) { block(waiter) }
    }

    /// Suspends the task until it is called; not at all if nobody is there.
    private func wait(
        _ waiter: Waiter,
        isFirstTime: Bool,
        isolation: isolated (any Actor)? = #isolation
    ) async throws {
        try await withTaskCancellationHandler {
            try await withUnsafeThrowingContinuation { continuation in
                enum Arrival { case turn, cancelled, waiting }
                let arrival = state.withLock { state -> Arrival in
                    if waiter.isCancelled { return .cancelled }
                    guard state.isTaken || isFirstTime && state.called != nil else {
                        state.isTaken = true
                        return .turn
                    }
                    waiter.continuation = continuation
                    if isFirstTime { state.append(waiter) } else { state.prepend(waiter) }
                    if !state.isTaken { limitCall(of: state.called) }
                    return .waiting
                }
                switch arrival {
                case .turn: continuation.resume()
                case .cancelled: continuation.resume(throwing: CancellationError())
                case .waiting: break
                }
            }
        } onCancel: {
            let continuation = state.withLock { state -> UnsafeContinuation<Void, any Error>? in
                waiter.isCancelled = true
                guard state.remove(waiter) else { return nil }
                return waiter.continuation
            }
            continuation?.resume(throwing: CancellationError())
        }
    }

    /// Makes sure that tasks behind a called one need not wait for its actor.
    private func limitCall(of waiter: Waiter?) {
        guard let waiter, !waiter.isLimited else { return }
        waiter.isLimited = true
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.callTime) { [weak self] in
            guard let self else { return }
            let next = state.withLock { state -> Waiter? in
                guard state.called === waiter else { return nil }
                state.called = nil
                return state.isTaken ? nil : nextWriter(&state)
            }
            wake(next)
        }
    }

    /// Runs a closure within the turn of a task: what it writes does not wait for the turn.
    func withOwnTurn<Result>(_ body: () throws -> Result) rethrows -> Result {
        let thread = Self.thread
        state.withLock { $0.owner = thread }
        defer { state.withLock { $0.owner = 0 } }
        return try body()
    }

    /// Ends a turn: the next writer has its own.
    func finishTurn() {
        wake(state.withLock { nextWriter(&$0) })
    }

    /// Gives the turn to the first thread, or calls the first task.
    private func nextWriter(_ state: inout State) -> Waiter? {
        let next = state.first?.signal == nil && state.called == nil ? state.popFirst() : state.popFirstThread()
        state.isTaken = next?.signal != nil
        if let next, next.signal == nil { state.called = next }
        if !state.isTaken, state.first != nil { limitCall(of: state.called) }
        return next
    }

    private func wake(_ waiter: Waiter?) {
        waiter?.signal?.signal()
        waiter?.continuation?.resume()
    }
}
