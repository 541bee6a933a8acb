import Chordata
import Foundation
import Synchronization

/// Observers of contexts, in any isolation.
enum Monitor {
    /// The numbers of objects in notifications, of values in sequences, and of reported changes of a tracked property.
    static let objectCount = Atomic(0)
    static let valueCount = Atomic(0)
    static let changeCount = Atomic(0)

    /// The name of the context that makes the last save.
    static let lastContextName = "last"

    /// Observes all notifications for the rest of the program, and reads their objects in the isolation in which they
    /// are posted.
    static func observeAll() {
        let names = [
            ManagedObjectContext.didChangeObjectsNotification, ManagedObjectContext.willSaveObjectsNotification,
            ManagedObjectContext.didSaveObjectsNotification, ManagedObjectContext.didSaveObjectIDsNotification,
            ManagedObjectContext.didMergeChangesObjectIDsNotification,
        ]
        for name in names {
            _ = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { notification in
                var count = 0
                for set in (notification.userInfo ?? [:]).values {
                    for object in set as? Set<ManagedObject> ?? [] where !object.isDeleted && !object.isFault {
                        count += (object as? Player)?.name.isEmpty == false ? 1 : 0
                    }
                    count += (set as? Set<ManagedObjectID>)?.count ?? 0
                }
                objectCount.add(count, ordering: .relaxed)
            }
        }
    }

    /// Returns the rows that a store has after all saves, as these are reported, up to the save of the context
    /// ``lastContextName``.
    static func rows(of container: PersistentContainer) -> Task<Set<ManagedObjectID>, Never> {
        let saves = container.saves
        return Task.detached {
            var (inserted, deleted): (Set<ManagedObjectID>, Set<ManagedObjectID>) = ([], [])
            for await save in saves {
                inserted.formUnion(save.changes.inserted)
                deleted.formUnion(save.changes.deleted)
                if save.contextName == lastContextName { break }
            }
            // The order in which saves are reported may differ from the order in which they were made.
            return inserted.subtracting(deleted)
        }
    }

    /// Collects the saves of a context, and counts its changes, until the context is deallocated.
    static func saves(of context: ManagedObjectContext) -> Task<Set<ManagedObjectID>, Never> {
        let (changes, saves) = (context.changes, context.saves)
        return Task.detached {
            async let changeCount = changes.reduce(0) { count, _ in count + 1 }
            let inserted: Set<ManagedObjectID> = await saves.reduce(into: []) { $0.formUnion($1.inserted) }
            valueCount.add(await changeCount + inserted.count, ordering: .relaxed)
            return inserted
        }
    }
}

/// The saves of other contexts, for a context that merges them later.
final class Mailbox: Sendable {
    private let lock = NSLock()
    nonisolated(unsafe) private var changes: [ObjectIDChanges] = []

    /// Collects the saves of all contexts except the given one, from now on and for the rest of the program.
    init(for context: ManagedObjectContext) {
        let own = ObjectIdentifier(context)
        let name = ManagedObjectContext.didSaveObjectIDsNotification
        _ = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { [weak self] in
            guard let self, let sender = $0.object as? ManagedObjectContext, ObjectIdentifier(sender) != own else {
                return
            }
            let saved = ObjectIDChanges(fromContextDidSave: $0)
            lock.withLock { changes.append(saved) }
        }
    }

    func take() -> [ObjectIDChanges] {
        lock.withLock {
            defer { changes = [] }
            return changes
        }
    }
}
