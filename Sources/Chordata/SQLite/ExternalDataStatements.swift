internal import ChordataSQL

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The statements that read and write the bytes of an attribute in a side table.
package struct ExternalDataStatements: Sendable {
    /// The statement that selects the version of a row and the bytes that belong to it, by the row key.
    let select: SQLText
    /// The statement that writes the bytes of a row; its parameters are the row key and the bytes.
    package let write: SQLText
    /// The statement that removes the bytes of a row.
    package let remove: SQLText

    /// - Parameters:
    ///   - table: The side table.
    ///   - owner: The table of the rows.
    init(table: String, owner: String, _ dialect: any SQLDialect) {
        let table = quoteIdentifier(table)
        select = SQLText(
            """
            SELECT t."_version", (SELECT e."bytes" FROM \(table) AS e WHERE e."_id" = t."_id") \
            FROM \(quoteIdentifier(owner)) AS t WHERE t."_id" = \(dialect.parameters(1...1))
            """
        )
        write = SQLText(
            """
            INSERT INTO \(table) ("_id", "bytes") VALUES (\(dialect.parameters(1...2))) \
            ON CONFLICT ("_id") DO UPDATE SET "bytes" = excluded."bytes"
            """
        )
        remove = SQLText("DELETE FROM \(table) WHERE \"_id\" = \(dialect.parameters(1...1))")
    }
}

extension ExternalField {
    /// Reads the version of a row, and the bytes that belong to it; `nil` if the row does not exist.
    func read(_ key: Int64, _ connection: StoreReader) throws -> (version: Int64, bytes: Data?)? {
        try connection.readRow(of: StoreQuery(statements.select, .key(key))) { row in
            let bytes =
                switch row.columns {
                case .sqlite(let values): Data.read(values, 1)
                case .cells(let values): Data.read(values, 1)
                }
            return (row.integer(at: 0), bytes)
        }
    }

    /// Writes the bytes of a row.
    /// - Throws: ``ValidationError`` if there are more bytes than the store accepts, ``StoreError`` if the store cannot
    ///   be written.
    func write(_ bytes: Data, _ objectID: ManagedObjectID, _ connection: SQLiteConnection) throws {
        let statement = try connection.statement(statements.write)
        statement.bind(objectID.key, at: 1)
        do throws(StoreError) {
            try statement.run(withBytes: bytes, at: 2)
        } catch {
            guard error.isForLength else { throw error }
            let failure = ValidationError.Failure(
                .managedObjectValidation,
                objectID,
                propertyName: field.name,
                reason: "has \(bytes.count) bytes, but the store allows fewer than \(statement.maximumLength); "
                    + "store the bytes in a file, and the name of the file in the object"
            )
            throw ValidationError(failures: [failure])
        }
    }

    /// Removes the bytes of a row.
    func remove(_ key: Int64, _ connection: SQLiteConnection) throws(StoreError) {
        let statement = try connection.statement(statements.remove)
        statement.bind(key, at: 1)
        try statement.run()
    }
}
