internal import Chordata
internal import Synchronization

/// The engine of a store on a server during its migration: it reads and writes with the connection of the migration,
/// and each of its transactions is a part of the transaction of the migration.
final class MigratingServerEngine: StageEngine {
    // The migration runs on one thread, and uses the connection only while the engine does not.
    private nonisolated(unsafe) let writer: ServerWriter
    private let isReadOnly: Bool
    private let hasEnded = Atomic(false)
    private let commits = Atomic(0)
    private let rowTexts = RowWriteTexts()
    let counters = StoreCounters()
    var saveLogger: SaveLogger? { nil }

    init(_ writer: ServerWriter, isReadOnly: Bool) { (self.writer, self.isReadOnly) = (writer, isReadOnly) }

    private var place: String { writer.path }

    func end() { hasEnded.store(true, ordering: .sequentiallyConsistent) }

    func requireOpen() throws(StoreError) {
        if hasEnded.load(ordering: .relaxed) { throw endedStageError(path: place) }
    }

    // MARK: Reading

    var commitCount: Int { commits.load(ordering: .acquiring) }
    /// Each read is part of the transaction of the migration.
    func beginReading() -> StoreReader? { nil }
    func endReading(_ connection: StoreReader) {}
    func checkVersion(of connection: StoreReader, hasFailed: Bool) {}

    func withReader(_ body: (StoreReader) throws -> Void) throws {
        try requireOpen()
        try body(.engine(writer))
    }

    func metadata() throws -> StoreMetadata {
        try requireOpen()
        return try readServerMetadata(.engine(writer), place: place)
    }

    // MARK: Writing

    func save(_ plan: SavePlan, didCommit: (SaveEffects) -> Void) throws -> SaveEffects {
        var effects = SaveEffects()
        try nest {
            if let values = plan.values {
                effects.firstKey = try values.firstKey ?? reserveKeys(Int64(values.rows.count)).lowerBound
            }
            if plan.reservedKeyCount > 0 { effects.reservedKeys = try reserveKeys(plan.reservedKeyCount) }
            let save = try ServerSave(
                plan,
                rowTexts,
                firstKey: effects.firstKey,
                recording: nil,
                copyingFrom: .max
            )
            do {
                try save.execute(plan, between: [], and: [], with: writer, &effects) { _ in }
            } catch let failure as ServerFailure {
                guard let index = failure.index, save.roles.indices.contains(index) else { throw failure.error }
                throw save.roles[index].cause(of: failure.error, plan.schema)
            }
        }
        counters.countTransaction(of: 1)
        didCommit(effects)
        return effects
    }

    nonisolated(nonsending) func whenAvailable(_ body: () throws -> Void) async throws { try body() }

    func write(at places: [Int], _ body: (StoreTransaction) throws -> Void, didCommit: () -> Void) throws {
        try nest { try body(.engine(writer)) }
        didCommit()
    }

    func setNote(_ value: String?, forKey key: String) throws {
        try nest { try StoreTransaction.engine(writer).writeServerNote(value, forKey: key) }
    }

    func reserveKeys(_ count: Int64) throws -> Range<Int64> {
        var end: Int64?
        try nest {
            _ = try writer.connection.execute([ServerEngine.keyReservation(count)]) { _, cells in
                if case .integer(let value) = cells[0] { end = value }
            }
        }
        return try ServerEngine.reservedKeys(count, before: end, place)
    }

    func reserveKeysIfAvailable(_ count: Int64) throws -> Range<Int64>? { try reserveKeys(count) }

    /// Runs a part of the transaction that is undone if it fails.
    private func nest(_ body: () throws -> Void) throws {
        try requireOpen()
        if isReadOnly { throw readOnlyStageError(path: place) }
        try writer.nest { try body() }
        commits.add(1, ordering: .releasing)
    }

    // MARK: Section caches

    var hasSectionCaches: Bool { false }
    func contentsName(_ reader: StoreReader) -> String? { nil }
    func nameContents() {}
}

extension ServerWriter {
    private static let savepoint = ServerStatement("SAVEPOINT \"part\"")
    private static let release = ServerStatement("RELEASE SAVEPOINT \"part\"")

    /// Runs a part of a transaction, which is undone if the closure throws an error.
    func nest(_ body: () throws -> Void) throws {
        try undoing {
            try connection.execute([Self.savepoint])
            try body()
            try connection.execute([Self.release])
        }
    }

    /// Executes a statement in one round trip, as a part of a transaction that is undone if the statement fails.
    /// - Parameters:
    ///   - next: A statement that is executed next.
    ///   - onRow: A closure that is called with the cells of each row of the statement.
    func nest(
        _ statement: ServerStatement,
        _ next: ServerStatement,
        _ onRow: (UnsafeMutableBufferPointer<StoreCell>) throws -> Void
    ) throws {
        try undoing {
            _ = try connection.execute([Self.savepoint, statement, Self.release, next]) { index, cells in
                if index == 1 { try onRow(cells) }
            }
        }
    }

    private func undoing(_ body: () throws -> Void) throws {
        try throwingStoreErrors {
            do {
                try body()
            } catch {
                if connection.isInTransaction {
                    // If this fails, the transaction was aborted before.
                    _ = try? connection.execute([ServerStatement("ROLLBACK TO SAVEPOINT \"part\""), Self.release])
                }
                throw error
            }
        }
    }
}

/// Runs a closure, and throws the error of a statement that fails.
func throwingStoreErrors(_ body: () throws -> Void) throws {
    do {
        try body()
    } catch let failure as ServerFailure {
        throw failure.error
    }
}
