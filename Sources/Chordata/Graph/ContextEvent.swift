/// The changes of a context since its observers were last notified.
struct ContextEvent {
    /// Objects that were inserted, changed or deleted in this context; their state indicates which.
    var local: [ManagedObject] = []
    /// Inserted objects that were deleted or rolled back before they were saved.
    var forgotten: [ManagedObject] = []
    /// The object IDs that were reported for inserted objects that now have the ID of a saved object.
    var formerIDs: [ManagedObject: ManagedObjectID] = [:]
    /// Objects that other contexts inserted, changed or deleted.
    var mergedInserted: [ManagedObject] = []
    var refreshed: [ManagedObject] = []
    /// Objects of which other contexts changed only some fields, which are known.
    var refreshedFields: [(object: ManagedObject, fields: PropertyMask)] = []
    var mergedDeleted: [ManagedObject] = []
    /// All merged rows, if an observer requests them.
    var merged: ObjectIDChanges?
    var unseen = UnregisteredChanges()
    var keys = ChangedKeys()

    var isEmpty: Bool {
        local.isEmpty && forgotten.isEmpty && mergedInserted.isEmpty && refreshed.isEmpty
            && refreshedFields.isEmpty && mergedDeleted.isEmpty && merged == nil && unseen.isEmpty && keys.isEmpty
    }
}

/// Rows that other contexts have changed and whose objects are faults or not registered here, and rows that other
/// contexts have deleted and whose objects are not registered here.
///
/// These changes are not reported to observers (N4), but a list may need them.
struct UnregisteredChanges {
    /// The keys of changed rows, by the index of their entity.
    private(set) var updated: [Int: Set<Int64>] = [:]
    /// The keys of deleted rows, by the index of their entity.
    private(set) var deleted: [Int: Set<Int64>] = [:]
    /// The fields of changed rows that have changed, in the same order as ``updated``; a row has no element if its
    /// changed fields are unknown.
    private var fields: [Int: [Int64: PropertyMask]] = [:]

    mutating func insert(_ row: ChangeSet.Row) {
        let index = row.type.index
        guard row.kind != .deleted else {
            deleted[index, default: []].insert(row.key)
            return
        }
        let isNew = updated[index, default: []].insert(row.key).inserted
        if let changes = row.changes, isNew || fields[index]?[row.key] != nil {
            fields[index, default: [:]][row.key, default: PropertyMask()].formUnion(changes.fields)
        } else {
            fields[index]?[row.key] = nil
        }
    }

    /// Returns the fields of a changed row that have changed; `nil` if they are unknown.
    func changedFields(ofEntity index: Int, key: Int64) -> PropertyMask? { fields[index]?[key] }

    var isEmpty: Bool { updated.isEmpty && deleted.isEmpty }
}

/// The changes of row keys by a save.
///
/// Observers are not notified of them, but lists use row keys as the last sort key, and may sort by the row keys of
/// to-one destinations.
struct ChangedKeys {
    /// The objects whose keys have changed.
    var objects: [ManagedObject] = []
    /// The objects that reference objects whose keys have changed.
    var owners: [ManagedObject] = []
    /// The former keys of inserted objects that were replaced by other objects and now have the keys of these objects.
    var replaced: [ManagedObject: Int64] = [:]

    var isEmpty: Bool { objects.isEmpty && owners.isEmpty && replaced.isEmpty }
}

/// The changes of one event in the form that observers receive; each object is reported once.
struct ContextChange {
    var inserted: Set<ManagedObject> = []
    var updated: Set<ManagedObject> = []
    var deleted: Set<ManagedObject> = []
    /// The objects that have no changes of their own, but whose values have changed.
    var refreshed: Set<ManagedObject> = []
    /// The deleted objects that were inserted in the same event: they were never reported.
    var undone: Set<ManagedObject> = []
    /// The object IDs that were reported for objects that have another ID now.
    let formerIDs: [ManagedObject: ManagedObjectID]
    let unseen: UnregisteredChanges
    let keys: ChangedKeys
    /// The objects that received values from the store, even if they also have other changes, with the fields that may
    /// have changed as a result; `nil` if these are unknown.
    private var fieldsFromStore: [ManagedObject: PropertyMask?] = [:]

    init(_ event: ContextEvent) {
        formerIDs = event.formerIDs
        unseen = event.unseen
        keys = event.keys
        for (object, fields) in event.refreshedFields {
            fieldsFromStore[object, default: PropertyMask()]?.formUnion(fields)
        }
        for object in event.refreshed { fieldsFromStore.updateValue(nil, forKey: object) }
        for object in event.local {
            switch object.state {
            // The object may be saved: the insertion was reported before, and an observer may have saved the object.
            case .inserted, .updated, .clean:
                if object.isNewInEvent { inserted.insert(object) } else { updated.insert(object) }
            case .deleted, .detached:
                deleted.insert(object)
                if object.isNewInEvent { undone.insert(object) }
            }
        }
        inserted.formUnion(event.mergedInserted)
        // An object that was reported as deleted is not reported as refreshed, even if a save has written its row.
        refreshed.formUnion(fieldsFromStore.keys.lazy.filter { $0.state != .deleted && $0.state != .detached })
        deleted.formUnion(event.forgotten)
        deleted.formUnion(event.mergedDeleted)
        inserted.subtract(deleted)
        updated.subtract(deleted)
        updated.subtract(inserted)
        refreshed.subtract(deleted)
        refreshed.subtract(inserted)
        refreshed.subtract(updated)
    }

    /// Returns a Boolean value that indicates whether an object received values from the store.
    func isRefreshedFromStore(_ object: ManagedObject) -> Bool { fieldsFromStore[object] != nil }

    /// Returns the fields of an updated or refreshed object that may have changed; `nil` if they are unknown.
    func changedFields(of object: ManagedObject) -> PropertyMask? {
        guard !inserted.contains(object), !deleted.contains(object) else { return nil }
        var fields = PropertyMask()
        if updated.contains(object) {
            guard object.state == .updated, let changed = object.changes?.changed else { return nil }
            fields = changed
        }
        if let fromStore = fieldsFromStore[object] {
            guard let fromStore else { return nil }
            fields.formUnion(fromStore)
        }
        return fields
    }

    var isEmpty: Bool {
        inserted.isEmpty && updated.isEmpty && deleted.isEmpty && refreshed.isEmpty && unseen.isEmpty && keys.isEmpty
    }
}
