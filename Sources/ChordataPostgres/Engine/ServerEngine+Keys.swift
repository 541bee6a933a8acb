internal import Chordata

extension ServerEngine {
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
