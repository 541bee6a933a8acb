internal import ChordataModel
internal import ChordataSQL

extension ManagedObjectContext {
    /// Writes all unsaved changes in one transaction.
    ///
    /// A save that fails keeps every unsaved change; mend the cause and save again. Touches the disk only when there are
    /// changes.
    /// - Throws: ``ValidationError`` when objects are not fit to be saved, ``SaveConflictError`` when a row was changed by
    ///   somebody else since it was read, ``EndlessChangesError`` when hooks never stop changing objects, ``StoreError`` when the
    ///   store cannot be written.
    public func save() throws {
        processPendingChanges()
        guard hasChanges else { return }
        try callWillSave()
        try validateChanges()
        try deriveAttributes()
        try assignPermanentKeys()
        let rows = try writeChanges()
        // From here on nothing throws: the store and the context agree.
        finishSave()
        store.post(ChangeSet(rows: rows), from: inbox)
        processPendingChanges()
        releaseObjects(of: rows)
    }

    /// Gives numbers of the store to objects that did not get one when they were inserted.
    private func assignPermanentKeys() throws {
        let objects = changedObjects.filter { $0.state == .inserted && $0.key > PersistentStore.provisionalKeys }
        guard !objects.isEmpty else { return }
        var permanentKeys: [Int64: Int64] = [:]
        for (object, key) in zip(objects, try store.permanentKeys(objects.count)) {
            permanentKeys[object.key] = key
            changeKey(of: object, to: key)
        }
        for object in changedObjects {
            for field in object.entityType.columnFields where field.kind.base == .toOne {
                let reference = object.toOneReference(field)
                if let key = permanentKeys[reference.pointee.key] { reference.pointee.key = key }
            }
        }
    }

    /// Writes all changes, and tells what the rows are now.
    private func writeChanges() throws -> [ChangeSet.Row] {
        let changes = changedObjects
        // Transient attributes alone are nothing to write.
        guard changes.contains(where: \.hasStoredChanges) else { return changes.map { row(for: $0, withValues: true) } }
        try store.sqlite.write { connection in
            var statements = SaveStatements(connection: connection)
            defer { statements.end() }
            for object in changes where object.state == .inserted { try insertRow(of: object, &statements) }
            for object in changes where object.state == .updated { try updateRow(of: object, &statements) }
            for object in changes where object.state == .inserted || object.state == .updated {
                try writeToMany(of: object, connection)
            }
            for object in changes where object.state == .deleted { try deleteRow(of: object, &statements) }
            try store.topUpKeys(connection)
        }
        // What nobody would get need not be copied.
        var valuesLeft = store.hasInboxes(beside: inbox) ? ContextInbox.valueLimit : 0
        return changes.map { object in
            switch object.state {
            case .inserted: object.version = 1
            case .updated: if hasColumnChanges(object) { object.version += 1 }
            case .clean, .deleted, .gone: break
            }
            valuesLeft -= 1
            return row(for: object, withValues: valuesLeft >= 0)
        }
    }

    /// Tells objects that they are going to be saved, until none changes any more.
    private func callWillSave() throws(EndlessChangesError) {
        guard schema.hasWillSave else { return }
        var objects = changedObjects
        for _ in 0..<EndlessChangesError.limit {
            // A hook may undo the insertion of another object.
            for object in objects where object.hasChanges { object.entityType.hooks.willSave?(object) }
            objects = event.local
            processPendingChanges()
            if objects.isEmpty { return }
        }
        throw EndlessChangesError(entityNames: Set(objects.map(\.entityType.entity.name)))
    }

    private func row(for object: ManagedObject, withValues: Bool) -> ChangeSet.Row {
        let kind: ChangeSet.Row.Kind =
            switch object.state {
            case .inserted: .inserted
            case .deleted, .gone: .deleted
            case .updated, .clean: .updated
            }
        return ChangeSet.Row(
            kind: kind,
            type: object.entityType,
            key: object.key,
            version: object.version,
            values: kind == .deleted || !withValues ? nil : FieldBlock(of: object)
        )
    }

    private func hasColumnChanges(_ object: ManagedObject) -> Bool {
        guard let changed = object.changes?.changed else { return false }
        return object.entityType.columns.contains { changed.contains($0.index) }
    }

    // MARK: Rows

    @inline(__always)
    private func bind(
        _ field: ColumnField,
        of object: UnsafeRawPointer,
        to statement: SQLiteStatement,
        at index: Int32
    ) {
        let address = object + field.offset
        if field.kind.base == .toOne {
            let key = address.assumingMemoryBound(to: ToOne.self).pointee.key
            if key == 0 { statement.bindNull(at: index) } else { statement.bind(key, at: index) }
        } else {
            bindField(field.kind, at: address, to: statement, index)
        }
    }

    private func insertRow(of object: ManagedObject, _ statements: inout SaveStatements) throws {
        let type = object.entityType
        let statement = try statements.insertion(of: type)
        statement.bind(object.key, at: 1)
        statement.bind(Int64(1), at: 2)
        var index: Int32 = 3
        if type.mapping.isInHierarchy {
            statement.bind(type.entity.name, at: index)
            index += 1
        }
        let address = UnsafeRawPointer(object.fieldBase)
        for field in type.columns {
            bind(field, of: address, to: statement, at: index)
            index += 1
        }
        try statement.run()
    }

