extension ManagedObjectContext {
    /// Replaces the temporary IDs of all inserted objects of the context with permanent IDs before a save, if one of
    /// the passed objects has a temporary ID.
    ///
    /// The store assigns a permanent ID to almost every object when it is inserted (``ManagedObjectID/isTemporaryID``),
    /// so this method usually does nothing. Otherwise it reserves row keys in the store and blocks until they are
    /// reserved; the objects themselves are not saved.
    /// - Parameter objects: Objects of this context.
    /// - Throws: ``StoreError`` when the store cannot be written; the IDs are then unchanged.
    public func obtainPermanentIDs(for objects: [ManagedObject]) throws {
        let access = beginAccess()
        defer { access.end() }
        for object in objects {
            precondition(
                object.managedObjectContext === self,
                "an object of '\(object.entity.name)' is not registered with this context, so it cannot get a "
                    + "permanent ID here; insert it first"
            )
        }
        guard objects.contains(where: \.objectID.isTemporaryID) else { return }
        try assignPermanentKeys()
    }
}
