/// Reads the store for a context, and creates objects from its rows.
///
/// Within an event, all reads see the same state of the store.
final class RowReader {
    /// A fetch that updates known objects without unsaved changes.
    private struct Refetch {
        /// The rows that were read and have not been applied to their objects yet.
        var rows: [RowSnapshot] = []
        /// A closure that updates objects to rows.
        let update: ([RowSnapshot]) throws -> Void
    }

    let graph: ObjectGraph
    /// The reader through which the reader of a private context reads; `nil` for other contexts.
    private let source: RowReader?
    /// The store, once the context has one.
    private(set) var boundStore: PersistentStore?
    /// The reader of a child context, which also reads the parent's unsaved changes; `nil` for a context without a
    /// parent.
    var parentOverlay: ParentOverlayReader?
    /// The connection of the event's read transaction, after the first read.
    @exclusivity(unchecked) private var connection: StoreReader?
    /// The read transaction of the state that the context is pinned to; `nil` if it is not pinned.
    private var generation: PinnedGeneration?
    /// The objects that were read and whose hooks have not been called yet.
    @exclusivity(unchecked) private var awakening: [ManagedObject] = []
    /// A Boolean value that indicates whether a value that cannot be read is treated as missing, because no error can
    /// be thrown.
    @exclusivity(unchecked) private(set) var toleratesUnreadableValues = false
    /// The running fetch that updates registered objects to the rows that it reads; `nil` if there is none.
    @exclusivity(unchecked) private var refetch: Refetch?
    /// The error of the first property access that could not read the store.
    private(set) var error: (any Error)?

    init(_ graph: ObjectGraph, through source: RowReader? = nil) {
        self.graph = graph
        self.source = source
    }

    /// Sets the store, before anything is read.
    func bind(to store: PersistentStore) { boundStore = store }

    /// The store, to which the first use binds the context.
    var store: PersistentStore {
        if let boundStore { return boundStore }
        _ = graph.schema
        guard let boundStore else {
            preconditionFailure("a context must be bound to the schema and the store together")
        }
        return boundStore
    }

    var schema: StoreSchema { graph.schema }
    /// A Boolean value that indicates whether an object is marked as unread when its row is read, as in contexts of the
    /// module `CoreData`.
    var marksUnreadObjects: Bool { graph.executor.association != nil }

    // MARK: Transactions

    /// Runs a closure that reads the store; within an event, all reads see the same state of the store.
    func readStore<Result>(_ body: (StoreReader) throws -> Result) throws -> Result {
        // The code that does not depend on the type of the result is compiled once.
        var result: Result?
        try withConnection { result = try body($0) }
        return result!  // The body returned or threw.
    }

    private func withConnection(_ body: (StoreReader) throws -> Void) throws {
        let access = graph.executor.beginAccess()
        defer { access.end() }
        if let source { return try source.readStore(body) }
        if let generation { return try generation.read { try store.engine.read(with: $0, body) } }
        // The transaction does not see the changes that ancestor contexts have made since it began.
        if connection != nil, parentOverlay?.isOutdated == true { endReading() }
        if let connection { return try store.engine.read(with: connection, body) }
        guard graph.executor.eventScope != .none, let connection = try beginReading() else {
            return try readApart(body)
        }
        self.connection = connection
        graph.executor.scheduleProcessing()
        return try store.engine.read(with: connection, body)
    }

    /// Runs a closure whose reads use a connection, such as that of a transaction that writes.
    /// - Precondition: The context has no read transaction.
    func read<Result>(through connection: StoreReader, _ body: () throws -> Result) rethrows -> Result {
        precondition(self.connection == nil, "the context reads through another connection")
        self.connection = connection
        defer { self.connection = nil }
        return try body()
    }

    /// A Boolean value that indicates whether the read transaction of an event is open.
    var isReading: Bool { connection != nil }

    /// A Boolean value that indicates whether the rows that are read may be rows of a parent.
    var readsParentOverlay: Bool { parentOverlay != nil || source?.readsParentOverlay == true }

    private func beginReading() throws -> StoreReader? {
        if let parentOverlay { return try parentOverlay.beginReading() }
        return try store.engine.beginReading()
    }

