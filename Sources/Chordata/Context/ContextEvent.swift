/// What happened in a context since observers were told last.
struct ContextEvent {
    /// Objects inserted, changed or deleted here; their state tells which.
    var local: [ManagedObject] = []
    /// Inserted objects that were deleted or rolled back before they were saved.
    var forgotten: [ManagedObject] = []
    /// Objects that other contexts inserted, changed or deleted.
    var mergedInserted: [ManagedObject] = []
    var refreshed: [ManagedObject] = []
    var mergedDeleted: [ManagedObject] = []

    var isEmpty: Bool {
        local.isEmpty && forgotten.isEmpty && mergedInserted.isEmpty && refreshed.isEmpty && mergedDeleted.isEmpty
    }
}

/// One event as observers get it: every object once.
struct ContextChange {
    var inserted: Set<ManagedObject> = []
    var updated: Set<ManagedObject> = []
    var deleted: Set<ManagedObject> = []

    init(_ event: ContextEvent) {
        for object in event.local {
            switch object.state {
            case .inserted: inserted.insert(object)
            case .updated, .clean: updated.insert(object)
            case .deleted, .gone: deleted.insert(object)
            }
        }
        inserted.formUnion(event.mergedInserted)
        updated.formUnion(event.refreshed)
        deleted.formUnion(event.forgotten)
        deleted.formUnion(event.mergedDeleted)
        inserted.subtract(deleted)
        updated.subtract(deleted)
        updated.subtract(inserted)
    }

    var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }
}

/// Somebody who wants to know of every event of a context: the results controllers.
protocol ContextObserver: AnyObject {
    func context(_ context: ManagedObjectContext, didChange change: ContextChange)
}

struct WeakObserver {
    weak var observer: (any ContextObserver)?
}
