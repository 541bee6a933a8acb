import Synchronization

@testable import Chordata
@testable import ChordataPostgres
@testable import ChordataPredicate

/// Connections that count round trips and lose saves.
final class TestDatabase: ServerDatabase {
    /// What happens to a save.
    enum Fate: CaseIterable {
        /// The save is executed.
        case executed
        /// The connection is lost before the server has received the save.
        case lostBefore
        /// The server has executed the save, but its answer is lost.
        case lostAfter
        /// The server ends the connection.
        case terminated
    }

    let pool: PostgresPool
    private let roundTrips = Atomic(0)
    private let fates: Mutex<() -> Fate>

    init(_ configuration: PostgresConfiguration, fate: sending @escaping () -> Fate = { .executed }) {
        pool = PostgresPool(configuration)
        fates = Mutex(fate)
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

    /// Counts the round trips that a closure causes.
    func roundTrips(_ body: () throws -> Void) rethrows -> Int {
        let before = roundTripCount
        try body()
        return roundTripCount - before
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
    func endReading() { inner.endReading() }

    func execute(
        _ statements: [ServerStatement],
        _ onRow: (_ index: Int, _ cells: UnsafeMutableBufferPointer<StoreCell>) throws -> Void
    ) throws -> [Int] {
        database.count()
        let loss = ServerFailure(StoreError(.connectionLost, "the connection was lost"), at: nil)
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
