/// The deleted rows of one merge, and their registered objects.
struct DeletedRowKeys {
    var rows: Set<IdentityMap.Key> = []
    var objects: Set<ManagedObject> = []
    /// A Boolean value that indicates whether references to the rows are restored when the deletion is undone.
    var isUndoable = false
    var isEmpty: Bool { rows.isEmpty }

    mutating func insert(_ object: ManagedObject) {
        rows.insert(IdentityMap.Key(of: object))
        objects.insert(object)
    }
}
