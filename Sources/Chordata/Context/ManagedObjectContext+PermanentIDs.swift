extension ManagedObjectContext {
    /// Gives the inserted objects of the context permanent IDs before they are saved, where they have temporary ones.
    ///
    /// The store gives a number to almost every object when it is inserted (``ManagedObjectID/isTemporaryID``), so as a
    /// rule there is nothing to do. Otherwise the numbers are taken from the store, which is waited for; the objects
    /// themselves are not saved.
    /// - Parameter objects: Objects of this context.
    /// - Throws: ``StoreError`` when the store cannot be written; then the IDs are as they were.
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
