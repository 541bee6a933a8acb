/// A row as the store has it, before anything is made of it.
struct RowSnapshot {
    let key: Int64
    let values: RowStorage
    let version: Int64
}
