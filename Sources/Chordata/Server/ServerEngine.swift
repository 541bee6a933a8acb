internal import ChordataModel
internal import ChordataPredicate
internal import ChordataSQL
internal import Dispatch
internal import Synchronization

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The engine of a store on a database server.
///
/// The reads of an event are one transaction, which begins with the first query. A save is one transaction, and usually
/// one round trip. It is executed only once even if it is repeated, because it records a number under a primary key.
final class ServerEngine: StoreEngine {
    let database: any ServerDatabase
    /// The schema of the server that has the tables.
    let schemaName: String
    private let versionHash: String
    /// A Boolean value that indicates whether the model has derived attributes.
    private let hasDerivations: Bool
    /// The number of this open store, which no other open store has or had.
    let origin: Int64
    private let options: ServerOptions
    /// Queues the saves of this program and of other programs for contexts.
    let posts = ServerPosts()
    /// Reports the saves of other programs, once the store is open.
    let feed = Mutex<ServerChangeFeed?>(nil)
    /// The statement that makes names without a schema refer to the store until the end of the transaction, and that
    /// prevents a migration until then.
    private let settings: ServerStatement
    private let saveNumber = Atomic<Int64>(0)
    private let commits = Atomic(0)
    let counters = StoreCounters()
    var saveLogger: SaveLogger? { options.saveLogger }

    /// The maximum number of attempts of a save that the server has ended because of other transactions.
    private static let attemptLimit = 5
    /// The time for which a save is repeated after a lost connection.
    private static let reconnectTimeout = Duration.seconds(30)

    init(
        _ database: any ServerDatabase,
        schemaName: String,
        versionHash: String,
        hasDerivations: Bool,
        origin: Int64,
        options: ServerOptions = ServerOptions()
    ) {
        self.database = database
        self.schemaName = schemaName
        self.versionHash = versionHash
        self.hasDerivations = hasDerivations
        self.origin = origin
        self.options = options
        settings = ServerStatement(
            "SELECT set_config('search_path', $1, true), pg_advisory_xact_lock_shared($2)",
            [.text(postgresNamespaces(schemaName)), .integer(Self.lockKey(schemaName))],
            isKept: true
        )
    }

    var place: String { database.place }
    var commitCount: Int { commits.load(ordering: .acquiring) }

    // MARK: Reading

    func beginReading() throws -> StoreReader? {
        .engine(ServerReader(try database.take(for: "a context that reads"), begin: Self.beginOfReading(schemaName)))
    }

    /// The statements that begin a transaction that reads one state of the store.
    static func beginOfReading(_ schemaName: String) -> [ServerStatement] {
        [
            ServerStatement("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", isKept: true),
            searchPath(schemaName),
        ]
    }

    /// Returns the statement that makes names without a schema refer to the store until the transaction ends.
    static func searchPath(_ schemaName: String) -> ServerStatement {
        ServerStatement("SET LOCAL search_path = \(postgresNamespaces(schemaName))")
    }

    func endReading(_ connection: StoreReader) {
        guard case .engine(let reader as ServerReader) = connection else {
            preconditionFailure("a reader of another engine was returned")
        }
        reader.connection.endReading()
        database.release(reader.connection)
    }

    /// Checks the version after a failure: in a migrated store, a statement does not find its columns, or rows have
    /// unknown entities.
    func checkVersion(of connection: StoreReader, hasFailed: Bool) throws(StoreError) {
        // If the metadata cannot be read either, the first error is reported.
        guard hasFailed, let metadata = try? readServerMetadata(connection, place: place),
            metadata.versionHash != versionHash
        else { return }
        throw StoreError(
            .incompatibleModel,
            "has been migrated to another version of the model by another program while this program had it open; "
                + "open it with a program that has the new version",
            path: place
        )
    }

    func withReader(_ body: (StoreReader) throws -> Void) throws {
        guard let reader = try beginReading() else { return }
        defer { endReading(reader) }
        try read(with: reader, body)
    }

    func metadata() throws -> StoreMetadata {
        var metadata: StoreMetadata?
        try withReader { metadata = try readServerMetadata($0, place: place) }
        guard let metadata else { preconditionFailure("the metadata must have been read") }
        return metadata
    }

    // MARK: Saving

