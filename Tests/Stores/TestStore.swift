package import Chordata
internal import ChordataPostgres
internal import Foundation
internal import Synchronization

/// The stores of the runtime's tests: in SQLite, or, if the variable `CHORDATA_TEST_STORE` is set, on a PostgreSQL
/// server, each in a schema of its own.
package enum TestStore {
    /// The connection string of the server; `nil` for SQLite.
    static let connectionString = ProcessInfo.processInfo.environment["CHORDATA_TEST_STORE"].flatMap {
        $0.isEmpty ? nil : $0
    }

    /// A Boolean value that indicates whether the stores are on a server.
    package static var isOnServer: Bool { connectionString != nil }

    /// The character U+0000, or an empty text if the stores are on a server, which does not store the character.
    package static var nul: String { isOnServer ? "" : "\u{0}" }

    /// The schemas of stores with paths, by path.
    private static let schemas = Mutex<[String: TestSchema]>([:])

    /// Returns the schema of the store with a path; each store in memory has a new schema.
    fileprivate static func schema(ofStoreAt path: String, _ connectionString: String) -> TestSchema {
        if path == ":memory:" { return TestSchema(connectionString) }
        return schemas.withLock { schemas in
            if let schema = schemas[path] { return schema }
            let schema = TestSchema(connectionString)
            schemas[path] = schema
            return schema
        }
    }

    /// Forgets the stores whose files would be in a folder: their schemas are deleted when their containers are
    /// released.
    package static func removeStores(in folder: String) {
        let removed = schemas.withLock { schemas in
            let removed = schemas.filter { $0.key.hasPrefix(folder) }
            for path in removed.keys { schemas[path] = nil }
            return removed
        }
        withExtendedLifetime(removed) {}
    }
}

extension ModelDefinition {
    /// Opens the store of a test, creating it if it does not exist.
    /// - Parameters:
    ///   - path: The path of the file, or `:memory:`; stores on a server are known by it.
    ///   - options: The options with which the store is opened.
    /// - Throws: `StoreError` when the store cannot be opened, or does not support the options.
    package func testContainer(
        at path: String,
        options: StoreOptions = StoreOptions()
    ) throws(StoreError) -> PersistentContainer {
        guard let connectionString = TestStore.connectionString else {
            return try PersistentContainer(model: self, path: path, options: options)
        }
        if let name = options.nameOfFileOption {
            throw StoreError(.unsupportedEnvironment, "stores on a server have no option '\(name)'", path: path)
        }
        let schema = TestStore.schema(ofStoreAt: path, connectionString)
        var serverOptions = ServerOptions()
        serverOptions.saveLogger = options.saveLogger
        serverOptions.tracksPersistentHistory = options.tracksPersistentHistory
        serverOptions.reportsRemoteChanges = options.reportsRemoteChanges
        serverOptions.migrationStages = options.migrationStages
        return try PersistentContainer(
            model: self,
            database: TestSchemaDatabase(schema),
            schemaName: schema.name,
            options: serverOptions
        )
    }
}

extension StoreOptions {
    /// The name of an option that stores on a server do not have, and whose value is not the default; `nil` if there is
    /// none.
    ///
    /// Options of SQLite's speed and safety have no effect on a server.
    fileprivate var nameOfFileOption: String? {
        let defaults = StoreOptions()
        if isReadOnly { return "isReadOnly" }
        if shouldMigrateStoreAutomatically != defaults.shouldMigrateStoreAutomatically {
            return "shouldMigrateStoreAutomatically"
        }
        if statementLogger != nil { return "statementLogger" }
        if maximumPinnedLogSize != defaults.maximumPinnedLogSize { return "maximumPinnedLogSize" }
        if maximumWaitingSaveCount != defaults.maximumWaitingSaveCount { return "maximumWaitingSaveCount" }
        return nil
    }
}

/// A schema of the server, which is deleted when this object is deallocated.
private final class TestSchema: Sendable {
    let name = "test_" + UUID().uuidString.lowercased()
    private let connectionString: String

    init(_ connectionString: String) { self.connectionString = connectionString }

    var configuration: PostgresConfiguration { PostgresConfiguration(connectionString, schema: name) }

    deinit {
        do {
            let pool = PostgresPool(configuration)
            let connection = try pool.take(for: "the end of a test")
            defer { pool.release(connection) }
            // A context that still exists may have an open read transaction, for which the statements would wait.
            try connection.execute([
                ServerStatement("SET lock_timeout = '10s'"),
                ServerStatement("SET client_min_messages = warning"),
                ServerStatement("DROP SCHEMA IF EXISTS \"\(name)\" CASCADE"),
            ])
        } catch {
            print("error: the schema '\(name)' of a test cannot be deleted: \(error)")
        }
    }
}

/// The connections to the schema of a test, which exists as long as they do.
private final class TestSchemaDatabase: ServerDatabase {
    private let pool: PostgresPool
    private let schema: TestSchema

    init(_ schema: TestSchema) {
        self.schema = schema
        pool = PostgresPool(schema.configuration)
    }

    var place: String { pool.place }
    var isConnectionAvailable: Bool { pool.isConnectionAvailable }
    func take(for purpose: String) throws(StoreError) -> any ServerConnection { try pool.take(for: purpose) }
    func release(_ connection: any ServerConnection) { pool.release(connection) }
    func openChannel(named name: String, onNotification: (@Sendable () -> Void)?) -> any ServerChannel {
        pool.openChannel(named: name, onNotification: onNotification)
    }
}
