/// Changes objects: together with the graph, the only code that writes their state, unsaved changes and relationships.
///
/// A change keeps both ends of a relationship consistent, records the data for undo, notifies observers of the object,
/// and is recorded in the current event.
final class ObjectEditor {
    let graph: ObjectGraph
    let reader: RowReader
    /// The undo manager of the context.
    var undoManager: ContextUndoManager?
    /// The running save; `nil` if no save is running.
    @exclusivity(unchecked) private(set) var saveTransaction: SaveTransaction?

    init(_ graph: ObjectGraph, _ reader: RowReader) {
        self.graph = graph
        self.reader = reader
    }

    // MARK: Saves

    var isSaving: Bool { saveTransaction != nil }

    /// - Parameter report: The report for the save logger; `nil` if there is no logger.
    func beginSave(_ report: SaveReport?) { saveTransaction = SaveTransaction(report: report) }

    func endSave() { saveTransaction = nil }

    /// Begins to run a merge policy, during which references between objects are recorded.
    func beginResolving() { saveTransaction?.isResolving = true }

    func endResolving() {
        saveTransaction?.isResolving = false
        saveTransaction?.referencingObjects = nil
    }

    /// The changed objects that reference an object by a to-one, or by a to-many without an inverse; some may not
    /// reference it any more.
    /// - Complexity: O(n) in the number of changed objects, for the first call while a policy runs.
    func referencingObjects(of key: IdentityMap.Key) -> [ManagedObject] {
        if let known = saveTransaction?.referencingObjects { return known[key] ?? [] }
        let referencing = makeReferencingObjects()
        saveTransaction?.referencingObjects = referencing
        return referencing[key] ?? []
    }

    /// Records a reference that was set while a policy runs.
    func recordReference(from object: ManagedObject, to key: IdentityMap.Key) {
        saveTransaction?.referencingObjects?[key, default: []].append(object)
    }

    /// Records that an inserted object was replaced by another object, whose object ID it now has.
    func recordReplacement(of object: ManagedObject, by kept: ManagedObject) {
        saveTransaction?.replaced.append((object, kept))
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
