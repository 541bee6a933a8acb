// Undo and redo (N12).

extension ManagedObjectContext {
    /// Undoes the last group of changes that the ``undoManager`` has recorded.
    ///
    /// Without an undo manager or a recorded group, the method has no effect.
    public func undo() { undoManager?.undo() }

    /// Redoes the group of changes that was undone last.
    public func redo() { undoManager?.redo() }

    func updateUndoRegistration() { graph.recordUndo(undoManager?.isUndoRegistrationEnabled == true) }

    /// Undoes changes, and records the steps that redo them.
    func apply(_ steps: [UndoStep]) {
        let access = beginAccess()
        defer { access.end() }
        let restored = editor.restoreDeletions(steps)
        merger.mergePostponedDeletions(of: restored)
        editor.restoreValues(steps)
    }
}
