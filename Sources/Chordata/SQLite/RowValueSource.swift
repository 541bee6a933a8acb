internal import CChordataSQLite

/// The rows that a statement writes.
///
/// SQLite reads their values one by one: as columns of a virtual table for new rows, or with a function of the row key
/// for changed rows. The columns are the key, the version that the row will have or has, and the columns of
/// ``RuntimeEntity/columns``.
final class RowValueSource {
    /// The key when there is no current row.
    private static let noKey = Int64.min
    static let functionName = "chordata_value"
    static let keyColumn = "c0"
    static let versionColumn = "c1"
    /// The number of columns before those of the entity.
    static let firstColumn = 2

    /// Returns the name of the table of rows with the given number of columns.
    static func tableName(columnCount: Int) -> String { "chordata_written_\(columnCount)" }

    // These properties are read for each value, while no other code runs.
    @exclusivity(unchecked) private var columns = UnsafeBufferPointer<ColumnField>(start: nil, count: 0)
    @exclusivity(unchecked) private var objects = UnsafeBufferPointer<Unmanaged<ManagedObject>>(start: nil, count: 0)
    @exclusivity(unchecked) private var values: ValuesInsertBuffer.Memory?
    @exclusivity(unchecked) private var count = 0
    /// The increment of an object's version.
    @exclusivity(unchecked) private var versionIncrement: Int64 = 0

    @exclusivity(unchecked) private var row = 0
    @exclusivity(unchecked) private var key = noKey
    @exclusivity(unchecked) private var version: Int64 = 0
    @exclusivity(unchecked) private var base = UnsafeRawPointer(bitPattern: 1)!

    /// Provides objects as rows while a closure runs; objects with existing rows must be in the order of their keys.
    func provide<Result>(
        _ objects: [Unmanaged<ManagedObject>],
        of type: RuntimeEntity,
        versionIncrement: Int64 = 0,
        _ body: () throws -> Result
    ) rethrows -> Result {
        try objects.withUnsafeBufferPointer { objects in
            try type.columns.withUnsafeBufferPointer { columns in
                self.objects = objects
                self.columns = columns
                self.versionIncrement = versionIncrement
                count = objects.count
                defer { forgetRows() }
                return try body()
            }
        }
    }

    /// Provides values as rows while a closure runs, with consecutive keys.
    func provide<Result>(_ rows: ValuesInsertBuffer, firstKey: Int64, _ body: () throws -> Result) rethrows -> Result {
        try rows.columns.withUnsafeBufferPointer { columns in
            values = ValuesInsertBuffer.Memory(rows, firstKey: firstKey)
            self.columns = columns
            count = rows.count
            defer { forgetRows() }
            return try body()
        }
    }

    private func forgetRows() {
        columns = UnsafeBufferPointer(start: nil, count: 0)
        objects = UnsafeBufferPointer(start: nil, count: 0)
        values = nil
        count = 0
        row = 0
        key = Self.noKey
    }

    // MARK: Callbacks of SQLite

    /// Registers the function with a connection, with this object as the source of the values.
    func registerFunction(on connection: OpaquePointer) -> Int32 {
        sqlite3_create_function_v2(
            connection,
            Self.functionName,
            2,
            SQLITE_UTF8 | SQLITE_DIRECTONLY,
            Unmanaged.passUnretained(self).toOpaque(),
            { context, _, arguments in
                guard let context, let arguments, let owner = sqlite3_user_data(context) else { return }
                let (key, column) = (sqlite3_value_int64(arguments[0]), sqlite3_value_int(arguments[1]))
                Unmanaged<RowValueSource>.fromOpaque(owner)._withUnsafeGuaranteedRef { rows in
                    // A row that is not to be written gets NULL instead of a version, so that the statement does not
                    // change it.
                    let result = SQLiteResult(context: context)
                    if rows.move(toKey: key) { rows.give(column, to: result) } else { result.giveNull() }
                }
            },
            nil,
            nil,
            nil
        )
    }

    /// Registers the table of rows with the given number of columns with a connection.
    func createTable(columnCount: Int, on connection: OpaquePointer) -> Int32 {
        let rows = chordata_written_rows(
            owner: Unmanaged.passUnretained(self).toOpaque(),
            move: { owner, row in
                guard let owner else { return false }
                return Unmanaged<RowValueSource>.fromOpaque(owner)._withUnsafeGuaranteedRef { $0.move(to: Int(row)) }
            },
            value: { owner, column, result in
                guard let owner, let result else { return }
                Unmanaged<RowValueSource>.fromOpaque(owner)._withUnsafeGuaranteedRef {
                    $0.give(column, to: SQLiteResult(context: result))
                }
            }
        )
        let name = Self.tableName(columnCount: columnCount)
        return chordata_create_written_rows(connection, name, Int32(columnCount), rows)
    }

    /// Binds the values of the only row to the parameters of a statement, in the order of the columns.
    func bindRow(to statement: SQLiteStatement) {
        guard move(to: 0) else { return }
        for column in 0..<Int32(columns.count + Self.firstColumn) {
            give(column, to: SQLiteParameter(statement: statement, index: column + 1))
        }
    }

    private func move(to row: Int) -> Bool {
        guard row < count else { return false }
        self.row = row
        if let values {
            key = values.firstKey + Int64(row)
            version = 1
            base = values.start + row * values.stride
        } else {
            objects[row]._withUnsafeGuaranteedRef { object in
                key = object.key
                version = object.version + versionIncrement
                base = UnsafeRawPointer(object.fieldBase)
            }
        }
        return true
    }

    private func move(toKey wanted: Int64) -> Bool {
        if key == wanted { return true }
        // SQLite visits the rows in the order of their keys, possibly twice, and with other rows between them.
        if row + 1 < count, objects[row + 1]._withUnsafeGuaranteedRef({ $0.key }) == wanted { return move(to: row + 1) }
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if objects[middle]._withUnsafeGuaranteedRef({ $0.key }) < wanted { low = middle + 1 } else { high = middle }
        }
        return move(to: low) && key == wanted
    }

    @inline(__always)
    private func give(_ column: Int32, to place: some SQLiteValuePlace) {
        switch Int(column) {
        case 0: place.give(key)
        case 1: place.give(version)
        case let column:
            let field = columns[column - Self.firstColumn]
            let address = base + field.offset
            if field.kind.base == .toOne {
                let key =
                    values == nil
                    ? address.assumingMemoryBound(to: ToOneSlot.self).pointee.key : ValuesInsertBuffer.key(at: address)
                if key == 0 { place.giveNull() } else { place.give(key) }
            } else {
                giveField(field.kind, at: address, to: place)
            }
        }
    }
}
