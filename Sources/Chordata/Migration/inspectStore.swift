internal import ChordataSQL

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// The contents of a store, from its own metadata.
package struct StoreInspection: Sendable {
    package struct Count: Sendable {
        package var entityName: String
        package var count: Int64

        package init(entityName: String, count: Int64) { (self.entityName, self.count) = (entityName, count) }
    }

    package struct FullText: Sendable {
        package var name: String
        package var columns: [String]
        /// The number of indexed rows.
        package var count: Int64
        /// A Boolean value that indicates whether the index has all rows of its table, and its three triggers.
        package var isComplete: Bool
    }

    package struct AppliedMigration: Sendable {
        package var source: String
        package var destination: String
        package var checksum: String
        package var finished: Date

        package init(source: String, destination: String, checksum: String, finished: Date) {
            (self.source, self.destination, self.checksum) = (source, destination, checksum)
            self.finished = finished
        }
    }

    package var modelName: String
    package var versionName: String
    package var versionHash: String
    package var storeUUID: UUID
    package var entities: [Count]
    package var fullTextIndexes: [FullText]
    package var migrations: [AppliedMigration]
    /// The schema drift of the tables; `nil` for a store without a record of their original schema.
    package var drift: [String]?

    package init(
        _ metadata: StoreMetadata,
        entities: [Count],
        fullTextIndexes: [FullText],
        migrations: [AppliedMigration],
        drift: [String]?
    ) {
        (modelName, versionName) = (metadata.modelName, metadata.versionName)
        (versionHash, storeUUID) = (metadata.versionHash, metadata.storeUUID)
        (self.entities, self.fullTextIndexes) = (entities, fullTextIndexes)
        (self.migrations, self.drift) = (migrations, drift)
    }
}

/// Reads the contents of a store; the file is not changed.
package func inspectStore(at path: String) throws(StoreError) -> StoreInspection {
    try requireNoForeignDatabase(path)
    let connection = try openReadOnly(path)
    // Everything is read in one transaction, so that other programs cannot change it in between.
    try connection.execute("BEGIN")
    let metadata = try readMetadata(connection)
    let expected = metadata.schema.map { PhysicalSchema(text: $0) }
    let drift: [String]?
    if let expected {
        drift = try PhysicalSchema(of: expected.tables, in: connection).differences(from: expected)
    } else {
        drift = nil
    }
    return StoreInspection(
        metadata,
        entities: try countRows(connection, of: metadata.entityHashes.keys),
        fullTextIndexes: try inspectFullTextIndexes(connection),
        migrations: try appliedMigrations(connection),
        drift: drift
    )
}

/// Returns the number of rows of each entity, without the rows of its subentities, ordered by the names of the
/// entities.
/// - Parameter entityNames: The entities of the model; for older stores, only entities that have a table or rows are
///   known.
private func countRows(_ connection: SQLiteConnection, of entityNames: some Sequence<String>) throws(StoreError)
    -> [StoreInspection.Count]
{
    let tables = try connection.prepare(
        """
        SELECT t."name", EXISTS (SELECT 1 FROM pragma_table_info(t."name") WHERE "name" = '_entity') FROM sqlite_schema AS t \
        WHERE t."type" = 'table' AND EXISTS (SELECT 1 FROM pragma_table_info(t."name") WHERE "name" = '_version')
        """
    )
    var counts: [StoreInspection.Count] = []
    while try tables.step() {
        guard let table = tables.text(at: 0) else { continue }
        let name = tables.integer(at: 1) == 0 ? sqlLiteral(text: table) : "\"_entity\""
        let rows = try connection.prepare("SELECT \(name), count(*) FROM \(quoteIdentifier(table)) GROUP BY 1")
        var isEmpty = true
        while try rows.step() {
            isEmpty = false
            counts.append(.init(entityName: rows.text(at: 0) ?? table, count: rows.integer(at: 1)))
        }
        if isEmpty { counts.append(.init(entityName: table, count: 0)) }
    }
    let counted = Set(counts.map(\.entityName))
    counts += entityNames.filter { !counted.contains($0) }.map { .init(entityName: $0, count: 0) }
    return counts.ordered { $0.entityName < $1.entityName }
}

private func appliedMigrations(_ connection: SQLiteConnection) throws(StoreError) -> [StoreInspection.AppliedMigration]
{
    let statement = try connection.prepare(
        "SELECT \"source\", \"destination\", \"checksum\", \"finished\" FROM \"_migration\" ORDER BY \"id\""
    )
    var migrations: [StoreInspection.AppliedMigration] = []
    while try statement.step() {
        migrations.append(
            .init(
                source: statement.text(at: 0) ?? "",
                destination: statement.text(at: 1) ?? "",
                checksum: statement.text(at: 2) ?? "",
                finished: Date(timeIntervalSinceReferenceDate: statement.double(at: 3))
            )
        )
    }
    return migrations
}
