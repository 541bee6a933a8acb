/// The changes of one save with the new values, which other contexts merge without reading the store.
package struct ChangeSet: Sendable {
    package struct Row: Sendable {
        package enum Kind: Sendable { case inserted, updated, deleted }
        var kind: Kind
        let type: RuntimeEntity
        let key: Int64
        private(set) var version: Int64
        /// The row after the save; `nil` if the row was deleted, or if its values are not kept, because there are more
        /// than ``ContextInbox/valueLimit`` rows, the save did not have the values in memory, or the values are
        /// outdated.
        var values: RowStorage?
        /// A Boolean value that indicates whether the save only set to-one relationships of the row to `nil`, because
        /// it deleted their destinations.
        package var isNullification = false
        /// A Boolean value that indicates whether another program has written the row.
        var isRemote = false
        /// The fields that have changed; `nil` if they are unknown, or if the row was inserted or deleted.
        package var changes: FieldChanges?

        package init(
            kind: Kind,
            type: RuntimeEntity,
            key: Int64,
            version: Int64,
            values: RowStorage? = nil,
            changes: FieldChanges? = nil
        ) {
            (self.kind, self.type, self.key, self.version) = (kind, type, key, version)
            (self.values, self.changes) = (values, changes)
        }

        /// Records that a batch operation deleted the row after the save; older changes do not override this.
        mutating func recordDeletion() {
            kind = .deleted
            version = .max
            (values, changes, isNullification) = (nil, nil, false)
        }

        /// Replaces the version and the values with those after the computation of the derived attributes.
        mutating func take(_ derived: DerivedRow, derivedMask: PropertyMask) {
            version = derived.row.version
            if values != nil { values = derived.row.values }
            changes?.fields.formUnion(derivedMask)
        }
    }

    let rows: [Row]
}

/// The fields of a row that one or more saves have changed.
package struct FieldChanges: Sendable {
    var fields: PropertyMask
    /// The version of the row before the first of these saves.
    let baseVersion: Int64

    package init(fields: PropertyMask, baseVersion: Int64) {
        (self.fields, self.baseVersion) = (fields, baseVersion)
    }

    /// Returns the combined changes of earlier saves and of these saves; `nil` if there may be unknown changes between
    /// them.
    /// - Parameter version: The version of the row after the earlier saves.
    func union(earlier: FieldChanges, version: Int64) -> FieldChanges? {
        guard baseVersion <= version else { return nil }
        var union = earlier
        union.fields.formUnion(fields)
        return union
    }
}