    func save(_ plan: SavePlan, didCommit: (SaveEffects) -> Void) throws -> SaveEffects {
        try plan.progress?.checkCancellation()
        var effects = SaveEffects()
        if let values = plan.values {
            effects.firstKey = try values.firstKey ?? reserveKeys(Int64(values.rows.count)).lowerBound
        }
        if plan.reservedKeyCount > 0 { effects.reservedKeys = try reserveKeys(plan.reservedKeyCount) }
        let number = nextNumber()
        let recording = options.recordsChanges ? number : nil
        func makeSave(copyingFrom count: Int) throws -> ServerSave {
            try ServerSave(plan, firstKey: effects.firstKey, recording: recording, copyingFrom: count)
        }
        let save = try makeSave(copyingFrom: options.copiedRowCount)
        do {
            try execute(save, number, plan, &effects)
        } catch let error as StoreError where error.sqlState == "0A000" && save.copiesRows {
            // Rows cannot be copied into a table with row-level security.
            try execute(makeSave(copyingFrom: .max), number, plan, &effects)
        }
        commits.add(1, ordering: .releasing)
        counters.countTransaction(of: 1)
        plan.report?.didCommit(groupSize: 1)
        posts.deliver { didCommit(effects) }
        feed.withLock { $0 }?.notify()
        return effects
    }

    private func nextNumber() -> SaveNumber {
        SaveNumber(origin: origin, number: saveNumber.add(1, ordering: .relaxed).newValue)
    }

    private func execute(_ save: ServerSave, _ number: SaveNumber, _ plan: SavePlan, _ effects: inout SaveEffects)
        throws
    {
        let begin = beginOfSave(computesDerivations: plan.derivations != nil)
        let prefix = begin + [note(number, plan.origin, try save.changes?.text(), checksVersion: true)]
        let roles = begin.map { _ in .other } + [.note] + save.roles + [.other]
        // A statement after the number of the save fails only if no earlier attempt is committed or still runs.
        let noteIndex = prefix.count - 1
        let clock = ContinuousClock()
        var attempt = 1
        /// The first error of an attempt whose outcome is unknown.
        var loss: (error: StoreError, since: ContinuousClock.Instant)?
        /// The rows that the attempt has written in addition to those of the plan, if its response has arrived.
        var lost = effects
        while true {
            var attempted = effects
            do {
                let connection = try database.take(for: "a save")
                defer { database.release(connection) }
                do {
                    try execute(prefix, save, number, plan, connection, &attempted)
                    effects = attempted
                    return
                } catch {
                    if connection.isInTransaction { _ = try? connection.execute([ServerStatement("ROLLBACK")]) }
                    throw error
                }
            } catch let failure as ServerFailure {
                let isUnknown = loss != nil && (failure.index ?? 0) <= noteIndex
                do {
                    switch try reaction(to: failure, roles, plan.schema) {
                    case .isCommitted where loss != nil:
                        effects = lost
                        return
                    case .isCommitted: throw failure.error
                    case .reconnect:
                        loss = loss ?? (failure.error, clock.now)
                        lost = attempted
                    case .repeat where isUnknown: break
                    case .repeat:
                        guard attempt < Self.attemptLimit else { throw failure.error }
                    }
                } catch {
                    guard isUnknown, let loss else { throw error }
                    throw unknownOutcome(loss.error)
                }
            } catch let error as StoreError {
                // The server cannot be reached; before the first attempt, nothing was written.
                guard loss != nil else { throw error }
            }
            if let loss, clock.now - loss.since > Self.reconnectTimeout { throw unknownOutcome(loss.error) }
            attempt += 1
            sleep(attempt)
        }
    }

    /// Executes the statements of a save, from the beginning of its transaction to the commit.
    /// - Throws: ``ServerFailure`` with the index of the statement among all statements.
    private func execute(
        _ prefix: [ServerStatement],
        _ save: ServerSave,
        _ number: SaveNumber,
        _ plan: SavePlan,
        _ connection: any ServerConnection,
        _ effects: inout SaveEffects
    ) throws {
        let commit = [ServerStatement("COMMIT", isKept: true)]
        let writer = ServerWriter(connection, path: place)
        try save.execute(plan, between: prefix, and: commit, with: writer, &effects) { rows in
            if let changes = save.changes, !rows.isEmpty { try replaceNote(number, changes.adding(rows), writer) }
        }
    }

