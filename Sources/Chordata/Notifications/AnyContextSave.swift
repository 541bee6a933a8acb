/// A save of any context in the process, for observers of several contexts.
struct AnyContextSave: Sendable {
    /// The object IDs of the inserted, updated and deleted objects.
    let changes: ObjectIDChanges
    // Identifiers, because a context must not leave its isolation. They are compared only with existing objects.
    private let context: ObjectIdentifier
    private let coordinator: ObjectIdentifier?

    init(of context: ManagedObjectContext, _ ids: ObjectIDChanges) {
        changes = ids
        self.context = ObjectIdentifier(context)
        coordinator = context.persistentStoreCoordinator.map(ObjectIdentifier.init)
    }

    /// Returns a Boolean value that indicates whether this is a save of a context that existed at the time of the save.
    func isOf(_ context: ManagedObjectContext) -> Bool { self.context == ObjectIdentifier(context) }

    /// Returns a Boolean value that indicates whether this is a save of a context of a coordinator that existed at the
    /// time of the save.
    func isOf(_ coordinator: PersistentStoreCoordinator?) -> Bool {
        self.coordinator == coordinator.map(ObjectIdentifier.init)
    }
}
