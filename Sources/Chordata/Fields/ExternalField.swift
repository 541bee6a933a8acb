internal import ChordataModel
internal import ChordataSQL

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// An attribute whose bytes are in a side table: their place in the object, and the statements that read and write
/// them.
struct ExternalField: Sendable {
    let field: Field
    /// The version of a row and the bytes that belong to it, for the key of the row.
    let selectSQL: SQLText
    /// Writes the bytes, the second parameter, of the row whose key is the first.
    let writeSQL: SQLText
    /// Removes the bytes of a row.
    let removeSQL: SQLText

    init?(_ field: Field, of mapping: EntityMapping) {
        guard field.kind.base == .external, let name = mapping.attribute(at: [field.name])?.externalTableName else {
            return nil
        }
        let table = quoteIdentifier(name)
        self.field = field
        selectSQL = SQLText(
            """
            SELECT t."_version", e."bytes" FROM \(quoteIdentifier(mapping.tableName)) AS t \
            LEFT JOIN \(table) AS e ON e."_id" = t."_id" WHERE t."_id" = ?
            """
        )
        writeSQL = SQLText(
            """
            INSERT INTO \(table) ("_id", "bytes") VALUES (?, ?) \
            ON CONFLICT ("_id") DO UPDATE SET "bytes" = excluded."bytes"
            """
        )
        removeSQL = SQLText("DELETE FROM \(table) WHERE \"_id\" = ?")
    }

    // MARK: Memory, of an object, a block or a snapshot

    /// The value at an address; `nil` for no value.
    func value(at address: UnsafeRawPointer) -> ExternalData? {
        field.kind.isOptional
            ? address.assumingMemoryBound(to: ExternalData?.self).pointee
            : address.assumingMemoryBound(to: ExternalData.self).pointee
    }

    /// Replaces the value at an address; no value makes a required attribute empty.
    func setValue(_ value: ExternalData?, at address: UnsafeMutableRawPointer) {
        if field.kind.isOptional {
            address.assumingMemoryBound(to: ExternalData?.self).pointee = value
        } else {
            address.assumingMemoryBound(to: ExternalData.self).pointee = value ?? .zero
        }
    }

    /// Lets go of the bytes at an address, which can be read again.
    func unload(at address: UnsafeMutableRawPointer) {
        guard var value = value(at: address) else { return }
        value.unload()
        setValue(value, at: address)
    }

    // MARK: Store

    /// Reads the version of a row, and the bytes that belong to it; `nil` when there is no row.
    func read(_ key: Int64, _ connection: SQLiteConnection) throws(StoreError) -> (version: Int64, bytes: Data?)? {
        let statement = try connection.statement(selectSQL)
        defer { statement.reset() }
        statement.bind(key, at: 1)
        guard try statement.step() else { return nil }
        return (statement.integer(at: 0), Data.read(statement.values, 1))
    }

    /// Writes the bytes of a row.
    /// - Throws: ``ValidationError`` when there are more than the store takes, ``StoreError`` when the store cannot be
    ///   written.
    func write(_ bytes: Data, _ objectID: ManagedObjectID, _ connection: SQLiteConnection) throws {
        let statement = try connection.statement(writeSQL)
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
                    + "store them in a file, and its name here"
            )
            throw ValidationError(failures: [failure])
        }
    }

    /// Removes the bytes of a row.
    func remove(_ key: Int64, _ connection: SQLiteConnection) throws(StoreError) {
        let statement = try connection.statement(removeSQL)
        statement.bind(key, at: 1)
        try statement.run()
    }
}
