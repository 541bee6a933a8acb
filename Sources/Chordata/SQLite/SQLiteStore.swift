internal import CChordataSQLite
internal import ChordataSQL
internal import Synchronization

/// An open store: one connection that writes and checkpoints, and a pool of connections that read.
///
/// The connection that opened the store becomes the one that writes, or the first one that reads, whichever is needed
/// first, so a program that only reads opens one connection. A store in memory has one connection for both.
final class SQLiteStore: Sendable {
    let path: String
    let isInMemory: Bool
    let isReadOnly: Bool
    /// The version of the model that the store was opened with; empty during a migration.
    private let versionHash: String
    private let options: StoreOptions
    private let fileIdentity: FileIdentity
    /// The tables of a store that is being migrated; its transactions are parts of the migration's transaction.
    ///
    /// `nil` for other stores.
    private let migratingTables: SchemaMapping?
    /// The layout of a database of another library; `nil` for other stores.
    let viewLayout: ViewLayout?
    /// A Boolean value that indicates whether the migration has revoked the connection.
    private let hasEnded = Atomic(false)
    let writeQueue: WriteQueue
    /// The connection that opened the store, until it is used.
    private let firstConnection: Mutex<ConnectionBox?>
    /// The writer, which is used only by the caller that has its turn in the queue; `nil` until the first turn.
    private nonisolated(unsafe) var writer: Writer?
    let readers: ReaderPool
    let counters = StoreCounters()
    /// The origin of the transactions of this open store in the persistent history.
    let historyOrigin: Int64
    /// The contexts that are pinned to a state of the store.
    let generations: PinnedGenerations
    /// The logger of saves.
    let saveLogger: SaveLogger?
    /// The number of committed transactions, with which a reader checks whether its results are current.
    private let commits = Atomic(0)
    var commitCount: Int { commits.load(ordering: .sequentiallyConsistent) }

    /// Creates a store that takes over the connection that opened, checked and, if necessary, migrated the file.
    init(
        connection: sending SQLiteConnection,
        path: String,
        isInMemory: Bool,
        versionHash: String,
        options: StoreOptions,
        viewLayout: ViewLayout? = nil
    ) {
        self.viewLayout = viewLayout
        isReadOnly = options.isReadOnly
        self.versionHash = versionHash
        self.options = options
        fileIdentity = FileIdentity(path)
        saveLogger = options.saveLogger
        generations = PinnedGenerations(limit: options.maximumPinnedLogSize)
        writeQueue = WriteQueue(limit: options.maximumWaitingSaveCount, path: path)
        readers = ReaderPool(limit: options.maximumReaderCount, timeout: options.busyTimeout, path: path)
        migratingTables = nil
        self.path = path
        self.isInMemory = isInMemory
        historyOrigin = connection.historyOrigin.id
        firstConnection = Mutex(ConnectionBox(connection))
        if !isInMemory { OpenStores.add(fileIdentity) }
    }

    /// Creates a store that is being migrated, for the migration itself; it has only this connection, like a store in
    /// memory.
    init(migrating connection: SQLiteConnection, _ mapping: SchemaMapping, isReadOnly: Bool) {
        let options = StoreOptions()
        viewLayout = nil
        self.isReadOnly = isReadOnly
        versionHash = ""
        self.options = options
        fileIdentity = FileIdentity("")
        saveLogger = nil
        generations = PinnedGenerations(limit: options.maximumPinnedLogSize)
        writeQueue = WriteQueue(path: connection.path)
        readers = ReaderPool(limit: 1, timeout: options.busyTimeout, path: connection.path)
        migratingTables = mapping
        path = connection.path
        isInMemory = true
        // The migration runs on one thread, and uses the connection only while the store does not.
        nonisolated(unsafe) let connection = connection
        historyOrigin = connection.historyOrigin.id
        firstConnection = Mutex(ConnectionBox(connection))
    }

