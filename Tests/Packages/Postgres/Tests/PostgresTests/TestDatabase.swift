import Synchronization

@testable import Chordata
@testable import ChordataPostgres
@testable import ChordataPredicate

/// Connections that count round trips and lose saves.
final class TestDatabase: ServerDatabase {
    /// The outcome of a save.
    enum Fate: CaseIterable {
        /// The save is executed.
        case executed
        /// The connection is lost before the server has received the save.
        case lostBefore
        /// The server has executed the save, but its response is lost.
        case lostAfter
        /// The server ends the connection.
        case terminated
    }

    let pool: PostgresPool
    private let roundTrips = Atomic(0)
    private let fates: Mutex<() -> Fate>
    /// A Boolean value that indicates whether notifications of other programs arrive.
    private let listens: Bool

    init(
        _ configuration: PostgresConfiguration,
        listens: Bool = true,
        fate: sending @escaping () -> Fate = { .executed }
    ) {
        pool = PostgresPool(configuration)
        fates = Mutex(fate)
        self.listens = listens
    }

    var place: String { pool.place }
    var roundTripCount: Int { roundTrips.load(ordering: .relaxed) }

    func take(for purpose: String) throws(StoreError) -> any ServerConnection {
        TestConnection(try pool.takeConnection(for: purpose), self)
    }

    var isConnectionAvailable: Bool { pool.isConnectionAvailable }

    func release(_ connection: any ServerConnection) {
        if let connection = connection as? TestConnection { pool.release(connection.inner) }
    }

    func openChannel(named name: String, onNotification: (@Sendable () -> Void)?) -> any ServerChannel {
        let channel = pool.openChannel(named: name, onNotification: listens ? onNotification : nil)
        return listens ? channel : DeafChannel(channel)
    }

    /// Counts the round trips that a closure causes.
    func roundTrips(_ body: () throws -> Void) rethrows -> Int {
        let before = roundTripCount
        try body()
        return roundTripCount - before
    }

    /// The number of statements that are executed before the server ends the connection; `nil` for all.
    let remainingStatements = Mutex<Int?>(nil)

    /// The number of these statements that are executed; `nil` for all.
    fileprivate func limit(of statements: [ServerStatement]) -> Int? {
        remainingStatements.withLock { remaining in
            guard let count = remaining else { return nil }
            remaining = max(0, count - statements.count)
            return count < statements.count ? count : nil
        }
    }

    /// A Boolean value that indicates whether the server forgets the prepared statements of a connection before its
    /// next statements, as with a pooler that gives these statements to another connection.
    let forgetsStatements = Mutex(false)

    fileprivate func willForgetStatements() -> Bool {
        forgetsStatements.withLock { forgets in
            defer { forgets = false }
            return forgets
        }
    }

    fileprivate func count() { roundTrips.add(1, ordering: .relaxed) }
    fileprivate func fate(of statements: [ServerStatement]) -> Fate {
        statements.contains { $0.sql.hasPrefix("INSERT INTO \"_save\"") } ? fates.withLock { $0() } : .executed
    }
}

private final class TestConnection: ServerConnection {
    let inner: PostgresConnection
    private let database: TestDatabase

    init(_ inner: PostgresConnection, _ database: TestDatabase) { (self.inner, self.database) = (inner, database) }

    var isInTransaction: Bool { inner.isInTransaction }
    var columnNames: [String] { inner.columnNames }
    func endReading() { inner.endReading() }
    func setTimeLimited(_ isLimited: Bool) { inner.setTimeLimited(isLimited) }
    func setPreparing(_ isPreparing: Bool) { inner.setPreparing(isPreparing) }

    func execute(
        _ statements: [ServerStatement],
        _ onRow: (_ index: Int, _ cells: UnsafeMutableBufferPointer<StoreCell>) throws -> Void
    ) throws -> [Int] {
        database.count()
        if database.willForgetStatements() { try inner.execute([ServerStatement("DEALLOCATE ALL")]) }
        let loss = ServerFailure(StoreError(.connectionLost, "the connection was lost"), at: nil)
        if let limit = database.limit(of: statements) {
            if limit > 0 { _ = try inner.execute(Array(statements[..<limit]), onRow) }
            _ = try TestServer.connection().rows("SELECT pg_terminate_backend(\(inner.processID), 5000)")
            return try inner.execute(statements, onRow)
        }
        switch database.fate(of: statements) {
        case .executed: return try inner.execute(statements, onRow)
        case .lostBefore: throw loss
        case .lostAfter:
            _ = try inner.execute(statements, onRow)
            throw loss
        case .terminated:
            _ = try TestServer.connection().rows("SELECT pg_terminate_backend(\(inner.processID), 5000)")
            return try inner.execute(statements, onRow)
        }
    }
}

/// A channel that behaves as behind a connection pooler: notifications are sent, but none arrive.
private final class DeafChannel: ServerChannel {
    private let channel: any ServerChannel

    init(_ channel: any ServerChannel) { self.channel = channel }

    var isListening: Bool { false }
    func notify() { channel.notify() }
    func withConnection<Result>(_ body: (any ServerConnection) throws -> Result) throws -> Result {
        try channel.withConnection(body)
    }
}
