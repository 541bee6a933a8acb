// Reads, for the contexts of a store.

extension SQLiteStore {
    func beginReading() throws -> StoreReader? { try beginTransaction().map { .sqlite($0) } }

    func endReading(_ connection: StoreReader) {
        if let connection = connection.sqlite { endTransaction(connection) }
    }

    func read(with connection: StoreReader, _ body: () throws -> Void) throws {
        guard let connection = connection.sqlite else { preconditionFailure("the connection is of another engine") }
        try read(with: connection, body)
    }

    func withReader(_ body: (StoreReader) throws -> Void) throws { try read { try body(.sqlite($0)) } }
}