    // The writer is closed last: the last connection checkpoints the log and deletes it, and readers must not.
    deinit {
        readers.closeIdle()
        if !isInMemory { OpenStores.remove(fileIdentity) }
    }

    // MARK: Connections

    /// Takes the connection that opened the store, if it is unused.
    private func takeFirstConnection() -> SQLiteConnection? {
        firstConnection.withLock { box in
            defer { box = nil }
            return box
        }?.connection
    }

    /// Returns the connection that writes, and opens it for the first writer.
    ///
    /// Call it in a turn of the queue.
    private func currentWriter() throws(StoreError) -> Writer {
        if let writer { return writer }
        let connection: SQLiteConnection
        if let first = takeFirstConnection() {
            try configureWriter(first, options, isInMemory: isInMemory)
            connection = first
        } else {
            connection = try openWriter()
        }
        let writer = Writer(connection: connection, versionHash: versionHash)
        self.writer = writer
        return writer
    }

    private func requireWritable() throws(StoreError) {
        guard isReadOnly else { return }
        let refusal = viewLayout?.refusal ?? "was opened with isReadOnly, so changes cannot be saved"
        throw StoreError(.readOnly, refusal, path: path)
    }

    private func openWriter() throws(StoreError) -> SQLiteConnection {
        guard FileIdentity(path) == fileIdentity else { throw movedFile() }
        let connection = try SQLiteConnection(path: path, mode: .readWriteCreate, busyTimeout: options.busyTimeout)
        // SQLite has opened the file since the first check.
        guard FileIdentity(path) == fileIdentity else { throw movedFile() }
        connection.log(to: options.statementLogger)
        try configureWriter(connection, options, isInMemory: false)
        connection.historyOrigin.id = historyOrigin
        return connection
    }

    private func movedFile() -> StoreError {
        StoreError(
            .cannotOpen,
            "was moved, deleted or replaced while it was open, so nothing was written; open it again",
            path: path
        )
    }

    /// Runs one transaction; an error of the body rolls it back.
    /// - Parameters:
    ///   - changesContents: Whether the transaction may change objects of the store, whose contents then lose their
    ///     name.
    ///   - didCommit: A closure that is called after the commit, before the next writer.
    func write<Result>(
        changesContents: Bool = true,
        _ body: (SQLiteConnection) throws -> Result,
        didCommit: (Result) -> Void = { _ in }
    ) throws -> Result {
        var result: Result?
        try withWriter(changesContents: changesContents, { result = try body($0) }, didCommit: { didCommit(result!) })
        return result!  // The body returned or threw.
    }

    // The code is compiled once for results of all types, as in `read`.
    private func withWriter(
        changesContents: Bool,
        _ body: (SQLiteConnection) throws -> Void,
        didCommit: () -> Void
    ) throws {
        try writeQueue.withTurn {
            try transact(changesContents: changesContents, flushes: flushesCommits, body)
            commits.add(1, ordering: .sequentiallyConsistent)
            didCommit()
        }
    }

    /// Runs one transaction that need not survive a power cut, unless another writer is active, in this process or
    /// another.
    func writeIfAvailable(_ body: (SQLiteConnection) throws -> Void) throws {
        try writeQueue.withTurnIfAvailable {
            if migratingTables == nil { try requireWritable() }
            let connection = try currentWriter().connection
            if let migratingTables { return try nest(connection, migratingTables, body) }
            _ = try connection.withoutWaiting { try transact(changesContents: false, flushes: false, body) }
        }
    }