    private func updateRow(of object: ManagedObject, _ statements: inout SaveStatements) throws {
        guard let changed = object.changes?.changed, hasColumnChanges(object) else { return }
        let type = object.entityType
        let statement = try statements.update(of: type, changed)
        var index: Int32 = 1
        let address = UnsafeRawPointer(object.fieldBase)
        for field in type.columns where changed.contains(field.index) {
            bind(field, of: address, to: statement, at: index)
            index += 1
        }
        statement.bind(object.key, at: index)
        statement.bind(object.version, at: index + 1)
        try statement.run()
        if statements.connection.changes != 1 { throw SaveConflictError(objectID: object.objectID) }
    }

    private func deleteRow(of object: ManagedObject, _ statements: inout SaveStatements) throws {
        let statement = try statements.deletion(of: object.entityType)
        statement.bind(object.key, at: 1)
        statement.bind(object.version, at: 2)
        try statement.run()
        if statements.connection.changes != 1 { throw SaveConflictError(objectID: object.objectID) }
    }

    // MARK: To-many

    /// Writes the pairs of join tables and the order of ordered relationships.
    private func writeToMany(of object: ManagedObject, _ connection: SQLiteConnection) throws {
        guard let changed = object.changes?.changed else { return }
        for case let relationship? in object.entityType.relationships where changed.contains(relationship.field) {
            guard relationship.description.isToMany else { continue }
            let storage = object.toManyReference(object.entityType.fields[relationship.field]).pointee.storage
            switch relationship.storage {
            case .column, nil: continue
            case .inverseColumn(let table, _, let orderColumn):
                guard let orderColumn, let storage else { continue }
                try writeOrder(of: storage, table: table, orderColumn: orderColumn, connection)
            case .joinTable(let table, let source, let destination, let orderColumn):
                let join = JoinTable(table: table, source: source, destination: destination, order: orderColumn)
                if let storage {
                    try writePairs(of: object, storage, join, connection)
                } else if let unread = object.changes?.unreadMembers[relationship.field] {
                    let added = Array(unread.added).filter { $0.state != .deleted && $0.state != .gone }
                    try writePairs(of: object, removed: unread.removed.map(\.key), added: added, join, connection)
                }
            }
        }
    }

    private func writeOrder(
        of storage: ToManyStorage,
        table: String,
        orderColumn: String,
        _ connection: SQLiteConnection
    ) throws {
        let statement = try connection.statement(
            "UPDATE \(quoteIdentifier(table)) SET \(quoteIdentifier(orderColumn)) = ? WHERE \"_id\" = ?"
        )
        defer { statement.reset() }
        for (position, member) in storage.array.enumerated() {
            statement.bind(Int64(position), at: 1)
            statement.bind(member.key, at: 2)
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
        let members = storage.array.filter { $0.state != .deleted && $0.state != .gone }
        let committed = Set(storage.committedKeys ?? [])
        let wanted = Set(members.map(\.key))
        try writePairs(
            of: object,
            removed: committed.filter { !wanted.contains($0) },
            added: members.filter { !committed.contains($0.key) },
            join,
            connection
        )
        guard let order = join.order else { return }
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

extension ManagedObject {
    /// Whether a save has something to write for the object.
    fileprivate var hasStoredChanges: Bool {
        switch state {
        case .inserted, .deleted: true
        case .updated: entityType.fields.contains { $0.isStored && changes?.changed.contains($0.index) == true }
        case .clean, .gone: false
        }
    }
}

/// The statements of one save: rows of one kind mostly follow each other, so the last one is kept at hand.
private struct SaveStatements {
    let connection: SQLiteConnection
    private var last: (type: EntityType, kind: Kind, statement: SQLiteStatement)?

    private enum Kind: Hashable {
        case insertion, deletion
        case update(PropertyMask)
    }

    init(connection: SQLiteConnection) { self.connection = connection }

    /// Lets go of the values bound last.
    func end() { last?.statement.reset() }

    mutating func insertion(of type: EntityType) throws(StoreError) -> SQLiteStatement {
        try statement(of: type, .insertion)
    }

    mutating func deletion(of type: EntityType) throws(StoreError) -> SQLiteStatement {
        try statement(of: type, .deletion)
    }

    mutating func update(of type: EntityType, _ changed: PropertyMask) throws(StoreError) -> SQLiteStatement {
        try statement(of: type, .update(changed))
    }

    @inline(__always)
    private mutating func statement(of type: EntityType, _ kind: Kind) throws(StoreError) -> SQLiteStatement {
        if let last, last.type === type, last.kind == kind { return last.statement }
        last?.statement.reset()
        let sql =
            switch kind {
            case .insertion: type.insertSQL
            case .deletion: type.deleteSQL
            case .update(let changed): type.updateSQL(for: changed)
            }
        let statement = try connection.statement(sql)
        last = (type, kind, statement)
        return statement
    }
}
