/// The key, the stored values and the version of a row, before an object gets them.
struct RowSnapshot {
    let key: Int64
    let values: RowStorage
    let version: Int64

    init(key: Int64, values: RowStorage, version: Int64) {
        (self.key, self.values, self.version) = (key, values, version)
    }

    /// Creates a snapshot of the current row of a query; the row records a value that cannot be read.
    init(_ row: StoreRow, _ member: Projection.Member) {
        key = row.integer(at: 0)
        switch row.columns {
        case .sqlite(let columns): values = RowStorage(member, from: columns)
        case .cells(let columns): values = RowStorage(member, from: columns)
        }
        version = row.integer(at: 1)
    }
}