    /// - Parameter flushes: A Boolean value that indicates whether the commit flushes the disk.
    /// - Returns: The time of the flush; 0 for a commit that does not flush the disk.
    @discardableResult
    private func transact(changesContents: Bool, flushes: Bool, _ body: (SQLiteConnection) throws -> Void) throws
        -> Duration
    {
        if migratingTables == nil { try requireWritable() }
        let writer = try currentWriter()
        let connection = writer.connection
        if let migratingTables {
            try nest(connection, migratingTables, body)
            return .zero
        }
        // A transaction that could not be rolled back is still open.
        if connection.isInTransaction { try connection.execute("ROLLBACK") }
        try connection.run(.beginImmediate)
        do {
            if !isInMemory {
                try writer.requireVersion()
                try writer.followSchema()
                if changesContents { try writer.takeContentsName() }
            }
            try body(connection)
        } catch {
            connection.rollBack()
            throw error
        }
        var time = Duration.zero
        if flushes { time = try flushCommit(connection) } else { try connection.commit() }
        writer.didCommit(changesContents: changesContents)
        generations.didCommit()
        return time
    }

    /// A Boolean value that indicates whether a commit waits until the disk has its changes.
    private var flushesCommits: Bool { !isInMemory && options.synchronous == .full }

    /// Commits, and waits until the disk has the changes.
    /// - Returns: The time that this took.
    private func flushCommit(_ connection: SQLiteConnection) throws(StoreError) -> Duration {
        let start = ContinuousClock.now
        var result: Result<Void, StoreError> = .success(())
        // In the meantime, other threads prepare the saves of the next group.
        StoreThreadPool.whileBlocked(waitsForStore: false) {
            do throws(StoreError) { try connection.commit() } catch { result = .failure(error) }
        }
        try result.get()
        return .now - start
    }

    // MARK: Saves in groups

    /// The maximum number of saves in one transaction.
    private static let groupLimit = 64

    /// Executes a save when it is its turn: alone, or in one transaction with others that wait.
    func execute(_ save: QueuedSave) {
        StoreThreadPool.noteSave(flushes: flushesCommits)
        // A migration executes its saves as parts of its transaction.
        let limit = migratingTables == nil && !isReadOnly ? Self.groupLimit : 1
        writeQueue.execute(
            save,
            groupLimit: limit,
            flushes: flushesCommits,
            alone: { executeAlone(save) },
            group: executeGroup
        )
    }

    /// - Returns: The time of the flush of the disk; 0 if the commit did not flush it, or if the save failed.
    private func executeAlone(_ save: QueuedSave) -> Duration {
        do {
            var effects = SaveEffects()
            let time = try transact(changesContents: true, flushes: flushesCommits) { effects = try save.execute($0) }
            commits.add(1, ordering: .sequentiallyConsistent)
            counters.countTransaction(of: 1)
            save.finish(effects, groupSize: 1)
            return time
        } catch {
            save.fail(error)
            return .zero
        }
    }

    /// Executes saves in one transaction, each in its own savepoint: a save that fails does not affect the others.
    /// - Returns: The time of the flush of the disk; 0 if the commit did not flush it, or if the transaction failed.
    private func executeGroup(_ saves: [QueuedSave]) -> Duration {
        var time = Duration.zero
        var executed: [(save: QueuedSave, effects: SaveEffects)] = []
        var hasBegun = false
        do {
            time = try transact(changesContents: true, flushes: flushesCommits) { connection in
                hasBegun = true
                for save in saves {
                    do {
                        executed.append((save, try execute(save, inSavepointOf: connection)))
                    } catch {
                        // After some errors SQLite has rolled back the whole transaction.
                        guard connection.isInTransaction else { throw error }
                        save.fail(error)
                    }
                }
            }
        } catch let error as StoreError where error.code == .outcomeUnknown {
            for (save, _) in executed { save.fail(error) }
            return .zero
        } catch {
            for save in saves {
                // Nothing was written. The cause may be one of the saves, which then fails alone. If the transaction
                // could not begin, each save alone would only wait again.
                if hasBegun { _ = executeAlone(save) } else { save.fail(error) }
            }
            return .zero
        }
        commits.add(executed.count, ordering: .sequentiallyConsistent)
        if !executed.isEmpty { counters.countTransaction(of: executed.count) }
        for (save, effects) in executed { save.finish(effects, groupSize: executed.count) }
        return time
    }

