/// Changes objects: with the graph, the only code that writes their state, unsaved changes and relationships.
///
/// A change keeps both ends of a relationship in step, records what undo needs, notifies observers of the object, and
/// is noted in the current event.
final class ObjectEditor {
    let graph: ObjectGraph
    let reader: RowReader
    /// The undo manager of the context.
    var undoManager: ContextUndoManager?
    /// The save that runs; `nil` while none does.
    @exclusivity(unchecked) var saveTransaction: SaveTransaction?

    init(_ graph: ObjectGraph, _ reader: RowReader) {
        self.graph = graph
        self.reader = reader
    }

    // MARK: Properties

    /// Records that a property of an object is about to change.
    func recordChange(of object: ManagedObject, field: Int) {
        let access = graph.executor.beginAccess()
        defer { access.end() }
        if object.isAwakening { return }
        if object.isFault { reader.fulfillFault(object) }
        graph.willChangeObserved(object, field)
        if graph.recordsUndo { recordUndo(of: object, field) }
        if object.state == .clean {
            object.state = .updated
            graph.beginChanges(of: object)
            graph.unsaved.insert(object)
        } else if object.state == .deleted, object.changes == nil {  // It was deleted before it was changed.
            graph.beginChanges(of: object)
        }
        object.withChanges { changes in
            if object.state != .inserted { changes.keepCommittedValue(of: field, in: object) }
            changes.recordChange(of: field)
        }
        graph.trackChange(of: object)
    }
}
