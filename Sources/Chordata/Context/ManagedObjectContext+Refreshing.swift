// Refreshing objects from the store.

extension ManagedObjectContext {
    /// Updates an object with the values in the store.
    ///
    /// An object that was never saved or is marked for deletion does not change.
    ///
    /// - Parameters:
    ///   - object: An object of this context. Passing an object of another context traps.
    ///   - mergeChanges: `true` to read the row and keep the object's unsaved changes; a fault is then not changed.
    ///     `false` to discard the unsaved changes and turn the object into a fault. With `false`, an object that
    ///     unsaved to-one relationships of other objects reference does not become a fault: its row is read
    ///     immediately, and it remains an updated object, because those changes belong to the other objects.
    public func refresh(_ object: ManagedObject, mergeChanges: Bool) {
        let access = beginAccess()
        defer { access.end() }
        if object.isDeletedAndDetached { return }
        precondition(
            object.managedObjectContext === self,
            "an object of '\(object.runtimeEntity.entity.name)' can only be refreshed in its own context"
        )
        merger.refresh(object, mergeChanges: mergeChanges)
    }

    /// Turns all objects without unsaved changes into faults, and releases the objects that only the context
    /// references.
    ///
    /// The row of a fault is read again on access (rule N6 of <doc:Core-Data-Rules>).
    ///
    /// Faults do not reference each other, so objects that were referenced only by each other are released too. If the
    /// context has observers, the objects are released after the observers have been notified.
    public func refreshAllObjects() {
        let access = beginAccess()
        defer { access.end() }
        merger.refreshAllObjects()
    }
}
