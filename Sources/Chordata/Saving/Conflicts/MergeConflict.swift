#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A conflict between an object to be saved and a row that another context or process changed or deleted after it was
/// read.
///
/// Use a conflict in the isolation of its object, and only while a ``MergePolicy`` resolves it.
public final class MergeConflict {
    /// The object to be saved.
    ///
    /// The object is updated, is deleted, or is inserted again with its former object ID. It can also be a new object
    /// that is already in the store, after a save that failed with ``StoreError/Code/outcomeUnknown``.
    public let sourceObject: ManagedObject
    /// The version of the row when the object was last read or saved; for an object that is inserted again, a number
    /// that is larger than that version; 0 for a new object.
    public let oldVersionNumber: Int
    /// The current version of the row; 0 when the row was deleted.
    public let newVersionNumber: Int
    /// The attributes and to-one relationships as the context last read or saved them, keyed by name; `nil` when they
    /// were never read.
    ///
    /// Properties without a value are left out.
    public var objectSnapshot: [String: Any]? {
        base.map { editor.reader.snapshot(of: $0, key: sourceObject.key, version: Int64(oldVersionNumber)) }
    }
    /// The same values as ``persistedSnapshot``, because Chordata has no row cache.
    ///
    /// In Core Data, a conflict has a cached snapshot if another context of the same coordinator has changed the row,
    /// and a persisted snapshot if another process has changed it.
    public var cachedSnapshot: [String: Any]? { persistedSnapshot }
    /// The attributes and to-one relationships in the store, keyed by name, with values as
    /// ``ManagedObject/value(forKey:)`` returns them, so a to-one relationship has a managed object; `nil` when the row
    /// was deleted.
    ///
    /// Properties without a value are left out.
    public var persistedSnapshot: [String: Any]? {
        row.map { editor.reader.snapshot(of: $0.values, key: $0.key, version: $0.version) }
    }

    private let editor: ObjectEditor
    /// The context, which exists as long as the conflict.
    private let context: AnyObject
    private let base: RowStorage?
    let row: RowSnapshot?
    /// The properties that were set in the context.
    let changedHere: PropertyMask
    /// The bytes that the store has for attributes whose bytes had to be compared, by field.
    private let storedBytes: [Int: Data]

    init(_ object: ManagedObject, _ row: RowSnapshot?, in editor: ObjectEditor) throws {
        sourceObject = object
        self.row = row
        self.editor = editor
        context = editor.graph.sender
        oldVersionNumber = Int(max(object.version, 0))
        newVersionNumber = Int(row?.version ?? 0)
        var changedHere = object.changes?.changed ?? PropertyMask()
        if object.state == .inserted, object.version <= 0 { changedHere.formUnion(object.runtimeEntity.columnMask) }
        self.changedHere = changedHere
        let base = object.version > 0 ? RowStorage(committedOf: object) : nil
        self.base = base
        var storedBytes: [Int: Data] = [:]
        if let base, let row {
            for external in object.runtimeEntity.externalFields where changedHere.contains(external.field.index) {
                let known = external.value(at: base.address(of: external.field))
                let stored = external.value(at: row.values.address(of: external.field))
                // Only bytes of the same length may be equal.
                guard known?.data != nil, known?.count == stored?.count else { continue }
                storedBytes[external.field.index] = try editor.reader.readStore {
                    try external.read(object.key, $0)?.bytes
                }
            }
        }
        self.storedBytes = storedBytes
    }

    /// Returns a Boolean value that indicates whether the value in the store has changed since the object was read.
    func isChangedInStore(_ field: Field) -> Bool {
        guard let base, let row else { return true }
        if field.kind.base == .toOne { return base.key(of: field) != row.values.key(of: field) }
        if base.unset.contains(field.index) != row.values.unset.contains(field.index) { return true }
        let (before, now) = (base.address(of: field), row.values.address(of: field))
        guard let external = sourceObject.externalField(field.index) else {
            return !fieldsAreEqual(field.kind, before, now)
        }
        guard let known = external.value(at: before), let stored = external.value(at: now) else {
            return (external.value(at: before) == nil) != (external.value(at: now) == nil)
        }
        // Only the length of bytes that were not read is known, so in doubt they differ.
        guard known.count == stored.count, let data = known.data else { return true }
        return data != storedBytes[field.index]
    }

    /// A Boolean value that indicates whether only derived attributes were changed, in the context or in the store.
    ///
    /// They are computed again from the values in the store and in the context, so there is nothing to resolve.
    var isOfDerivedAttributes: Bool {
        let type = sourceObject.runtimeEntity
        let fields = type.columnFields.filter { $0.attribute?.isDerived != true }
        guard sourceObject.state == .updated, row != nil, fields.count < type.columnFields.count else { return false }
        return !fields.contains { changedHere.contains($0.index) } || !fields.contains(where: isChangedInStore)
    }

    /// The names of the properties that were set in the context and have another value in the store; if no value
    /// differs, the names of all properties that were set in the context.
    var propertyNames: [String] {
        let changed = sourceObject.runtimeEntity.fields.filter { changedHere.contains($0.index) }
        let both = changed.filter { $0.columnName != nil && row != nil && isChangedInStore($0) }
        return (both.isEmpty ? changed : both).map(\.name)
    }

    // MARK: Resolving

    /// Gives the object the store's values of the fields that a closure selects; if the row was deleted, the object
    /// leaves the context.
    func takeStoredValues(where takes: (Field) -> Bool) {
        guard sourceObject.state == .updated || sourceObject.state == .inserted else { return }
        guard let row else { return editor.leave(sourceObject) }
        for field in sourceObject.runtimeEntity.columnFields where takes(field) {
            editor.takeValue(of: field, from: row, into: sourceObject)
        }
    }

    /// Discards the changes of the object; if the row was deleted, the object leaves the context.
    func restoreObject() {
        guard let row else { return editor.leave(sourceObject) }
        editor.restore(sourceObject, to: row)
    }
}

@available(
    *,
    unavailable,
    message:
        "a conflict refers to managed objects, so it is not Sendable; use it only in the isolation of their context"
)
extension MergeConflict: Sendable {}
