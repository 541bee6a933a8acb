/// The objects of a save, by the kind of their change.
struct SavedObjects {
    private var inserted: Set<ManagedObject> = []
    private var updated: Set<ManagedObject> = []
    private var deleted: Set<ManagedObject> = []
    /// The rows without registered objects whose derived attributes were computed.
    private var derivedIDs: Set<ManagedObjectID> = []

    init(_ objects: [ManagedObject]) {
        for object in objects {
            switch object.state {
            case .inserted: inserted.insert(object)
            case .updated: updated.insert(object)
            case .deleted: deleted.insert(object)
            case .clean, .detached: break
            }
        }
    }

    /// Adds a row whose derived attributes the save has computed.
    mutating func insertDerived(_ id: ManagedObjectID, _ known: ManagedObject?) {
        guard let known else {
            derivedIDs.insert(id)
            return
        }
        if !inserted.contains(known), !deleted.contains(known) { updated.insert(known) }
    }

    var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }

    var objectIDs: ObjectIDChanges {
        ObjectIDChanges(
            inserted: Set(inserted.map(\.objectID)),
            updated: Set(updated.map(\.objectID)).union(derivedIDs),
            deleted: Set(deleted.map(\.objectID))
        )
    }

    /// The sets that are not empty, in the form of a notification's `userInfo`.
    var userInfo: [AnyHashable: Any] {
        makeUserInfo([(.insertedObjects, inserted), (.updatedObjects, updated), (.deletedObjects, deleted)])
    }
}