    private enum Reaction {
        case isCommitted, reconnect, `repeat`
    }

    /// Returns the next action after a failure, and throws if the save has failed.
    private func reaction(
        to failure: ServerFailure,
        _ roles: [ServerSave.Role],
        _ schema: StoreSchema
    ) throws -> Reaction {
        let error = failure.error
        switch error.sqlState {
        case "40001"?, "40P01"?, "55P03"?, "57P03"?: return .repeat
        default:
            if error.isOfPreparation { return .repeat }
            if error.code == .connectionLost { return .reconnect }
        }
        guard let index = failure.index else { throw error }
        switch (roles[index], error.sqlState) {
        case (.note, "22012"?): throw versionError
        case (.note, "23505"?): return .isCommitted
        case (let role, _): throw role.cause(of: error, schema)
        }
    }

    /// The error of a write to a store that does not have the version of the model.
    ///
    /// The write must have released its connection, because this reads the metadata.
    private var versionError: StoreError {
        do {
            _ = try metadata()
        } catch let error as StoreError where error.code == .incompleteStore {
            return error
        } catch {
            // The server cannot be asked any more, so the error says what the failed statement has shown.
        }
        return StoreError(
            .incompatibleModel,
            "has been migrated to another version of the model by another program while this program had it open, so "
                + "nothing was written; open it with a program that has the new version",
            path: place
        )
    }

    private func unknownOutcome(_ loss: StoreError) -> StoreError {
        StoreError(
            .outcomeUnknown,
            "the connection to the server was lost while changes were committed, and the server cannot be asked, so it "
                + "is unknown whether the changes are stored; read the objects again when the server can be reached",
            sqlState: loss.sqlState,
            path: place
        )
    }

    /// Waits for a random time before another attempt, so that two saves do not conflict again.
    private func sleep(_ attempt: Int) {
        let milliseconds = Double.random(in: 0.5...1.5) * Double(min(10 << attempt, 200))
        let end = DispatchTime.now() + .milliseconds(Int(milliseconds))
        whileWaitingForServer { _ = DispatchSemaphore(value: 0).wait(timeout: end) }
    }

    /// Returns the statements that begin the transaction of a save, and that prevent a migration of the store until its
    /// end.
    ///
    /// Each statement of the transaction sees the state at its own beginning.
    private func beginOfSave(computesDerivations: Bool) -> [ServerStatement] {
        // The locks are taken in the same order as by other writes.
        [Self.readCommitted] + (computesDerivations ? [Self.searchPath(schemaName), Self.derivationLock] : []) + [
            settings
        ]
    }

    /// Returns the statements that begin a transaction of a batch before a migration.
    ///
    /// Until its end, the version of the store does not change, and no other program writes batches.
    static func beginOfBatch(_ schemaName: String) -> [ServerStatement] {
        [readCommitted, searchPath(schemaName)] + migrationSettings + [
            derivationLock,
            ServerStatement("SELECT pg_advisory_xact_lock_shared($1)", [.integer(lockKey(schemaName))]),
        ]
    }

    /// The settings of the transactions of a migration.
    ///
    /// Other transactions wait for a waiting change of a table, so a transaction that waits longer is rolled back and
    /// begins again. A stage may take any time between two statements.
    static let migrationSettings = [
        ServerStatement("SET LOCAL lock_timeout = '5s'"),
        ServerStatement("SET LOCAL idle_in_transaction_session_timeout = 0"),
    ]

    private static let readCommitted = ServerStatement("BEGIN ISOLATION LEVEL READ COMMITTED", isKept: true)

    /// Returns the statements that begin a transaction whose statements all see one state, so that it writes what it
    /// has read, and that prevent a migration of the store until its end.
    ///
    /// The last one checks the version of the model.
    private func beginOfOtherWrite() -> [ServerStatement] {
        // The state that the transaction sees is that of its first SELECT.
        [
            ServerStatement("BEGIN ISOLATION LEVEL REPEATABLE READ", isKept: true), Self.searchPath(schemaName),
        ] + (hasDerivations ? [Self.derivationLock] : []) + [
            ServerStatement(
                "SELECT pg_advisory_xact_lock_shared($1)",
                [.integer(Self.lockKey(schemaName))],
                isKept: true
            ),
            // The lock may have waited for a migration that is not in this state; locking the row then fails.
            ServerStatement("SELECT \(Self.versionCheck("$1", " FOR SHARE"))", [.text(versionHash)], isKept: true),
        ]
    }