    private func execute(_ save: QueuedSave, inSavepointOf connection: SQLiteConnection) throws -> SaveEffects {
        try connection.run(.savepoint)
        do {
            let effects = try save.execute(connection)
            // SQLite would check this only at the commit, for all saves together.
            try connection.requireNoDanglingReferences()
            try connection.run(.releaseSavepoint)
            return effects
        } catch {
            if connection.isInTransaction {
                try connection.run(.rollbackToSavepoint)
                try connection.run(.releaseSavepoint)
            }
            throw error
        }
    }

    /// Runs a part of the migration's transaction, and does the work of the foreign keys, which are off.
    private func nest(
        _ connection: SQLiteConnection,
        _ mapping: SchemaMapping,
        _ body: (SQLiteConnection) throws -> Void
    ) throws {
        try requireOpen()
        if isReadOnly { throw readOnlyStageError(path: path) }
        try connection.requireTransaction()
        try connection.execute("SAVEPOINT \"part\"")
        do {
            try connection.clearingReferences(of: mapping) { try body(connection) }
            try connection.execute("RELEASE \"part\"")
        } catch {
            // After some errors SQLite has rolled back the whole transaction.
            if connection.isInTransaction { try connection.execute("ROLLBACK TO \"part\"; RELEASE \"part\"") }
            throw error
        }
    }

    /// Revokes the connection from objects that still exist when the migration continues.
    func end() { hasEnded.store(true, ordering: .sequentiallyConsistent) }

    /// - Throws: ``StoreError`` if the migration for which the connection was made has ended.
    func requireOpen() throws(StoreError) {
        if hasEnded.load(ordering: .relaxed) { throw endedStageError(path: path) }
    }

    /// Reads with a connection that has no other user during the call.
    func read<Result>(_ body: (SQLiteConnection) throws -> Result) throws -> Result {
        // The code that does not depend on the type of the result is compiled once.
        var result: Result?
        try withReader { result = try body($0) }
        return result!  // The body returned or threw.
    }

    private func withReader(_ body: (SQLiteConnection) throws -> Void) throws {
        if isInMemory {
            try requireOpen()
            return try writeQueue.withTurn(isLimited: false) { try body(currentWriter().connection) }
        }
        let box = try readers.take(opening: openReader)
        defer { readers.keep(box) }
        try read(with: .sqlite(box.connection)) { _ in try body(box.connection) }
    }

    /// Throws if another program has migrated the store, because names may now have other meanings in it.
    @inline(__always)
    func checkVersion(of connection: SQLiteConnection, hasFailed: Bool) throws(StoreError) {
        if hasFailed { connection.checkedDataVersion = nil }
        try requireVersion(of: connection)
    }

    @inline(__always)
    private func requireVersion(of connection: SQLiteConnection) throws(StoreError) {
        // No other program can use a store in memory, and a migration reads its own store.
        guard !isInMemory, connection.dataVersion != connection.checkedDataVersion else { return }
        try connection.withoutLogging { () throws(StoreError) in
            if viewLayout != nil { return try requireForeignVersion(versionHash, connection) }
            try Chordata.requireVersion(versionHash, connection, "it cannot be read with the older model")
        }
        connection.checkedDataVersion = connection.dataVersion
    }

    /// Begins a read transaction on a connection that has no other user until ``endTransaction(_:)``; `nil` for a store
    /// in memory, which has only one connection.
    func beginTransaction() throws -> SQLiteConnection? {
        if isInMemory { return nil }
        let box = try readers.take(opening: openReader)
        try box.connection.run(.begin)
        return box.connection
    }

    /// Ends a read transaction; if that fails, the connection is closed.
    func endTransaction(_ connection: SQLiteConnection) {
        do throws(StoreError) {
            try connection.run(.commit)
        } catch {
            return  // The rows that were read remain valid; the next reader gets another connection.
        }
        readers.keep(ConnectionBox(connection))
    }

