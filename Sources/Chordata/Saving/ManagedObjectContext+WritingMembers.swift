internal import ChordataModel
internal import ChordataSQL

// What saves write of to-many relationships: the pairs of join tables, and orders.

extension ManagedObjectContext {
    /// Writes the pairs of join tables and the order of ordered relationships.
    /// - Parameter writesAllPositions: A Boolean value that indicates whether the positions of all members are written,
    ///   because the tables do not have the positions of the store.
    func writeToMany(
        of object: ManagedObject,
        _ connection: SQLiteConnection,
        writesAllPositions: Bool = false
    ) throws {
        guard let changed = object.changes?.changed else { return }
        for relationship in object.entityType.writtenToManys where changed.contains(relationship.field) {
            let storage = object.toManyReference(object.entityType.fields[relationship.field]).pointee.storage
            switch relationship.storage {
            case .column, nil: continue
            case .inverseColumn(let table, let inverse, let order):
                guard let order, let storage = storage as? OrderedToMany else { continue }
                let columns = OrderColumns(table: table, owner: inverse, member: "_id", order: order)
                try writeOrder(of: storage, of: object, columns, connection, writesAllPositions)
            case .joinTable(let table, let source, let destination, let order):
                let join = JoinTable(table: table, source: source, destination: destination)
                if let storage {
                    try writePairs(of: object, storage, join, connection)
                    guard let order, let storage = storage as? OrderedToMany else { continue }
                    let columns = OrderColumns(table: table, owner: source, member: destination, order: order)
                    try writeOrder(of: storage, of: object, columns, connection, writesAllPositions)
                } else if let unread = object.changes?.pendingToManyChanges(of: relationship.field) {
                    let added = Array(unread.added).filter { $0.state != .deleted && $0.state != .detached }
                    try writePairs(of: object, removed: unread.removed.map(\.key), added: added, join, connection)
                }
            }
        }
    }

    private struct JoinTable {
        let table, source, destination: String
    }

    private func writePairs(
        of object: ManagedObject,
        _ storage: ToManyStorage,
        _ join: JoinTable,
        _ connection: SQLiteConnection
    ) throws {
        func isWritten(_ member: ManagedObject) -> Bool { member.state != .deleted && member.state != .detached }
        try writePairs(
            of: object,
            removed: storage.removedKeys.sorted(),
            added: storage.addedMembers.filter(isWritten),
            join,
            connection
        )
    }

    /// Writes the positions of members that do not have their positions in the store.
    private func writeOrder(
        of storage: OrderedToMany,
        of object: ManagedObject,
        _ columns: OrderColumns,
        _ connection: SQLiteConnection,
        _ writesAllPositions: Bool
    ) throws {
        let writer = try OrderWriter(columns, owner: object.key, members: storage.array, connection)
        if writesAllPositions {
            try writer.writeAll()
        } else if let inserted = storage.insertedMembers {
            try writer.write(inserted)
        } else {
            try writer.writeDifferences()
        }
    }

    private func writePairs(
        of object: ManagedObject,
        removed: [Int64],
        added: [ManagedObject],
        _ join: JoinTable,
        _ connection: SQLiteConnection
    ) throws {
        let table = quoteIdentifier(join.table)
        let source = quoteIdentifier(join.source)
        let destination = quoteIdentifier(join.destination)
        let delete = try connection.statement("DELETE FROM \(table) WHERE \(source) = ? AND \(destination) = ?")
        for key in removed {
            delete.bind(object.key, at: 1)
            delete.bind(key, at: 2)
            try delete.run()
        }
        // Both ends of a pair may have it among their changes, so it may be there already.
        let insert = try connection.statement(
            "INSERT INTO \(table) (\(source), \(destination)) VALUES (?, ?) ON CONFLICT DO NOTHING"
        )
        for member in added {
            insert.bind(object.key, at: 1)
            insert.bind(member.key, at: 2)
            try insert.run()
        }
    }
}
