internal import ChordataModel
internal import ChordataSQL

// What saves write of to-many relationships: the pairs of join tables, and orders.

extension ManagedObjectContext {
    /// Writes the pairs of join tables and the order of ordered relationships.
    func writeToMany(of object: ManagedObject, _ connection: SQLiteConnection) throws {
        guard let changed = object.changes?.changed else { return }
        for relationship in object.entityType.writtenToManys where changed.contains(relationship.field) {
            let storage = object.toManyReference(object.entityType.fields[relationship.field]).pointee.storage
            switch relationship.storage {
            case .column, nil: continue
            case .inverseColumn(let table, let inverse, let order):
                guard let order, let storage else { continue }
                let columns = OrderColumns(table: table, owner: inverse, order: order)
                try writeOrder(of: storage, of: object, columns, connection)
            case .joinTable(let table, let source, let destination, let orderColumn):
                let join = JoinTable(table: table, source: source, destination: destination, order: orderColumn)
                if let storage {
                    try writePairs(of: object, storage, join, connection)
                } else if let unread = object.changes?.pendingToManyChanges(of: relationship.field) {
                    let added = Array(unread.added).filter { $0.state != .deleted && $0.state != .gone }
                    try writePairs(of: object, removed: unread.removed.map(\.key), added: added, join, connection)
                }
            }
        }
    }

    private struct OrderColumns {
        let table, owner, order: String
    }

    private func writeOrder(
        of storage: ToManyStorage,
        of object: ManagedObject,
        _ columns: OrderColumns,
        _ connection: SQLiteConnection
    ) throws {
        // Another context may have moved a member to another object: there it has another place.
        let statement = try connection.statement(
            """
            UPDATE \(quoteIdentifier(columns.table)) SET \(quoteIdentifier(columns.order)) = ? \
            WHERE "_id" = ? AND \(quoteIdentifier(columns.owner)) = ?
            """
        )
        defer { statement.reset() }
        for (position, member) in storage.array.enumerated() {
            statement.bind(Int64(position), at: 1)
            statement.bind(member.key, at: 2)
            statement.bind(object.key, at: 3)
            try statement.run()
        }
    }

    private struct JoinTable {
        let table, source, destination: String
        let order: String?
    }

    private func writePairs(
        of object: ManagedObject,
        _ storage: ToManyStorage,
        _ join: JoinTable,
        _ connection: SQLiteConnection
    ) throws {
        func isWritten(_ member: ManagedObject) -> Bool { member.state != .deleted && member.state != .gone }
        try writePairs(
            of: object,
            removed: storage.removedKeys.sorted(),
            added: storage.addedMembers.filter(isWritten),
            join,
            connection
        )
        guard let order = join.order else { return }
        let members = storage.array.filter(isWritten)
        let update = try connection.statement(
            """
            UPDATE \(quoteIdentifier(join.table)) SET \(quoteIdentifier(order)) = ? \
            WHERE \(quoteIdentifier(join.source)) = ? AND \(quoteIdentifier(join.destination)) = ?
            """
        )
        for (position, member) in members.enumerated() {
            update.bind(Int64(position), at: 1)
            update.bind(object.key, at: 2)
            update.bind(member.key, at: 3)
            try update.run()
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
