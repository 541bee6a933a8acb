/// Objects that are to be saved with the same values for properties that must be unique together.
///
/// They collide with each other, with a saved object, or with both (rules U4, U5 of <doc:Core-Data-Rules>). A conflict
/// is used where its objects are, while a ``MergePolicy`` resolves it.
public final class ConstraintConflict {
    /// The properties whose values together must be unique.
    public let constraint: [String]
    /// The values that the objects have in common, by the names of the properties.
    public let constraintValues: [String: Any]
    /// The objects that are to be saved with these values, in the order of their first change: inserted ones, and saved
    /// ones that were changed.
    public let conflictingObjects: [ManagedObject]
    /// The object that is saved with the values; `nil` when only unsaved ones have them.
    ///
    /// Asking for it makes an object of a row that the context does not know yet.
    public var databaseObject: ManagedObject? {
        row.flatMap { context.object(forKey: $0.key, type: $0.values.entityType) }
    }
    /// The attributes and to-ones of the saved object as the store has them, by name, or `nil`.
    public var databaseSnapshot: [String: Any]? {
        row.map { context.snapshot(of: $0.values, key: $0.key, version: $0.version) }
    }
    /// The attributes and to-ones of ``conflictingObjects`` as they were when the save was tried.
    public var conflictingSnapshots: [[String: Any]] {
        zip(conflictingObjects, values).map { object, values in
            context.snapshot(of: values, key: object.key, version: object.version)
        }
    }

    let context: ManagedObjectContext
    let uniqueness: UniquenessConstraint
    let row: RowSnapshot?
    private let values: [FieldBlock]
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
        in context: ManagedObjectContext
    ) {
        self.context = context
        self.uniqueness = uniqueness
        self.row = row
        constraint = uniqueness.propertyNames
        conflictingObjects = objects
        values = objects.map { FieldBlock(of: $0) }
        var constraintValues: [String: Any] = [:]
        for name in uniqueness.propertyNames { constraintValues[name] = objects.first?.value(forKey: name) }
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
        if let row, let saved = context.registered(key: row.key, rootIndex: row.values.entityType.rootIndex) {
            participants.append(ObjectIdentifier(saved))
        }
        return participants
    }

    /// A Boolean value that indicates whether keeping the object that was changed last would take the values from a
    /// saved one.
    var losesSavedObject: Bool {
        guard let last = conflictingObjects.last else { return false }
        if conflictingObjects.dropLast().contains(where: { $0.state == .updated }) { return true }
        guard let row else { return false }
        // What is saved already has its row, and one of another entity cannot take it over.
        return last.state == .updated || last.entityType !== row.values.entityType
    }

    // MARK: Resolving

    /// Keeps the saved object, or of unsaved ones the first (U7, U9, U10).
    /// - Parameter restoresAll: Whether a changed object that has to give way loses all its changes.
    func keepSaved(restoresAll: Bool) throws {
        let kept = row == nil ? conflictingObjects.first { $0.state == .updated } ?? conflictingObjects.first : nil
        for object in conflictingObjects where object !== kept {
            if object.state == .updated {
                try context.putBack(object, uniqueness.fields[object.entityType.index], all: restoresAll)
            } else if let kept {
                context.replace(object, with: kept)
            } else if let row {
                try context.replace(object, withRow: row, overwrites: nil)
            }
        }
    }

    /// Keeps the object that was changed last (U8, U9, U10); it takes the place of the saved one.
    /// - Parameter replacesAll: Whether values that were never set replace those of the saved object too.
    func keepLast(replacesAll: Bool) throws {
        guard let kept = conflictingObjects.last else { return }
        for object in conflictingObjects.dropLast() { context.replace(object, with: kept) }
        if let row { try context.replace(kept, withRow: row, overwrites: replacesAll) }
    }
}

@available(
    *,
    unavailable,
    message:
        "a conflict refers to managed objects, so it is not Sendable; use it only in the isolation of their context"
)
extension ConstraintConflict: Sendable {}