    private func readApart(_ body: (StoreReader) throws -> Void) throws {
        if let parentOverlay { return try parentOverlay.read(body) }
        return try store.engine.withReader(body)
    }

    // MARK: Query generations

    var isPinned: Bool { generation != nil }

    /// Makes all reads see the current state of the store.
    func pin(to store: PersistentStore) throws {
        endReading()
        if let generation {
            // One connection is sufficient, and the context remains pinned in any case.
            generation.advance()
            return try generation.begin()
        }
        generation = try PinnedGeneration(store)
    }

    func unpin() {
        endReading()
        generation?.end()
        generation = nil
    }

    /// Makes the next read see the newest state of the store, even if the context is pinned to an earlier state.
    func readNewest() {
        endReading()
        generation?.advance()
    }

    /// Ends the read transaction of the event, so that the next read sees the newest state of the store, unless the
    /// context is pinned.
    func endReading() {
        guard let connection else { return }
        self.connection = nil
        if let parentOverlay { parentOverlay.endReading() } else { store.engine.endReading(connection) }
    }

    // MARK: Known objects

    /// Runs a fetch that updates known objects without unsaved changes to the rows that it reads.
    /// - Parameter update: A closure that updates objects to rows.
    func updatingKnownObjects<Result>(
        to update: @escaping ([RowSnapshot]) throws -> Void,
        _ body: () throws -> Result
    ) rethrows -> Result {
        refetch = Refetch(update: update)
        defer { refetch = nil }
        return try body()
    }

    /// A Boolean value that indicates whether the running fetch updates registered objects.
    var updatesKnownObjects: Bool { refetch != nil }

    /// Keeps a row whose object is updated when the store is released.
    func updateLater(to row: RowSnapshot) { refetch?.rows.append(row) }

    /// Updates the objects of the rows that were kept.
    func updateKnownObjects() throws {
        guard let rows = refetch?.rows, !rows.isEmpty else { return }
        refetch?.rows = []
        try refetch?.update(rows)
    }

    // MARK: Hooks

    /// Calls the hook of an object when the store is released.
    func awakenLater(_ object: ManagedObject) { awakening.append(object) }

    /// Cancels the hook call for an object whose row has a value that cannot be read.
    func cancelAwakening(of object: ManagedObject) {
        if awakening.last === object { awakening.removeLast() }
    }

    func awakenObjects() {
        guard !awakening.isEmpty else { return }
        let objects = awakening
        awakening = []
        withUnreadableValues(tolerated: false) {
            for object in objects {
                let mark = object.slowPath.intersection(.unread)
                object.isAwakening = true
                object.runtimeEntity.hooks.awakeFromFetch?(object)
                object.isAwakening = false
                // An access by the hook is not an access by the code that fetches.
                object.slowPath.formUnion(mark)
            }
        }
    }

    // MARK: Errors

    /// Clears the error of the first property access that could not read the store.
    func clearError() { error = nil }

    /// Runs a closure in which values that cannot be read are treated as missing, or are errors.
    func withUnreadableValues<Result>(tolerated: Bool, _ body: () throws -> Result) rethrows -> Result {
        let tolerance = toleratesUnreadableValues
        toleratesUnreadableValues = tolerated
        defer { toleratesUnreadableValues = tolerance }
        return try body()
    }

    /// Runs a closure that reads for an accessor, which cannot throw.
    ///
    /// If the store cannot be read, the error becomes the context's ``ManagedObjectContext/readError``, and saves throw
    /// it. A value that cannot be read is missing.
    func readOrRecord<Result>(_ fallback: @autoclosure () -> Result, _ body: () throws -> Result) -> Result {
        do {
            return try withUnreadableValues(tolerated: true, body)
        } catch {
            // The first error is the cause of the later errors.
            if self.error == nil { self.error = error }
            return fallback()
        }
    }

    func readOrRecord(_ body: () throws -> Void) { readOrRecord((), body) }

    /// Returns the result of the closure, or records its error and returns `nil`.
    @discardableResult
    func readOrRecord<Result>(_ body: () throws -> Result?) -> Result? { readOrRecord(nil, body) }
}
