internal import ChordataSQL

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// Databases that are read as one store through temporary views, which have the names and columns of the store's
/// tables: a database of another library, or the stores of a coordinator that has several.
package struct ViewLayout: Sendable {
    /// Opens a connection on which the views exist.
    package var open: @Sendable (_ busyTimeout: Duration) throws(StoreError) -> SQLiteConnection
    /// The reason why changes cannot be saved, and the remedy; `nil` if the database is written by other connections.
    package var refusal: String?

    package init(
        refusal: String? = nil,
        open: @escaping @Sendable (_ busyTimeout: Duration) throws(StoreError) -> SQLiteConnection
    ) {
        self.refusal = refusal
        self.open = open
    }
}

/// Opens a database of another library for reading.
package func openForeignStore(
    of definition: ModelDefinition,
    path: String,
    storeUUID: UUID,
    layout: ViewLayout,
    options: StoreOptions
) throws(StoreError) -> PersistentStoreCoordinator {
    try definition.classCheck.run(on: definition)
    var options = options
    options.isReadOnly = true
    let mapping = makeSchemaMapping(of: definition.model)
    let connection = try layout.open(options.busyTimeout)
    connection.log(to: options.statementLogger)
    let store = SQLiteStore(
        connection: connection,
        path: path,
        isInMemory: false,
        versionHash: definition.versionHash,
        options: options,
        viewLayout: layout
    )
    let schema = StoreSchema(
        model: definition.model,
        mapping: mapping,
        classes: definition.classes,
        storeUUID: storeUUID,
        // The other library's tables may have values of any type.
        nonStrictTables: Set(mapping.tables.map(\.name)),
        missingFullTextIndexes: Set(mapping.fullTextIndexes.map(\.name))
    )
    schema.remember()
    let persistent = PersistentStore(
        identifier: storeUUID,
        sqlite: store,
        schema: schema,
        foreignMetadata: StoreMetadata(definition, storeUUID: storeUUID)
    )
    return PersistentStoreCoordinator(managedObjectModel: definition, store: persistent)
}

/// Throws if the other library has migrated the database since it was opened.
func requireForeignVersion(_ versionHash: String, _ connection: SQLiteConnection) throws(StoreError) {
    let found = try connection.text("SELECT \"value\" FROM \"_metadata\" WHERE \"key\" = 'versionHash'")
    guard found != versionHash else { return }
    throw StoreError(
        .incompatibleModel,
        "has been migrated to another version of the model by another program while this program had it open, so it "
            + "cannot be read with the older model; open it with a program that has the new version",
        path: try connection.pathOfStore(withoutVersion: versionHash)
    )
}

extension SQLiteConnection {
    /// Returns the path of the store that has another version; the path of the first store if none has.
    fileprivate func pathOfStore(withoutVersion versionHash: String) throws(StoreError) -> String {
        for name in attachedNames {
            let found = try text("SELECT \"value\" FROM \(name).\"_metadata\" WHERE \"key\" = 'versionHash'")
            if found != versionHash {
                return try text("SELECT file FROM pragma_database_list WHERE name = '\(name)'") ?? path
            }
        }
        return path
    }
}

extension PersistentContainer {
    /// Creates a container of a coordinator whose store is already open.
    package convenience init(coordinator: PersistentStoreCoordinator) { self.init(coordinator) }
}
