internal import ChordataModel
package import ChordataSQL

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// The store in which the stages of a migration run.
///
/// Except for batches, everything is a part of the transaction of the migration.
package protocol StageStore: AnyObject {
    /// The location of the store, for error messages.
    var path: String { get }
    var dialect: any SQLDialect { get }
    /// The transaction of the migration.
    var transaction: StoreTransaction { get }
    /// The name of the schema that has the connection's temporary tables.
    var temporarySchema: String { get }

    /// Returns the tables of a version.
    func mapping(of model: ManagedObjectModel) -> SchemaMapping
    /// Reads the metadata of the store.
    func metadata() throws -> StoreMetadata
    /// Returns the store with the objects of a version, for a context of the stage.
    /// - Parameter isReadOnly: A Boolean value that indicates whether its objects can only be read.
    func makeStore(_ schema: StoreSchema, _ identifier: UUID, isReadOnly: Bool)
        -> (store: PersistentStore, engine: any StageEngine)

    // MARK: Statements

    /// Executes a statement of a stage.
    /// - Parameters:
    ///   - arguments: The values of its parameters.
    ///   - mapping: The tables of the stage's version, in which references to deleted rows are removed.
    ///   - onRow: A closure that is called with the values of each row by the names of their columns, without NULL.
    /// - Returns: A Boolean value that indicates whether the statement may have changed rows.
    /// - Throws: ``StoreError`` when the statement fails or is not allowed in a migration.
    func run(
        _ sql: String,
        _ arguments: StoreQuery.Arguments,
        _ mapping: SchemaMapping,
        _ onRow: ([String: any Sendable]) -> Void
    ) throws -> Bool

    /// Throws if a closure of a stage has ended the transaction, or if the transaction cannot be continued.
    func requireTransaction() throws
    /// Locks the tables of a version before a stage changes it, so that the migration does not have to begin again.
    func lockTables(_ mapping: SchemaMapping) throws
    /// Prepares the transaction for changes of tables after a closure of a stage has changed rows.
    func checkWrittenReferences() throws
    /// Drops the tables that were kept for the stages of a step, so that the stages of the next step find their own
    /// ones.
    /// - Parameters:
    ///   - source: The tables whose dropped data were kept.
    ///   - destination: The tables whose rows the stages may have changed.
    func endStages(_ source: SchemaMapping, _ destination: SchemaMapping) throws

    // MARK: Tables

    /// Returns the name of the temporary table with the values that the step has dropped from a table.
    func asideTableName(of tableName: String) -> String
    /// Returns the columns of a temporary table; the set is empty if there is no such table.
    func temporaryColumns(of tableName: String) throws -> Set<String>
    /// Returns the name of a table that a batched stage creates.
    func sideTableName(_ name: String) -> String
    /// Returns the name of a table of the store with its schema, for SQL.
    func qualifiedTable(_ tableName: String) -> String
    func hasTable(_ tableName: String) throws -> Bool
    /// The type of the columns with row keys and row versions.
    var keyType: String { get }
    /// Returns the type of a side table's column for the values of an attribute.
    func sideColumnType(of field: Field, _ type: RuntimeEntity, _ mapping: SchemaMapping) -> String

    // MARK: Batches

    /// Runs a closure that reads, before the transaction of the migration.
    func readBatch(_ body: () throws -> Void) throws
    /// Runs a closure in a transaction before the one of the migration; no other program can migrate the store during
    /// this time.
    func writeBatch(_ body: () throws -> Void) throws
}

/// An engine whose store is valid only until its stage ends.
package protocol StageEngine: StoreEngine {
    /// Makes all later uses of the store fail.
    func end()
    /// - Throws: ``StoreError`` if the stage has ended.
    func requireOpen() throws(StoreError)
}

extension SQLiteStore: StageEngine {}

extension StageStore {
    /// A reader that sees what the transaction has written.
    package var reader: StoreReader { transaction.reader }
    /// The parameter of a statement that has one.
    var parameter: String { dialect.parameters(1...1) }

    package func error(_ message: String) -> StoreError { StoreError(.migrationFailed, message, path: path) }

    /// Returns a temporary table's name with its schema, for SQL.
    package func qualifiedTemporaryTable(_ name: String) -> String { "\(temporarySchema).\(quoteIdentifier(name))" }
}

/// The error of a statement in a migration that begins or ends a transaction, or changes settings.
package func refusedStatement(_ keywords: String, path: String) -> StoreError {
    StoreError(
        .migrationFailed,
        "each migration runs in a transaction with its own settings: remove \(keywords) from its SQL",
        path: path
    )
}

/// The error of an object that is used after its stage.
package func endedStageError(path: String) -> StoreError {
    StoreError(.cannotOpen, "the stage has ended, so its objects cannot be used any more", path: path)
}

/// The error of a save in a batched stage.
package func readOnlyStageError(path: String) -> StoreError {
    StoreError(.readOnly, "a batched stage cannot save objects; return the values from its closure", path: path)
}
