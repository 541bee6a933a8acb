/// A row as the store has it, before anything is made of it.
struct RowSnapshot {
    let key: Int64
    let values: RowStorage
    let version: Int64

    init(key: Int64, values: RowStorage, version: Int64) {
        (self.key, self.values, self.version) = (key, values, version)
    }

    /// Takes the current row of a statement, which notes a value that cannot be read.
    init(_ statement: SQLiteStatement, _ member: Projection.Member) {
        key = statement.integer(at: 0)
        values = RowStorage(member, from: statement.values)
        version = statement.integer(at: 1)
    }
}
