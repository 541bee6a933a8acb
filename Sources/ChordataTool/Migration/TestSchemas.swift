internal import Chordata
internal import ChordataPostgres
internal import ChordataVerification
internal import Foundation

/// New schemas of a server, in which stores are migrated, and which are dropped afterwards.
struct TestSchemas: VerifyingServer {
    let connectionString: String

    func migrate(from source: ModelDefinition, to destination: ModelDefinition, _ path: String) throws(StoreError)
        -> [String]
    {
        try withSchema { place throws(StoreError) in
            try StoreCopier(model: source).copy(storeAt: path, to: place.configuration)
            _ = try migrateStore(of: destination, in: place.database, schemaName: place.schema)
            let copy = path + "-migrated"
            try StoreCopier(model: destination).copy(place.configuration, toStoreAt: copy)
            try PersistentStoreCoordinator.replacePersistentStore(at: path, withStoreAt: copy)
            try PersistentStoreCoordinator.destroyPersistentStore(at: copy)
            let migrated = try serverStructure(of: place.schema, in: place.database)
            let fresh = try withSchema { place throws(StoreError) in
                _ = try PersistentContainer(model: destination, postgres: place.configuration)
                return try serverStructure(of: place.schema, in: place.database)
            }
            return fresh.subtracting(migrated).sorted().map { "\($0) is missing" }
                + migrated.subtracting(fresh).sorted().map { "\($0) is not part of Chordata's schema" }
        }
    }

    /// Runs a closure with a new schema, and drops the schema.
    private func withSchema<Value>(_ body: (ServerPlace) throws(StoreError) -> Value) throws(StoreError) -> Value {
        let place = ServerPlace(connectionString, schema: "chordata_verify_\(UUID().uuidString.lowercased())")
        let value: Value
        do throws(StoreError) {
            value = try body(place)
        } catch {
            // The error of the closure is more useful than that of the removal.
            try? dropSchema(named: place.schema, in: place.database)
            throw error
        }
        try dropSchema(named: place.schema, in: place.database)
        return value
    }
}
