internal import CChordataSQLite
internal import Dispatch
internal import Synchronization

/// The queue of the writers of a store: one writer has its turn, and the others wait in the order of their arrival.
///
/// A waiting thread is blocked; a waiting task is suspended. The save of a waiting thread can be executed by the thread
/// before it, so that several saves share one transaction.
final class WriteQueue: Sendable {
    /// A writer that waits; all properties are protected by the mutex of the queue.
    fileprivate final class Waiter: @unchecked Sendable {
        let save: QueuedSave?
        /// Signals the thread; `nil` for a task.
        let signal: DispatchSemaphore?
        var continuation: UnsafeContinuation<Void, any Error>?
        var isCancelled = false
        /// A Boolean value that indicates whether another thread has executed the save.
        var isExecuted = false
        /// The time at which the writer began to wait; `nil` if it has not waited.
        var start: ContinuousClock.Instant?
        var next: Waiter?

        init(_ save: QueuedSave?, blocksThread: Bool) {
            self.save = save
            signal = blocksThread ? DispatchSemaphore(value: 0) : nil
        }
    }

    private struct State {
        var isTaken = false
        /// The thread on which a task has its turn, or 0; the writes of the thread in the meantime are part of the
        /// turn.
        var owner: UInt = 0
        /// The task that was called for its turn and has not started it yet.
        ///
        /// Threads do not wait for it, because its actor may be busy.
        var called: Waiter?
        var timeOfCall = DispatchTime.now()
        /// A Boolean value that indicates whether a timer monitors the call.
        var hasTimer = false
        var first: Waiter?
        var last: Waiter?
        var gathering: SaveGathering
        /// The save that has its turn, if it waits for other saves.
        var gatherer: Gatherer?
        var count: Int { statistics.waitingCount }
        /// The number of waiting saves that another thread can execute.
        var saveCount = 0
        var statistics = StoreStatistics.Queue()

        mutating func append(_ waiter: Waiter) {
            if let last { last.next = waiter } else { first = waiter }
            last = waiter
            add(waiter)
            guard let gatherer, saveCount >= gatherer.neededCount else { return }
            self.gatherer = nil
            gatherer.signal.signal()
        }

        mutating func prepend(_ waiter: Waiter) {
            waiter.next = first
            first = waiter
            if last == nil { last = waiter }
            add(waiter)
        }

        private mutating func add(_ waiter: Waiter) {
            if waiter.start == nil { waiter.start = .now }
            if waiter.save != nil { saveCount += 1 }
            statistics.waitingCount += 1
            statistics.peakWaitingCount = max(statistics.peakWaitingCount, statistics.waitingCount)
        }

        /// Counts the waiting time of a writer that now has its turn.
        mutating func countWait(of waiter: Waiter) {
            guard let start = waiter.start else { return }
            let time = .now - start
            statistics.waitCount += 1
            addWait(time, of: waiter.save, total: time)
        }

        /// Adds a part of the waiting time of a writer.
        /// - Parameter total: The time since the writer began to wait.
        mutating func addWait(_ time: Duration, of save: QueuedSave?, total: Duration) {
            save?.addWaiting(time)
            statistics.totalWaitingTime += time
            statistics.longestWaitingTime = max(statistics.longestWaitingTime, total)
        }

        mutating func popFirst() -> Waiter? {
            guard let waiter = first else { return nil }
            first = waiter.next
            if first == nil { last = nil }
            didRemove(waiter)
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
            didRemove(waiter)
            return true
        }

        private mutating func didRemove(_ waiter: Waiter) {
            waiter.next = nil
            if waiter.save != nil { saveCount -= 1 }
            statistics.waitingCount -= 1
        }
    }

    /// A save that has its turn and waits until other saves wait behind it.
    private struct Gatherer {
        /// The number of waiting saves that end the wait.
        let neededCount: Int
        /// The longest time to wait.
        let limit: Duration
        let signal = DispatchSemaphore(value: 0)

        func wait() { _ = signal.wait(timeout: .now() + .nanoseconds(Int(limit / .nanoseconds(1)))) }
    }

    private enum Entry {
        case turn, partOfTurn
        case waiting(Waiter)
    }

    private let state: Mutex<State>
    /// The maximum number of writers that wait; `nil` for no limit.
    let limit: Int?
    /// The path of the store, for errors.
    private let path: String

    init(limit: Int? = nil, path: String = "", gathering: SaveGathering = SaveGathering()) {
        state = Mutex(State(gathering: gathering))
        precondition(limit ?? 0 >= 0, "StoreOptions.maximumWaitingSaveCount is \(limit ?? 0); it must not be negative")
        self.limit = limit
        self.path = path
    }

    /// The number of writers that wait.
    var waitingCount: Int { state.withLock { $0.count } }
    /// The counts so far.
    var statistics: StoreStatistics.Queue { state.withLock { $0.statistics } }

    private static var thread: UInt { UInt(bitPattern: chordata_thread()) }

    // MARK: Threads