    private func openReader() throws(StoreError) -> SQLiteConnection {
        let connection: SQLiteConnection
        if let first = takeFirstConnection() { connection = first } else { connection = try openConnection() }
        try connection.setSupported("query_only", to: 1)
        try configure(connection)
        return connection
    }

    private func openConnection() throws(StoreError) -> SQLiteConnection {
        if let viewLayout { return try viewLayout.open(options.busyTimeout) }
        return try isReadOnly
            ? openReadOnly(path, busyTimeout: options.busyTimeout)
            : SQLiteConnection(path: path, mode: .readOnly, busyTimeout: options.busyTimeout)
    }

    private func configure(_ connection: SQLiteConnection) throws(StoreError) {
        try connection.setCacheSize(options.cacheSize)
        connection.log(to: options.statementLogger)
    }

    /// The counts so far, and the size of the write-ahead log.
    var statistics: StoreStatistics {
        var statistics = counters.statistics
        statistics.saveQueue = writeQueue.statistics
        statistics.readers = readers.statistics
        if !isInMemory { statistics.logSize = logSize }
        return statistics
    }

    /// Stops recording transactions, after the commit that has ended the history.
    func stopRecordingHistory() { writer?.connection.tracksHistory = false }

    /// The size of the write-ahead log in bytes.
    var logSize: Int { max(0, Int(chordata_file_size(realPath(path) + "-wal"))) }

    /// Returns a separate connection for the caller, which can create temporary tables: to the file, or to a copy of a
    /// store in memory.
    func makeOwnReader() throws -> SQLiteConnection {
        let connection: SQLiteConnection
        if isInMemory {
            connection = try SQLiteConnection(path: ":memory:", mode: .readWriteCreate)
            try read { try connection.copy(from: $0) }
        } else {
            connection = try readers.makeOwn(opening: openConnection)
        }
        // Temporary tables are in memory, so that unsaved values are not written to the disk.
        try connection.set("temp_store", to: 2)
        try configure(connection)
        return connection
    }
}

/// The connection that writes.
private final class Writer {
    let connection: SQLiteConnection
    /// The version of the model that the store was opened with.
    let versionHash: String
    /// The state of the file when its version was last checked, so that most transactions need no check.
    private var knownVersion: UInt32?
    /// The state of the file when its contents were last known to have no name.
    private var namelessVersion: UInt32?
    /// The schema version at which the connection last read the tables and triggers.
    private var schemaVersion: Int64?

    init(connection: SQLiteConnection, versionHash: String) {
        self.connection = connection
        self.versionHash = versionHash
    }

    /// Throws if another program has migrated the store; call it within a transaction.
    func requireVersion() throws(StoreError) {
        guard connection.dataVersion != knownVersion else { return }
        try Chordata.requireVersion(versionHash, connection)
    }

    /// Allows the triggers of a full-text index that another program has created, and records transactions in a history
    /// that another program has started; call it within a transaction.
    func followSchema() throws(StoreError) {
        guard connection.dataVersion != knownVersion else { return }
        var version: Int64 = 0
        var hasIndexes = false
        try connection.withoutLogging { () throws(StoreError) in
            version = try connection.integer("PRAGMA schema_version")
            guard version != schemaVersion else { return }
            hasIndexes = try hasFullTextIndexes(connection)
            connection.tracksHistory = try hasHistory(connection)
        }
        schemaVersion = version
        if hasIndexes { try connection.allowFullTextTriggers() }
    }

    /// Removes the name of the store's contents, within the transaction that changes them.
    func takeContentsName() throws(StoreError) {
        guard connection.dataVersion != namelessVersion else { return }
        try removeContentsName(connection)
    }

    /// Records the data version after a commit of this connection, so that the commit does not cause another check.
    func didCommit(changesContents: Bool) {
        let version = connection.dataVersion
        knownVersion = version
        if changesContents { namelessVersion = version }
    }
}
