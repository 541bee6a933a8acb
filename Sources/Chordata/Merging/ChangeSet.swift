/// The changes of one save with the new values, which other contexts merge without reading the store.
struct ChangeSet: Sendable {
    struct Row: Sendable {
        enum Kind: Sendable { case inserted, updated, deleted }
        var kind: Kind
        let type: RuntimeEntity
        let key: Int64
        private(set) var version: Int64
        /// The row as it is now; `nil` for a deleted one, and where there were too many to keep.
        var values: RowStorage?
        /// A Boolean value that indicates whether nothing has changed but that to-ones were emptied, of rows that the
        /// same save has deleted.
        var isNullification = false
        /// The fields that have changed; `nil` where they are unknown, and for rows that were inserted or deleted.
        var changes: FieldChanges?

        /// Takes over the row as it is after its derived attributes were computed.
        mutating func take(_ derived: DerivedRow, derivedMask: PropertyMask) {
            version = derived.row.version
            if values != nil { values = derived.row.values }
            changes?.fields.formUnion(derivedMask)
        }
    }

    let rows: [Row]
}

/// The fields of a row that one or more saves have changed.
struct FieldChanges: Sendable {
    var fields: PropertyMask
    /// The version of the row before the first of these saves.
    let baseVersion: Int64

    /// The changes of earlier saves and of this one; `nil` where others, which are unknown, may lie between.
    /// - Parameter version: The version of the row after the earlier saves.
    func union(earlier: FieldChanges, version: Int64) -> FieldChanges? {
        guard baseVersion <= version else { return nil }
        var union = earlier
        union.fields.formUnion(fields)
        return union
    }
}
