internal import Synchronization

/// Those who want to know of the saves of all contexts in the process, where these live.
enum SaveObservers {
    private struct Registered {
        var bodies: [Int: @Sendable (ManagedObjectContext, ObjectIDChanges) -> Void] = [:]
        var created = 0
    }

    private static let registered = Mutex(Registered())
    private static let count = Atomic<Int>(0)

    /// A Boolean value that indicates whether there is an observer.
    static var hasSubscribers: Bool { count.load(ordering: .relaxed) > 0 }

    /// Calls a closure for each save, after it, until ``remove(_:)`` with the number that this gives.
    static func add(_ body: @escaping @Sendable (ManagedObjectContext, ObjectIDChanges) -> Void) -> Int {
        registered.withLock { registered in
            registered.created += 1
            registered.bodies[registered.created] = body
            count.store(registered.bodies.count, ordering: .relaxed)
            return registered.created
        }
    }

    static func remove(_ number: Int) {
        registered.withLock { registered in
            registered.bodies[number] = nil
            count.store(registered.bodies.count, ordering: .relaxed)
        }
    }

    /// - Parameter sender: The context that has saved.
    static func notify(_ sender: AnyObject, _ changes: ObjectIDChanges) {
        guard let context = sender as? ManagedObjectContext else { return }
        // Code of others runs without the lock.
        for body in registered.withLock({ Array($0.bodies.values) }) { body(context, changes) }
    }
}
