// Rollback and reset.

extension ManagedObjectContext {
    /// Discards all unsaved changes.
    ///
    /// Inserted objects are removed, deleted objects are restored with their relationships (rule D8 of
    /// <doc:Core-Data-Rules>), and changed objects get their saved values.
    ///
    /// A rollback also removes all actions of the undo manager (rule N12 of <doc:Core-Data-Rules>).
    public func rollback() {
        let access = beginAccess()
        defer { access.end() }
        processPendingChanges()
        undoManager?.removeAllActions()
        editor.rollback()
        merger.mergePostponedDeletions(of: Array(graph.remote.deferredDeletions.keys))
        processPendingChanges()
    }

    /// Discards all unsaved changes and removes all objects from the context; do not use these objects afterwards.
    ///
    /// Observers are notified that all objects were invalidated. Results controllers are not notified and keep their
    /// results until their next `performFetch()` (rule F20 of <doc:Core-Data-Rules>).
    public func reset() {
        let access = beginAccess()
        defer { access.end() }
        reader.clearError()
        graph.willResetObserved()
        notifier.forEachChild { $0.parentWillReset() }
        let ids = graph.detachAll()
        notifier.countReset()
        undoManager?.removeAllActions()
        reader.readNewest()
        graph.removeAll()
        notifier.notifyOfReset(ids, sender: self)
    }
}
