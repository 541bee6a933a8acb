/// The rows of one save, sorted by the statement that writes them.
///
/// References without ownership: the caller retains the objects, and reference counting would cost as much as the rest.
struct SaveBatches {
    /// Rows that one statement writes.
    struct Batch {
        let type: RuntimeEntity
        /// The columns that are written; of new rows all are.
        let changed: PropertyMask
        var objects: [Unmanaged<ManagedObject>] = []
    }

    private(set) var insertions: [Batch] = []
    private(set) var updates: [Batch] = []
    private(set) var deletions: [Batch] = []

    init(_ objects: [ManagedObject]) {
        objects.forEachUnretained { object in
            object.withEntityType { type in
                switch object.state {
                case .inserted: Self.add(object, type, PropertyMask(), to: &insertions)
                case .updated:
                    object.withChanges { changes in
                        let changed = changes.changed.intersection(type.columnMask)
                        if !changed.isEmpty { Self.add(object, type, changed, to: &updates) }
                    }
                case .deleted: Self.add(object, type, PropertyMask(), to: &deletions)
                case .clean, .detached: break
                }
            }
        }
    }

    @inline(__always)
    private static func add(
        _ object: ManagedObject,
        _ type: RuntimeEntity,
        _ changed: PropertyMask,
        to batches: inout [Batch]
    ) {
        // Objects of one kind mostly follow each other.
        var index = batches.count - 1
        while index >= 0, batches[index].type !== type || batches[index].changed != changed { index -= 1 }
        if index < 0 {
            batches.append(Batch(type: type, changed: changed))
            index = batches.count - 1
        }
        batches[index].objects.append(Unmanaged.passUnretained(object))
    }
}

extension SaveBatches.Batch {
    /// From here on one statement for all rows costs less than one for each.
    private static let fewestTogether = 8
    /// Up to so many keys for each row that is written all rows between are looked at.
    private static let widestSpan: Int64 = 2

    /// Writes rows that are new.
    func insert(_ connection: SQLiteConnection) throws {
        let rows = try connection.writtenRows(of: type)
        let statement = try connection.statement(type.insertSQL)
        try rows.provide(objects, of: type, versionIncrement: 1) { try statement.run() }
        try connection.checkChanges(objects.count, type)
    }

    /// Writes the changed columns of rows that are unchanged since they were read.
    func update(_ connection: SQLiteConnection) throws {
        try change(connection) { type.updateSQL(for: changed, $0) }
    }

    /// Deletes rows that are unchanged since they were read.
    func delete(_ connection: SQLiteConnection) throws {
        try change(connection) { type.deleteSQL($0) }
    }

    private func change(_ connection: SQLiteConnection, _ sql: (RuntimeEntity.RowSelection) -> String) throws {
        let rows = try connection.writtenRows(of: type)
        if objects.count >= Self.fewestTogether {
            // They come in the order of their keys.
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
