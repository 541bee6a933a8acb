// Reading, as the engine of a store.

extension SQLiteConnection {
    /// Makes the open read transaction see the current state of the store, instead of the state at its first read.
    func beginSnapshot() throws(StoreError) { _ = try integer("SELECT count(*) FROM sqlite_schema") }
}

extension SQLiteStore {
    func beginReading() throws -> StoreReader? { try beginTransaction().map { .sqlite($0) } }

    func endReading(_ connection: StoreReader) {
        if let connection = connection.sqlite { endTransaction(connection) }
    }

    func checkVersion(of connection: StoreReader, hasFailed: Bool) throws(StoreError) {
        if let connection = connection.sqlite { try checkVersion(of: connection, hasFailed: hasFailed) }
    }

    func withReader(_ body: (StoreReader) throws -> Void) throws { try read { try body(.sqlite($0)) } }

    func metadata() throws -> StoreMetadata { try read { try readMetadata($0) } }

    // A store in memory no longer exists when its cache would be read.
    var hasSectionCaches: Bool { !isInMemory }

    func contentsName(_ reader: StoreReader) throws -> String? {
        try reader.sqlite.flatMap { try readContentsName($0) }
    }
}