    /// Runs a closure as the only writer; blocks the thread until it is its turn.
    /// - Parameter isLimited: Whether the call fails instead of waiting if too many writers wait.
    /// - Throws: ``StoreError`` if too many writers wait, and any error that the closure throws.
    func withTurn<Result>(isLimited: Bool = true, _ body: () throws -> Result) throws -> Result {
        switch try enter(nil, isLimited: isLimited) {
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
    ///
    /// If it is the turn of a save on a thread of the store, the save may first wait for others that share its flush of
    /// the disk; see ``SaveGathering``. The save fails if too many writers wait.
    /// - Parameters:
    ///   - save: The save, which has its result afterwards.
    ///   - groupLimit: The maximum number of saves that are executed together.
    ///   - flushes: A Boolean value that indicates whether each transaction flushes the disk.
    ///   - executeAlone: A closure that executes the save. It returns the time of the flush.
    ///   - executeGroup: A closure that executes the save and the saves of threads that wait for their turn. It returns
    ///     the time of the flush.
    func execute(
        _ save: QueuedSave,
        groupLimit: Int,
        flushes: Bool,
        alone executeAlone: () -> Duration,
        group executeGroup: ([QueuedSave]) -> Duration
    ) {
        let entry: Entry
        do throws(StoreError) {
            entry = try enter(save)
        } catch {
            return save.fail(error)
        }
        // The save of another thread, such as the main thread, does not wait for saves that need not be executed first.
        let gathers = flushes && StoreThreadPool.current != nil
        switch entry {
        case .partOfTurn:
            _ = executeAlone()
            return
        case .turn:
            guard gathers else {
                let flushTime = executeAlone()
                if flushes { didExecute(1, flushTime) }
                return finishTurn()
            }
            gather(for: save, groupLimit, since: nil)
        case .waiting(let waiter):
            guard !block(waiter) else { return }
            if gathers { gather(for: save, groupLimit, since: waiter.start) }
        }
        let others = takeSaves(groupLimit - 1)
        let flushTime = others.isEmpty ? executeAlone() : executeGroup([save] + others.compactMap(\.save))
        state.withLock { _ in for other in others { other.isExecuted = true } }
        didExecute(1 + others.count, flushTime)
        for other in others { other.signal?.signal() }
        finishTurn()
    }

    private func didExecute(_ count: Int, _ flushTime: Duration) {
        state.withLock { $0.gathering.didExecute(count, waitingCount: $0.saveCount, flushTime: flushTime) }
    }

    /// Waits for the saves that will probably follow, while other writers cannot begin.
    /// - Parameter start: The time at which the save began to wait for its turn; `nil` if it did not wait.
    private func gather(for save: QueuedSave, _ groupLimit: Int, since start: ContinuousClock.Instant?) {
        let gatherer = state.withLock { state -> Gatherer? in
            // No more saves than these can wait, or be executed together.
            let neededCount = min(state.gathering.expectedCount, groupLimit, 1 + (limit ?? .max - 1)) - 1
            // A waiting task is executed alone, and before the saves behind it.
            guard state.saveCount < neededCount, state.first == nil || state.first?.save != nil else { return nil }
            state.gatherer = Gatherer(neededCount: neededCount, limit: state.gathering.wait)
            return state.gatherer
        }
        guard let gatherer else { return }
        let gatherStart = ContinuousClock.now
        StoreThreadPool.whileBlocked(waitsForStore: false) { gatherer.wait() }
        state.withLock { state in
            state.gatherer = nil
            state.gathering.didWait(arrivedCount: state.saveCount, neededCount: gatherer.neededCount)
            if start == nil { state.statistics.waitCount += 1 }
            let end = ContinuousClock.now
            state.addWait(end - gatherStart, of: save, total: end - (start ?? gatherStart))
        }
    }

    private func enter(_ save: QueuedSave?, isLimited: Bool = true) throws(StoreError) -> Entry {
        let thread = Self.thread
        return try state.withLock { state throws(StoreError) in
            guard state.isTaken else {
                state.isTaken = true
                return .turn
            }
            if state.owner == thread { return .partOfTurn }
            if isLimited { try requireSpace(&state) }
            let waiter = Waiter(save, blocksThread: true)
            state.append(waiter)
            return .waiting(waiter)
        }
    }

    /// Rejects a writer that would have to wait, if too many writers wait already.
    private func requireSpace(_ state: inout State) throws(StoreError) {
        guard let limit, state.count >= limit else { return }
        state.statistics.rejectedCount += 1
        throw StoreError(
            .waitingSaveLimitExceeded,
            "\(state.count) saves are waiting, and the limit is \(limit); save again later, or increase "
                + "StoreOptions.maximumWaitingSaveCount",
            path: path
        )
    }

    /// Blocks the thread until it has its turn, or another thread has executed its save.
    /// - Returns: Whether the save was executed.
    @discardableResult
    private func block(_ waiter: Waiter) -> Bool {
        StoreThreadPool.whileBlocked {
            while waiter.signal?.wait(timeout: .now() + Self.callTime) == .timedOut {
                // The task that was called may wait for this thread.
                let takesTurn = state.withLock { state in
                    if state.isTaken || !state.remove(waiter) { return false }
                    state.isTaken = true
                    state.countWait(of: waiter)
                    return true
                }
                if takesTurn { break }
            }
        }
        return state.withLock { _ in waiter.isExecuted }
    }

    /// Removes the writers from the beginning of the queue whose saves can be executed by another thread.
    private func takeSaves(_ limit: Int) -> [Waiter] {
        state.withLock { state in
            var taken: [Waiter] = []
            while taken.count < limit, state.first?.save != nil, let waiter = state.popFirst() {
                state.countWait(of: waiter)
                taken.append(waiter)
            }
            return taken
        }
    }

    // MARK: Tasks

    /// The time within which a called task must start its turn if other writers wait behind it.
    private static let callTime = DispatchTimeInterval.milliseconds(20)

    /// The call of a task for its turn.
    struct Call {
        fileprivate let waiter: Waiter
    }

    /// Waits without blocking a thread until the task is called for its turn; does not wait if there is no other
    /// writer.
    ///
    /// A called task does not have its turn before it runs, so a busy actor does not delay other writers, and no thread
    /// waits for a task that waits for a thread. If another writer was faster, the task waits again.
    /// - Parameter earlier: An earlier call after which another writer was faster; the task then waits at the beginning
    ///   of the queue.
    /// - Throws: `CancellationError` if the task is cancelled while it waits, ``StoreError`` if too many writers wait.
    nonisolated(nonsending) func waitForCall(after earlier: Call? = nil) async throws -> Call {
        let waiter = Waiter(nil, blocksThread: false)
        waiter.start = earlier?.waiter.start
        try await withTaskCancellationHandler {
            try await withUnsafeThrowingContinuation { continuation in
                enum Arrival {
                    case called, waiting
                    case rejected(any Error)
                }
                let arrival = state.withLock { state -> Arrival in
                    if waiter.isCancelled { return .rejected(CancellationError()) }
                    guard state.isTaken || earlier == nil && state.called != nil else { return .called }
                    if earlier == nil {
                        do throws(StoreError) { try requireSpace(&state) } catch { return .rejected(error) }
                    }
                    waiter.continuation = continuation
                    if earlier == nil { state.append(waiter) } else { state.prepend(waiter) }
                    limitCall(&state)
                    return .waiting
                }
                switch arrival {
                case .called: continuation.resume()
                case .rejected(let error): continuation.resume(throwing: error)
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
        return Call(waiter: waiter)
    }

    /// Runs a closure as the turn of a task.
    ///
    /// The turn ends when the closure returns; the writes of the closure are part of it.
    /// - Returns: Whether the closure was run; `false` if another writer was faster.
    func withTurn(of call: Call, _ body: () throws -> Void) rethrows -> Bool {
        guard take(call, owner: Self.thread) else { return false }
        defer {
            state.withLock { $0.owner = 0 }
            finishTurn()
        }
        try body()
        return true
    }

    /// Waits for a turn that the task keeps until ``finishTurn()``, even while it is suspended.
    ///
    /// Use this method only for queues in which no thread waits.
    /// - Throws: `CancellationError` if the task is cancelled while it waits, ``StoreError`` if too many writers wait.
    nonisolated(nonsending) func takeTurn() async throws {
        var call = try await waitForCall()
        while !take(call, owner: 0) { call = try await waitForCall(after: call) }
    }

    private func take(_ call: Call, owner: UInt) -> Bool {
        state.withLock { state in
            if state.called === call.waiter { state.called = nil }
            if state.isTaken { return false }
            state.isTaken = true
            state.owner = owner
            state.countWait(of: call.waiter)
            return true
        }
    }

    /// Ensures that the tasks behind a called task do not wait for its actor.
    private func limitCall(_ state: inout State) {
        guard state.called != nil, state.first != nil, !state.hasTimer else { return }
        state.hasTimer = true
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.callTime) { [weak self] in self?.checkCall() }
    }

    /// Calls the next task if the called one does not start its turn.
    private func checkCall() {
        let next = state.withLock { state -> Waiter? in
            state.hasTimer = false
            guard state.called != nil else { return nil }
            guard state.timeOfCall + Self.callTime <= .now() else {
                limitCall(&state)
                return nil
            }
            state.called = nil
            return state.isTaken ? nil : nextWriter(&state)
        }
        wake(next)
    }

    /// Ends a turn, and starts the turn of the next writer.
    func finishTurn() {
        wake(state.withLock { nextWriter(&$0) })
    }

    /// Gives the turn to the first thread, or calls the first task.
    private func nextWriter(_ state: inout State) -> Waiter? {
        let next = state.first?.signal == nil && state.called == nil ? state.popFirst() : state.popFirstThread()
        state.isTaken = next?.signal != nil
        if let next {
            if next.signal == nil {
                state.called = next
                state.timeOfCall = .now()
            } else {
                state.countWait(of: next)
            }
        }
        limitCall(&state)
        return next
    }

    private func wake(_ waiter: Waiter?) {
        waiter?.signal?.signal()
        waiter?.continuation?.resume()
    }
}