    /// The statement after which no other transaction computes derived attributes of other rows, or writes batches of a
    /// migration, until the end of this one, because it would not see the rows of this one.
    private static let derivationLock = ServerStatement("LOCK TABLE \"_metadata\" IN SHARE UPDATE EXCLUSIVE MODE")

    /// Returns an expression that is 1 if the store has a version of the model, and otherwise divides by zero.
    /// - Parameters:
    ///   - parameter: The parameter with the version.
    ///   - lock: The clause that locks the row that is read.
    private static func versionCheck(_ parameter: String, _ lock: String = "") -> String {
        "1 / COALESCE((SELECT \"value\" = \(parameter) FROM \"_metadata\" WHERE \"key\" = 'versionHash'\(lock)), false)::int"
    }

    /// The key of the lock of a store's version.
    static func lockKey(_ schemaName: String) -> Int64 {
        Int64(bitPattern: stableHash("chordata " + schemaName))
    }

    /// Returns the statement that records the number of a save, and its changes if the store records them.
    /// - Parameter checksVersion: A Boolean value that indicates whether the statement divides by zero if the store has
    ///   another version of the model.
    private func note(_ save: SaveNumber, _ origin: SaveOrigin, _ changes: String?, checksVersion: Bool)
        -> ServerStatement
    {
        let arguments: [ServerArgument] = [
            .integer(save.origin), .integer(save.number), .value(.attribute(.date(Date()))), .text(origin.author),
            .text(origin.contextName), .text(changes),
        ]
        return checksVersion
            ? ServerStatement(Self.checkingNoteSQL, arguments + [.text(versionHash)], isKept: true)
            : ServerStatement(Self.noteSQL, arguments, isKept: true)
    }

    private static let noteSQL =
        "INSERT INTO \"_save\" (\"origin\", \"number\", \"at\", \"author\", \"context\", \"changes\") "
        + "SELECT $1, $2, $3, $4, $5, $6"
    private static let checkingNoteSQL = noteSQL + " WHERE \(versionCheck("$7")) = 1"

    /// Replaces the recorded changes of a save whose transaction has changed more rows since.
    private func replaceNote(_ save: SaveNumber, _ changes: HistoryChanges, _ writer: ServerWriter) throws {
        let sql = "UPDATE \"_save\" SET \"changes\" = $1 WHERE \"origin\" = $2 AND \"number\" = $3"
        let values: [PredicateValue] = [
            .attribute(.string(try changes.text())), .attribute(.integer(save.origin)),
            .attribute(.integer(save.number)),
        ]
        _ = try writer.run(StoreQuery(sql, .values(values)))
    }

    nonisolated(nonsending) func whenAvailable(_ body: () throws -> Void) async throws { try body() }

    // MARK: Other writes

    /// The store does not have the version of the model.
    private struct OtherVersion: Error {}

    func write(at places: [Int], _ body: (StoreTransaction) throws -> Void, didCommit: () -> Void) throws {
        var attempt = 1
        while true {
            do {
                try writeOnce(body)
                break
            } catch is OtherVersion {
                throw versionError
            } catch let error as StoreError {
                // Another transaction has written the same rows, or waits for them. After an error of preparation,
                // the statements of the next attempt are not prepared.
                let isConflict = ["40001", "40P01", "55P03"].contains(error.sqlState)
                guard isConflict || error.isOfPreparation, attempt < Self.attemptLimit else { throw error }
            }
            attempt += 1
            sleep(attempt)
        }
        commits.add(1, ordering: .releasing)
        posts.deliver(didCommit)
        feed.withLock { $0 }?.notify()
    }

