internal import CChordataSQLite
internal import ChordataSQL
internal import Synchronization

/// A fetch request whose rows are read in the background, without blocking the context's actor.
///
/// ```swift
/// let players = try await context.fetch(Player.fetchRequest().asynchronous { print("\($0) rows") })
/// ```
public struct AsynchronousFetchRequest<Object: ManagedObject>: Sendable {
    /// The fetch request.
    public var request: FetchRequest<Object>
    /// A closure that is called with the number of rows read so far.
    ///
    /// It is called every 1,000 rows and at the end, on the thread that reads the rows, again if the rows are read
    /// again, and not by an ordinary fetch. A store in memory is locked during the call: the closure must not use the
    /// store or wait for code that uses it.
    public var progress: (@Sendable (Int) -> Void)?
    /// Creates a request.
    /// - Parameters:
    ///   - request: The fetch request.
    ///   - progress: A closure that is called with the number of rows read so far; see ``progress``.
    public init(_ request: FetchRequest<Object>, progress: (@Sendable (Int) -> Void)? = nil) {
        self.request = request
        self.progress = progress
    }
}

extension FetchRequest {
    /// Returns a request for the same objects that reads rows in the background, without blocking the context's actor.
    /// - Parameter progress: A closure that is called with the number of rows read so far, from time to time and at the
    ///   end, on the thread that reads the rows.
    /// - Returns: An asynchronous request, for ``ManagedObjectContext/fetch(_:)-(AsynchronousFetchRequest<Object>)``.
    public func asynchronous(progress: (@Sendable (Int) -> Void)? = nil) -> AsynchronousFetchRequest<Object> {
        AsynchronousFetchRequest(self, progress: progress)
    }
}

extension ManagedObjectContext {
    /// Returns the objects that match a request, in the order of its sort keys, without blocking the context's actor.
    ///
    /// When the method returns, the result reflects the context and all saves of the contexts of its container; a save
    /// of another process during the read can be missing.
    ///
    /// The rows are read on another thread; only the objects are created in the context's isolation. If the task is
    /// cancelled, reading ends. The method runs an ordinary fetch, which blocks, if unsaved changes could affect the
    /// result, if the context has a parent, if the request refreshes registered objects, returns faults or has a batch
    /// size, if a part of the predicate is evaluated in memory, or if contexts of its container write to the store
    /// during each of three attempts to read the rows.
    /// - Returns: The objects, each registered in this context; empty when no object matches.
    /// - Throws: `CancellationError` when the task is cancelled, and any error that
    ///   ``fetch(_:)-(FetchRequest<Object>)`` throws.
    nonisolated(nonsending)
        public func fetch<Object: ManagedObject>(_ request: AsynchronousFetchRequest<Object>) async throws -> [Object]
    {
        for _ in 0..<3 {
            try Task.checkCancellation()
            processPendingChanges()
            let bound = try BoundFetchRequest(request.request, in: schema)
            guard canFetchElsewhere(request.request, bound) else { break }
            let commitCount = store.sqlite.commitCount.load(ordering: .sequentiallyConsistent)
            let rows = try await readRows(of: bound, progress: request.progress)
            try Task.checkCancellation()
            processPendingChanges()
            // Rows that were saved during the fetch would be registered with old values, and not be refreshed.
            guard store.sqlite.commitCount.load(ordering: .sequentiallyConsistent) == commitCount,
                canFetchElsewhere(request.request, bound)
            else { continue }
            let objects = try objects(of: rows).map { unsafeDowncast($0, to: Object.self) }
            let areAll = bound.predicate == nil && bound.limit == 0 && bound.offset == 0
            try prefetch(bound.prefetchedPaths, of: objects, areAll: areAll)
            return objects
        }
        return try fetch(request.request)
    }

