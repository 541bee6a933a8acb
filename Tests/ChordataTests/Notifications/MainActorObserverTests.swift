import Chordata
import ChordataTestStores
import ChordataTestSupport
import Foundation
import Testing

/// The example of the page Notifications: an observer of the view context that changes state of the main actor.
@MainActor private final class Counter {
    private(set) var count = 0
    private let context: ManagedObjectContext
    private nonisolated(unsafe) var token: (any NSObjectProtocol)?

    init(_ context: ManagedObjectContext) {
        self.context = context
        token = NotificationCenter.default.addObserver(
            forName: ManagedObjectContext.didChangeObjectsNotification,
            object: context,
            queue: nil
        ) { [weak self] notification in
            let key = ManagedObjectContext.NotificationKey.insertedObjects.rawValue
            let inserted = (notification.userInfo?[key] as? Set<ManagedObject>)?.count ?? 0
            MainActor.assumeIsolated { self?.count += inserted }
        }
    }

    deinit {
        if let token { NotificationCenter.default.removeObserver(token) }
    }
}

@MainActor struct MainActorObserverTests {
    @Test func observersOfTheViewContextRunOnTheMainActor() async throws {
        let container = try LeagueModel.definition.testContainer(at: ":memory:")
        let counter = Counter(container.viewContext)
        _ = Team(context: container.viewContext, name: "Reds")
        container.viewContext.processPendingChanges()
        expectEqual(counter.count, 1)
        try await container.performBackgroundTask { context in
            _ = Team(context: context, name: "Blues")
            try context.save()
        }
        container.viewContext.processPendingChanges()
        expectEqual(counter.count, 2)
    }
}