    /// Runs a transaction in which all statements see one state of the store, and its own changes.
    private func writeOnce(_ body: (StoreTransaction) throws -> Void) throws {
        let connection = try database.take(for: "a batch operation")
        defer { database.release(connection) }
        do {
            let begin = beginOfOtherWrite()
            do {
                try execute(begin, connection)
            } catch let failure as ServerFailure {
                guard failure.index == begin.count - 1, failure.error.sqlState == "22012" else {
                    throw failure
                }
                throw OtherVersion()
            }
            let writer = ServerWriter(connection, path: place)
            if options.recordsChanges {
                writer.note = { [self] in note(nextNumber(), $1, try $0.text(), checksVersion: false) }
            }
            try body(.engine(writer))
            do {
                try execute([ServerStatement("COMMIT")], connection)
            } catch let failure as ServerFailure where failure.error.code == .connectionLost {
                throw unknownOutcome(failure.error)
            }
        } catch {
            if connection.isInTransaction { _ = try? connection.execute([ServerStatement("ROLLBACK")]) }
            if let failure = error as? ServerFailure { throw failure.error }
            throw error
        }
    }

    private func execute(_ statements: [ServerStatement], _ connection: any ServerConnection) throws {
        _ = try connection.execute(statements)
    }

    func setNote(_ value: String?, forKey key: String) throws {
        try write(at: [0], { try $0.writeServerNote(value, forKey: key) }, didCommit: {})
    }

    // MARK: Section caches

    // A row that each save deletes would make saves wait for each other.
    var hasSectionCaches: Bool { false }
    func contentsName(_ reader: StoreReader) throws -> String? { nil }
    func nameContents() throws {}

    // MARK: Keys

    /// Reserves keys in a separate transaction, because its row lock would make saves wait for each other.
    func reserveKeys(_ count: Int64) throws -> Range<Int64> {
        let connection = try database.take(for: "the reservation of row keys")
        defer { database.release(connection) }
        var end: Int64?
        func reserve() throws {
            _ = try connection.execute([
                ServerStatement("BEGIN", isKept: true), Self.searchPath(schemaName),
                // If the server fails, only keys that no row has are lost.
                ServerStatement("SET LOCAL synchronous_commit = off"),
                Self.keyReservation(count), ServerStatement("COMMIT", isKept: true),
            ]) { _, cells in
                if case .integer(let value) = cells[0] { end = value }
            }
        }
        do {
            do {
                try reserve()
            } catch let failure as ServerFailure where failure.error.isOfPreparation {
                // The commit itself can be the statement that the server does not know.
                if connection.isInTransaction { try connection.execute([ServerStatement("ROLLBACK")]) }
                try reserve()
            }
        } catch let failure as ServerFailure {
            if connection.isInTransaction { _ = try? connection.execute([ServerStatement("ROLLBACK")]) }
            throw failure.error
        }
        return try Self.reservedKeys(count, before: end, place)
    }

    /// Returns the statement that reserves row keys, and returns the first key after them.
    static func keyReservation(_ count: Int64) -> ServerStatement {
        ServerStatement(
            "UPDATE \"_sequence\" SET \"next\" = \"next\" + $1 WHERE \"name\" = 'object' RETURNING \"next\"",
            [.integer(count)],
            isKept: true
        )
    }

    /// Returns the keys that a statement has reserved.
    /// - Parameter end: The result of the statement; `nil` if it has returned no row.
    static func reservedKeys(_ count: Int64, before end: Int64?, _ place: String) throws(StoreError) -> Range<Int64> {
        guard let end else {
            throw StoreError(
                .incompleteStore,
                "has no row 'object' in table '_sequence', from which new objects get their row keys; restore the store "
                    + "from a backup",
                path: place
            )
        }
        return end - count..<end
    }

    func reserveKeysIfAvailable(_ count: Int64) throws -> Range<Int64>? {
        database.isConnectionAvailable ? try reserveKeys(count) : nil
    }
}

extension SchemaMapping {
    /// Returns the error with the columns of the index that it names.
    func withColumns(_ error: StoreError) -> StoreError {
        guard case .uniqueness(let names)? = error.violation, let name = names.first else { return error }
        for table in tables {
            guard let index = table.indexes.first(where: { $0.name == name }) else { continue }
            var named = error
            named.violation = .uniqueness(columns: index.elements.map { "\(table.name).\($0.columnName)" })
            return named
        }
        return error
    }
}
