internal import ChordataSQL

extension RowGroup {
    /// The number of rows from which one statement for all rows costs less than one statement for each row.
    private static let fewestTogether = 8
    /// The number of rows from which it is worth checking whether SQLite can omit the copies of the pages.
    private static let fewestWithoutCopies = 100
    /// The maximum number of keys per written row for which the whole range of keys is scanned.
    private static let widestSpan: Int64 = 2

    /// Inserts the rows.
    func insert(_ connection: SQLiteConnection) throws {
        try connection.insert(objects.count, of: type) { rows, run in
            try rows.provide(objects, of: type, versionIncrement: 1, run)
        }
    }

    /// Writes the changed columns of rows that are unchanged since they were read.
    func update(_ connection: SQLiteConnection) throws {
        // The conflict clause of a statement would also apply to the statements of triggers.
        let canFail =
            try objects.count >= Self.fewestWithoutCopies
            && !connection.hasTriggers(onTableNamed: type.mapping.tableName)
        try change(connection) { type.statements.update(changed, $0, canFail: canFail) }
    }

    /// Deletes rows that are unchanged since they were read.
    func delete(_ connection: SQLiteConnection) throws {
        try change(connection) { type.statements.delete($0) }
    }

    private func change(_ connection: SQLiteConnection, _ sql: (RowStatements.RowScope) -> String) throws {
        let rows = try connection.writtenRows(of: type)
        if objects.count >= Self.fewestTogether {
            // The rows are provided in the order of their keys.
            let sorted = objects.sorted { $0.takeUnretainedValue().key < $1.takeUnretainedValue().key }
            let first = sorted[0].takeUnretainedValue().key
            let last = sorted[sorted.count - 1].takeUnretainedValue().key
            let isDense = last - first < Int64(objects.count) * Self.widestSpan
            let statement = try connection.statement(sql(isDense ? .providedBetween : .provided))
            if isDense {
                statement.bind(first, at: 1)
                statement.bind(last, at: 2)
            }
            try rows.provide(sorted, of: type) { try statement.run() }
            if connection.changes != objects.count {
                throw RowVersionMismatch(entityName: type.entity.name)
            }
        } else {
            let statement = try connection.statement(sql(.ofKey))
            for object in objects {
                statement.bind(object.takeUnretainedValue().key, at: 1)
                try rows.provide([object], of: type) { try statement.run() }
                if connection.changes != 1 { throw RowVersionMismatch(entityName: type.entity.name) }
            }
        }
    }
}

extension SQLiteConnection {
    /// Inserts rows of an entity.
    /// - Parameter provide: A closure that provides the rows while it runs its second argument.
    func insert(_ count: Int, of type: RuntimeEntity, _ provide: (RowValueSource, () throws -> Void) throws -> Void)
        throws
    {
        if count == 1 {
            let rows = try valueSource()
            let statement = try statement(type.statements.insertOne)
            // A run of the statement does not remove its values.
            defer { statement.reset() }
            try provide(rows) {
                rows.bindRow(to: statement)
                try statement.run()
            }
        } else {
            // The statement needs the table of the rows.
            let rows = try writtenRows(of: type)
            let statement = try statement(type.statements.insert)
            try provide(rows) { try statement.run() }
        }
        try checkChanges(count, type)
    }
}
