extension ManagedObjectContext {
    /// Marks an object for deletion at the next save and immediately applies the delete rules Nullify and Cascade of
    /// its relationships.
    ///
    /// If the object was never saved, it is neither an inserted nor a deleted object of the context after this call,
    /// and the save does not write it. It is detached when the context next processes its pending changes.
    /// - Parameter object: An object of this context. Passing an object of another context traps.
    public func delete(_ object: ManagedObject) {
        let access = beginAccess()
        defer { access.end() }
        // Another context or process may have deleted it already.
        if object.isDeletedAndDetached { return }
        precondition(
            object.managedObjectContext === self,
            "an object of '\(object.runtimeEntity.entity.name)' can only be deleted in its own context"
        )
        editor.delete(object, callsHook: true)
    }
}
