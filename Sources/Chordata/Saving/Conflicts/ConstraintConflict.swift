/// A violation of a uniqueness constraint that a save has found.
///
/// Objects to be saved conflict with each other, with a saved object, or with both, because they have the same values
/// of the constraint's properties (rules U4, U5 of <doc:Core-Data-Rules>). Use a conflict in the isolation of its
/// objects, and only while a ``MergePolicy`` resolves it.
public final class ConstraintConflict {
    /// The names of the properties whose combined values must be unique.
    public let constraint: [String]
    /// The values that the objects have in common, keyed by property name.
    public let constraintValues: [String: Any]
    /// The inserted and updated objects with these values, in the order of their first change.
    public let conflictingObjects: [ManagedObject]
    /// The object with these values in the store; `nil` when only unsaved objects have them.
    ///
    /// If the object is not [registered](doc:Glossary#Objects) in the context, an access creates it.
    public var databaseObject: ManagedObject? {
        row.flatMap { editor.reader.object(forKey: $0.key, type: $0.values.runtimeEntity) }
    }
    /// The stored attributes and to-one relationships of ``databaseObject``, keyed by name; `nil` when there is no such
    /// object.
    public var databaseSnapshot: [String: Any]? {
        row.map { editor.reader.snapshot(of: $0.values, key: $0.key, version: $0.version) }
    }
    /// The attributes and to-one relationships of ``conflictingObjects`` at the time when the save was tried, keyed by
    /// name.
    public var conflictingSnapshots: [[String: Any]] {
        zip(conflictingObjects, values).map { object, values in
            editor.reader.snapshot(of: values, key: object.key, version: object.version)
        }
    }

    let editor: ObjectEditor
    /// The context, which exists as long as the conflict.
    private let context: AnyObject
    let uniqueness: UniquenessConstraint
    let row: RowSnapshot?
    private let values: [RowStorage]
    /// Identifies the same conflict when the save is tried again.
    let signature: Signature
    /// A Boolean value that indicates whether an earlier resolution has changed one of the objects, so that the
    /// conflict is examined again.
    var isPostponed = false

    struct Signature: Hashable {
        let tableName: String
        let columnNames: [String]
        let values: [UniqueValue]
        let row: Int64?
        let objects: [ObjectIdentifier]
        let areInserted: [Bool]
    }

    init(
        _ uniqueness: UniquenessConstraint,
        _ uniqueValues: [UniqueValue],
        _ objects: [ManagedObject],
        row: RowSnapshot?,
        in editor: ObjectEditor
    ) {
        self.editor = editor
        context = editor.graph.sender
        self.uniqueness = uniqueness
        self.row = row
        constraint = uniqueness.propertyNames
        conflictingObjects = objects
        values = objects.map { RowStorage(of: $0) }
        var constraintValues: [String: Any] = [:]
        for name in uniqueness.propertyNames { constraintValues[name] = objects.first?.ownValue(forKey: name) }
        self.constraintValues = constraintValues
        signature = Signature(
            tableName: uniqueness.tableName,
            columnNames: uniqueness.columnNames,
            values: uniqueValues,
            row: row?.key,
            objects: objects.map { ObjectIdentifier($0) },
            areInserted: objects.map { $0.state == .inserted }
        )
    }

    /// The objects that a resolution may change; they are not retained, because unreferenced objects are easier to
    /// replace.
    var participants: [ObjectIdentifier] {
        var participants = conflictingObjects.map { ObjectIdentifier($0) }
        if let row, let saved = editor.graph.registered(key: row.key, rootIndex: row.values.runtimeEntity.rootIndex) {
            participants.append(ObjectIdentifier(saved))
        }
        return participants
    }

    /// A Boolean value that indicates whether keeping the object that was changed last would take the values from a
    /// saved object.
    var losesSavedObject: Bool {
        guard let last = conflictingObjects.last else { return false }
        if conflictingObjects.dropLast().contains(where: { $0.state == .updated }) { return true }
        guard let row else { return false }
        // A saved object already has its row, and an object of another entity cannot take over the row.
        return last.state == .updated || last.runtimeEntity !== row.values.runtimeEntity
    }

    // MARK: Resolving

    /// Keeps the saved object, or the first one if all are unsaved (U7, U9, U10).
    /// - Parameter restoresAll: Whether a changed object that is not kept loses all its changes.
    func keepSaved(restoresAll: Bool) throws {
        let kept = row == nil ? conflictingObjects.first { $0.state == .updated } ?? conflictingObjects.first : nil
        for object in conflictingObjects where object !== kept {
            if object.state == .updated {
                try editor.putBack(object, uniqueness.fields[object.runtimeEntity.index], all: restoresAll)
            } else if let kept {
                editor.replace(object, with: kept)
            } else if let row {
                try editor.replace(object, withRow: row, overwrites: nil)
            }
        }
    }

    /// Keeps the object that was changed last (U8, U9, U10); it replaces the saved object.
    /// - Parameter replacesAll: Whether values that were never set replace those of the saved object too.
    func keepLast(replacesAll: Bool) throws {
        guard let kept = conflictingObjects.last else { return }
        for object in conflictingObjects.dropLast() { editor.replace(object, with: kept) }
        if let row { try editor.replace(kept, withRow: row, overwrites: replacesAll) }
    }
}

@available(
    *,
    unavailable,
    message:
        "a conflict refers to managed objects, so it is not Sendable; use it only in the isolation of their context"
)
extension ConstraintConflict: Sendable {}