    private func canFetchElsewhere<Object: ManagedObject>(_ request: FetchRequest<Object>, _ bound: BoundFetchRequest)
        -> Bool
    {
        guard parent == nil, !request.shouldRefreshRefetchedObjects, request.includesPropertyValues,
            !request.returnsObjectsAsFaults, request.fetchBatchSize == 0,
            bound.predicate?.isRenderable != false
        else { return false }
        return !request.includesPendingChanges || pendingObjects(of: bound).isEmpty
    }

    nonisolated(nonsending)
        private func readRows(of bound: BoundFetchRequest, progress: (@Sendable (Int) -> Void)?) async throws
        -> [RowSnapshot]
    {
        let projection = schema.projection(of: bound.type)
        let fragment = renderFetch(
            columns: projection.selectList,
            bound.predicate,
            sortedBy: bound.sortTerms,
            limit: bound.limit,
            offset: bound.offset,
            entityName: bound.type.entity.name,
            in: schema.mapping,
            includesSubentities: bound.includesSubentities
        )
        let sqlite = store.sqlite
        let interrupt = StatementInterrupt()
        let reading = Task.detached {
            try sqlite.read { connection in
                try interrupt.run(on: connection) {
                    try connection.persistedRows(fragment, projection, interrupt, progress: progress)
                }
            }
        }
        return try await withTaskCancellationHandler {
            do {
                return try await reading.value
            } catch {
                // What SQLite says of a statement that was interrupted.
                try Task.checkCancellation()
                throw error
            }
        } onCancel: {
            interrupt.cancel()
        }
    }

    /// The objects of rows that were just read.
    private func objects(of rows: [RowSnapshot]) throws -> [ManagedObject] {
        let access = beginAccess()
        defer { access.end() }
        defer { reader.awakenObjects() }
        return try rows.map { row in
            let type = row.values.entityType
            let known = graph.registered(key: row.key, rootIndex: type.rootIndex)
            if let known { try reader.checkEntity(of: known, is: type) }
            let object = known ?? graph.makeFault(key: row.key, type: type)
            if object.isFault { reader.fill(object, row) }
            return object
        }
    }
}

extension SQLiteConnection {
    fileprivate func persistedRows(
        _ fragment: SQLFragment,
        _ projection: Projection,
        _ interrupt: StatementInterrupt,
        progress: (@Sendable (Int) -> Void)?
    ) throws -> [RowSnapshot] {
        let statement = try statement(fragment.sql)
        defer { statement.reset() }
        statement.bind(fragment.bindings)
        var rows: [RowSnapshot] = []
        while try statement.step() {
            let member = try projection.member(of: statement)
            let key = statement.integer(at: 0)
            let values = RowStorage(member, from: statement.values)
            if let error = UnreadableValueError(key: key, column: statement.unreadableColumn, member) {
                statement.forgetUnreadable()
                throw error
            }
            rows.append(RowSnapshot(key: key, values: values, version: statement.integer(at: 1)))
            guard rows.count.isMultiple(of: 1_000) else { continue }
            // A statement that had not begun was not interrupted.
            if interrupt.isCancelled { throw CancellationError() }
            progress?(rows.count)
        }
        progress?(rows.count)
        return rows
    }
}

/// Ends a statement from another thread than the one that runs it.
private final class StatementInterrupt: Sendable {
    private struct State {
        /// The address of the connection while the statement runs.
        var connection: UInt = 0
        var isCancelled = false
    }

    private let state = Mutex(State())
    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    func run<Result>(on connection: SQLiteConnection, _ body: () throws -> Result) throws -> Result {
        let address = UInt(bitPattern: connection.handle)
        let isCancelled = state.withLock { state in
            state.connection = address
            return state.isCancelled
        }
        defer { state.withLock { $0.connection = 0 } }
        if isCancelled { throw CancellationError() }
        return try body()
    }

    func cancel() {
        state.withLock { state in
            state.isCancelled = true
            // The connection is not closed or reused during the call, because that waits for this lock.
            if let connection = OpaquePointer(bitPattern: state.connection) { sqlite3_interrupt(connection) }
        }
    }
}
