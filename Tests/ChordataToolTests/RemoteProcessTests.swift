import Chordata
import ChordataModel
import ChordataTestSupport
import Foundation
import Testing

/// Two processes that write to one store: the lists of one follow the transactions of the other (H6).
struct RemoteProcessTests {
    /// The model of the program, version 1.
    private static func definition() throws -> ModelDefinition {
        ModelDefinition(
            name: "M",
            versionName: "1",
            model: try ManagedObjectModel(entities: [
                EntityDescription(
                    name: "Person",
                    attributes: [
                        AttributeDescription(name: "name", attributeType: .string),
                        AttributeDescription(name: "number", attributeType: .integer64),
                    ]
                )
            ])
        )
    }

    @Test func listsFollowOtherProcesses() async throws {
        try await withWorkspace { workspace in
            let path = workspace.path("m.sqlite")
            let container = try PersistentContainer(
                model: try Self.definition(),
                path: path,
                options: StoreOptions(reportsRemoteChanges: true)
            )
            let context = container.newContext()
            context.automaticallyMergesChangesFromParent = true
            let request = FetchRequest<ManagedObject>(entityName: "Person").sorted(by: "number").sorted(by: "name")
            let list = FetchedResultsController(fetchRequest: request, managedObjectContext: context)
            // An observer lets the list follow the context.
            let listChanges = list.changes
            defer { withExtendedLifetime(listChanges) {} }
            try list.performFetch()
            var remoteChanges = container.remoteChanges.makeAsyncIterator()
            let program = try Program.find("migrating-program")
            for round in 1...setting("CHORDATA_REMOTE_PROCESSES", small: 3) {
                // This process saves meanwhile.
                async let other = Program.run(program, [path, "--create", "4"], in: workspace.folder)
                let own = EntityDescription.insertNewObject(forEntityName: "Person", into: context)
                own.setValue("own \(round)", forKey: "name")
                own.setValue(round, forKey: "number")
                try await context.save()
                let result = try await other
                #expect(result.exitCode == 0, "round \(round): \(result.errors)")
                let change = try #require(await remoteChanges.next())
                #expect(change.changes.inserted.count == 4, "round \(round)")
                context.processPendingChanges()
                let fresh = try container.newContext().fetch(request).map(\.objectID)
                #expect(fresh.count == round * 5)
                #expect(list.fetchedObjects?.map(\.objectID) == fresh, "round \(round)")
            }
        }
    }
}
