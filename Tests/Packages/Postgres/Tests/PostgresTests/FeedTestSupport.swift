import ChordataModel
import Foundation
import Synchronization
import Testing

@testable import Chordata
@testable import ChordataPostgres

/// Makes a container in a schema, as if it were in another process: it only shares the server with other containers.
func feedContainer(
    schema: String,
    model: ManagedObjectModel = TestModels.library,
    listens: Bool = true,
    _ change: (inout ServerOptions) -> Void = { _ in }
) throws -> PersistentContainer {
    var options = ServerOptions()
    change(&options)
    return try PersistentContainer(
        model: ModelDefinition(name: "Test", versionName: "Test", model: model),
        database: TestDatabase(TestServer.configuration(), listens: listens),
        schemaName: schema,
        options: options
    )
}

func newSchemaName() -> String { "store_\(UUID().uuidString)" }

extension PersistentContainer {
    func feed() throws -> ServerChangeFeed {
        let server = try #require(store.engine as? ServerEngine)
        return try #require(server.feed.withLock { $0 })
    }

    /// Reports all that other containers have committed before the call.
    func reportAll() throws {
        let number = try #require(
            try TestServer.connection().rows("SELECT (pg_snapshot_xmax(pg_current_snapshot())::text::bigint)")[0][0]
                .flatMap { Int64($0) }
        )
        let deadline = ContinuousClock.now + .seconds(20)
        while try feed().position < number - 1 {
            try #require(ContinuousClock.now < deadline, "a transaction of the server runs for 20 s")
            try feed().report(to: store)
        }
    }
}

extension ServerChangeFeed {
    /// Makes the server end the connection for notifications.
    func endConnection() throws {
        let channel = try #require(channel.withLock { $0 })
        let id = try #require(try channel.withConnection { ($0 as? PostgresConnection)?.processID })
        _ = try TestServer.connection().rows("SELECT pg_terminate_backend(\(id), 5000)")
    }
}

extension PersistentContainer {
    /// Returns this container's object ID for an object ID of another container.
    func id(_ id: ManagedObjectID) -> ManagedObjectID? {
        persistentStoreCoordinator.managedObjectID(forURIRepresentation: id.uriRepresentation)
    }
}

extension ManagedObjectContext {
    func insert(_ entityName: String, _ values: [String: Any] = [:]) -> ManagedObject {
        let object = EntityDescription.insertNewObject(forEntityName: entityName, into: self)
        for (key, value) in values { object.setValue(value, forKey: key) }
        return object
    }
}

/// A list of objects as a view shows it, which is updated only with the changes that its controller reports.
final class ShownList: FetchedResultsControllerDelegate {
    private(set) var rows: [ManagedObjectID] = []
    private var deletions: [Int] = []
    private var insertions: [(Int, ManagedObjectID)] = []

    init(_ controller: FetchedResultsController<ManagedObject>) throws {
        controller.delegate = self
        try controller.performFetch()
        rows = (controller.fetchedObjects ?? []).map(\.objectID)
    }

    func controllerWillChangeContent(_ controller: FetchedResultsController<ManagedObject>) {
        (deletions, insertions) = ([], [])
    }

    func controller(
        _ controller: FetchedResultsController<ManagedObject>,
        didChange object: ManagedObject,
        at indexPath: IndexPath?,
        for type: FetchedResultsChangeType,
        newIndexPath: IndexPath?
    ) {
        if type == .update { return }
        if let indexPath { deletions.append(indexPath.row) }
        if let newIndexPath { insertions.append((newIndexPath.row, object.objectID)) }
    }

    func controllerDidChangeContent(_ controller: FetchedResultsController<ManagedObject>) {
        for row in deletions.sorted().reversed() { rows.remove(at: row) }
        for (row, id) in insertions.sorted(by: { $0.0 < $1.0 }) { rows.insert(id, at: row) }
    }
}
