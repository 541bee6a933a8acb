internal import CChordataSQLite
internal import ChordataModel
internal import ChordataSQL

// Rows without objects.

extension ManagedObjectContext {
    /// Inserts a row for each element of an array of values, in a separate transaction.
    ///
    /// The method runs one INSERT statement for all rows and calls no hooks. It creates no objects, except for
    /// observers and in the cases below. Unsaved changes of this context are neither saved nor changed. The property
    /// `objectID` of each element is ignored, but object IDs of to-one relationships are written. Required to-one
    /// relationships must not be nil. Derived attributes are always computed, and their values in the argument are
    /// ignored. Other contexts receive the new rows as they receive a save. Observers of this context are notified
    /// immediately of the inserted objects, and of refreshed objects whose rows had to be changed.
    ///
    /// ```swift
    /// let values = names.map { Player.Values(objectID: ObjectID(), name: $0, age: 0, team: team) }
    /// let players = try context.insertValues(values)
    /// ```
    ///
    /// The method creates temporary objects in three cases: if the inverse of a to-one relationship is to-one or
    /// ordered, because the destination has to be changed too, if SQL cannot compute a derived attribute of the model,
    /// and if a uniqueness constraint is violated.
    ///
    /// The ``mergePolicy`` resolves violated uniqueness constraints. With ``MergePolicy/error``, nothing is inserted.
    /// With other policies, the new values replace those of the saved object or, if the store wins, are dropped, and
    /// the result has the object ID of the saved object. Of elements that conflict with each other one is kept, and the
    /// result repeats its object ID.
    ///
    /// - Parameter values: The values of the new objects, all of one class.
    /// - Returns: The object IDs of the new objects, or of the saved ones that values were merged into, in the order of
    ///   the values.
    /// - Throws: ``ValidationError`` when a value is invalid or a to-one relationship references a missing object,
    ///   ``UniquenessConflictError`` when a uniqueness constraint is violated, ``StoreError`` when the store cannot be
    ///   written; if objects have to be created, also any error of ``save()``. If an error is thrown, nothing was
    ///   inserted; with ``StoreError/Code/outcomeUnknown``, this is unknown.
    /// - Complexity: O(n) in the number of values.
    @discardableResult
    public func insertValues<Values: ManagedObjectValues>(_ values: [Values]) throws -> [ObjectID<Values.Object>] {
        let access = beginAccess()
        defer { access.end() }
        guard !values.isEmpty else { return [] }
        let type = entityType(for: Values.Object.self)
        type.checkConcrete()
        precondition(
            Values.layout.entityName == type.entity.name,
            "'Values' of '\(Values.layout.entityName)' belong to a class of entity '\(type.entity.name)'; generate the code again"
        )
        let insertion = try insertion(of: Values.self, type)
        let keys = try values.withUnsafeBytes { bytes in
            let rows = ValuesInsertBuffer(
                bytes: bytes,
                stride: MemoryLayout<Values>.stride,
                columns: insertion.columns,
                type: type
            )
            try check(rows)
            return try insertion.needsObjects ? insertObjects(rows) : insertRows(rows)
        }
        return keys.map { ObjectID(key: $0) }
    }

    private func insertion<Values: ManagedObjectValues>(of _: Values.Type, _ type: RuntimeEntity) throws
        -> ValueInsertion
    {
        if let last = lastValueInsertion, last.values == ObjectIdentifier(Values.self) { return last }
        let layout = Values.layout
        let offsets = Dictionary(
            uniqueKeysWithValues: layout.fields.map { ($0.path.joined(separator: "."), $0.offset) }
        )
        // Where each column of a row comes from.
        let columns = type.columns.map { column in
            let name = type.fields[column.index].name
            guard let offset = offsets[name] else {
                preconditionFailure(
                    "'Values' of '\(layout.entityName)' lacks property '\(name)'; generate the code again"
                )
            }
            return ColumnField(
                kind: column.kind,
                isRequired: column.isRequired,
                index: column.index,
                offset: offset,
                blockOffset: column.blockOffset
            )
        }
        let insertion = ValueInsertion(
            values: ObjectIdentifier(Values.self),
            columns: columns,
            needsObjects: try needsObjects(toInsert: type)
        )
        lastValueInsertion = insertion
        return insertion
    }

    /// Returns a Boolean value that indicates whether more than the rows themselves has to be written.
    private func needsObjects(toInsert type: RuntimeEntity) throws -> Bool {
        if schema.hasDerivations, try schema.derivations().joined().contains(where: { !$0.isRenderable }) {
            return true
        }
        return type.relationships.contains { relationship in
            relationship.map { !$0.description.isToMany && schema.isWrittenAtBothEnds($0) } == true
        }
    }

    // MARK: Checking

    /// Checks what a save would check by the model, and reports all failures together.
    private func check(_ rows: ValuesInsertBuffer) throws(ValidationError) {
        let rules = rows.type.validation
        // Members come later, by their own to-ones.
        let toManys = rules.relationships.filter { $0.field.kind.base == .toMany }
        let lacking = toManys.compactMap { rule in rule.violation(byCount: 0).map { (rule.field.index, $0) } }
        let checked = rows.columns.filter { column in
            column.kind.base == .toOne && column.isRequired || column.kind.base == .external
                || rules.columnsWithNaN.contains { $0.index == column.index }
        }
        let ruled = rules.attributes.compactMap { rule in
            rows.columns.first { $0.index == rule.field.index }.map { (rule, $0) }
        }
        guard !lacking.isEmpty || !checked.isEmpty || !ruled.isEmpty else { return }
        var failures: [ValidationError.Failure] = []
        for index in 0..<rows.count {
            for (field, violation) in lacking {
                failures.append(rows.failure(violation.code, field, index, violation.reason))
            }
            for column in checked {
                guard let violation = violation(in: rows, column, index) else { continue }
                failures.append(rows.failure(violation.code, column.index, index, violation.reason))
            }
            for (rule, column) in ruled {
                let address = rows.address(of: column, index)
                guard !isNotANumber(column.kind, at: address), let value = attributeValue(column.kind, at: address),
                    let violation = rule.violation(by: value)
                else { continue }
                failures.append(rows.failure(violation.code, column.index, index, violation.reason))
            }
        }
        if !failures.isEmpty { throw ValidationError(failures: failures) }
    }

    /// The problem of a value, regardless of the model's bounds.
    private func violation(in rows: ValuesInsertBuffer, _ column: ColumnField, _ index: Int) -> AttributeRule.Violation?
    {
        let address = rows.address(of: column, index)
        if column.kind.base == .toOne { return rows.key(of: column, index) == 0 ? ValidationRules.missing : nil }
        if column.kind.base == .external {
            guard let external = rows.external(column)?.value(at: address), external.data == nil else { return nil }
            return (
                .managedObjectValidation, "has bytes that were not read; fetch the values with includesExternalData"
            )
        }
        return isNotANumber(column.kind, at: address) ? ValidationRules.notANumber(column.kind) : nil
    }

    /// Returns the error of the first to-one reference to a row that does not exist, or `nil` if there is none.
    private func danglingReference(in rows: ValuesInsertBuffer) throws -> ValidationError? {
        for column in rows.columns where column.kind.base == .toOne {
            guard let relationship = rows.type.relationships[column.index] else { continue }
            for index in 0..<rows.count {
                let key = rows.key(of: column, index)
                guard key != 0, try !reader.hasRow(key, of: schema.entityTypes[relationship.destination]) else {
                    continue
                }
                return ValidationError(failures: [rows.danglingFailure(column, index)])
            }
        }
        return nil
    }

    // MARK: Writing

    private func insertRows(_ rows: ValuesInsertBuffer) throws -> [Int64] {
        reader.endReading()  // What the event reads from now on has the rows.
        let reserved = store.reservedKeys(Int64(rows.count))
        let first: Int64
        let moreKeys: Range<Int64>?
        let derived: [DerivedRow]
        do {
            (first, moreKeys, derived) = try store.sqlite.write { connection in
                let first = try reserved ?? store.takeKeys(rows.count, connection)
                let source = try connection.writtenRows(of: rows.type)
                let statement = try connection.statement(rows.type.insertSQL)
                try source.provide(rows, firstKey: first) { try statement.run() }
                try connection.checkChanges(rows.count, rows.type)
                if !rows.type.externalFields.isEmpty {
                    for index in 0..<rows.count {
                        try writeExternalData(of: rows, index, key: first + Int64(index), connection)
                    }
                }
                let derived = try derive(rows, firstKey: first, connection)
                return (first, reserved == nil ? nil : try store.topUpKeys(connection), derived)
            } didCommit: { first, _, derived in
                guard store.hasInboxes(beside: inbox) else { return }
                let keys = first..<first + Int64(rows.count)
                let new = keys.map {
                    ChangeSet.Row(kind: .inserted, type: rows.type, key: $0, version: 1, values: nil)
                }
                store.post(ChangeSet(rows: new + derived.map { changes(of: $0) }), from: inbox)
            }
        } catch let error as StoreError where error.sqliteCode == chordata_constraint_foreign_key {
            throw try danglingReference(in: rows) ?? error
        } catch let error as StoreError where error.sqliteCode == chordata_constraint_unique {
            // U12: the merge policy says what becomes of them, and it is asked about objects.
            return try insertObjects(rows)
        }
        if let moreKeys { store.useKeys(moreKeys) }
        let keys = Array(first..<first + Int64(rows.count))
        postSave(keys, changed: derived.map { changes(of: $0) }, rows)
        return keys
    }

    /// Computes the derived attributes of inserted rows, and of those that derive from them.
    /// - Returns: The other rows that were written for that.
    private func derive(_ rows: ValuesInsertBuffer, firstKey: Int64, _ connection: SQLiteConnection) throws
        -> [DerivedRow]
    {
        guard schema.hasDerivations else { return [] }
        let keys = Array(firstKey..<firstKey + Int64(rows.count))
        let stored = StoredDerivations(
            BatchUpdateWriter(schema: schema, connection: connection),
            try schema.derivations(),
            [rows.type.index: keys],
            assigned: Set(rows.type.fields.map(\.name))
        )
        let range = keys[0]...keys[keys.count - 1]
        return try readRows(of: stored.derive(), connection).filter { derived in
            derived.row.values.entityType.rootIndex != rows.type.rootIndex || !range.contains(derived.row.key)
        }
    }

    private func writeExternalData(
        of rows: ValuesInsertBuffer,
        _ index: Int,
        key: Int64,
        _ connection: SQLiteConnection
    ) throws {
        let objectID = ManagedObjectID(entityType: rows.type, key: key)
        for column in rows.columns where column.kind.base == .external {
            guard let external = rows.external(column),
                let bytes = external.value(at: rows.address(of: column, index))?.data
            else { continue }
            try external.write(bytes, objectID, connection)
        }
    }

    /// Notifies this context and observers of new rows, and of others that were changed with them.
    private func postSave(_ keys: [Int64], changed: [ChangeSet.Row], _ rows: ValuesInsertBuffer) {
        let type = rows.type
        if hasStoreSubscribers {
            let changes = ObjectIDChanges(
                inserted: Set(keys.map { ManagedObjectID(entityType: type, key: $0) }),
                updated: Set(changed.map { ManagedObjectID(entityType: $0.type, key: $0.key) })
            )
            if !changes.isEmpty { sendSave(changes, isStored: true) }
        }
        editor.invalidateMembers(leadingTo: rows)
        var deletedRows = DeletedRowKeys()
        for row in changed { merger.merge(row, &deletedRows) }
        editor.settleOneToOnes(of: changed)
        let isObserved = notifier.isObserved
        if isObserved {
            // An observer shows the rows; without one they are found by the next fetch.
            for key in keys { graph.event.mergedInserted.append(graph.makeFault(key: key, type: type)) }
        }
        guard isObserved || graph.observation != nil else { return }
        executor.scheduleProcessing()
        processPendingChanges()
    }

    /// The same by way of objects, for what depends on other objects.
    private func insertObjects(_ rows: ValuesInsertBuffer) throws -> [Int64] {
        let scratch = ManagedObjectContext(for: self)
        scratch.name = name
        scratch.mergePolicy = mergePolicy
        var objects: [ManagedObject] = []
        for index in 0..<rows.count {
            let object = scratch.editor.insertNewObject(of: rows.type)
            for column in rows.columns where column.kind.base != .toOne {
                scratch.editor.recordChange(of: object, field: column.index)
                copyField(
                    column.kind,
                    from: rows.address(of: column, index),
                    to: object.address(of: rows.type.fields[column.index]),
                    isInitialized: true
                )
            }
            objects.append(object)
        }
        for column in rows.columns where column.kind.base == .toOne {
            guard let relationship = rows.type.relationships[column.index] else { continue }
            let destination = schema.entityTypes[relationship.destination]
            for (index, object) in objects.enumerated() {
                let key = rows.key(of: column, index)
                guard key != 0 else {
                    scratch.editor.recordChange(of: object, field: column.index)
                    continue
                }
                do {
                    let target = try scratch.reader.existingObject(forKey: key, type: destination)
                    scratch.editor.setToOne(target, of: object, field: column.index)
                } catch is MissingObjectError {
                    throw ValidationError(failures: [rows.danglingFailure(column, index)])
                }
            }
        }
        let (keys, changed) = try scratch.withSaveNotifications {
            try scratch.validateAndWrite()
        } finish: { effects in
            scratch.writtenRows(effects)
        }
        reader.endReading()
        postSave(keys, changed: changed, rows)
        return objects.map(\.key)
    }

    /// The written rows: the keys of new rows, and of changed existing rows.
    private func writtenRows(_ effects: SaveEffects) -> (new: [Int64], changed: [ChangeSet.Row]) {
        var (new, changed): ([Int64], [ChangeSet.Row]) = ([], [])
        var derived = effects.derivedRowsByKey
        for object in graph.changedObjects {
            let computed = derived.removeValue(forKey: IdentityMap.Key(of: object))
            if object.version == 0 {
                new.append(object.key)
            } else if object.isInserted || object.hasColumnChanges || computed != nil {
                var row = row(for: object, withValues: true)
                if let computed { row.take(computed, derivedMask: object.entityType.derivedMask) }
                changed.append(row)
            }
        }
        return (new, changed + derived.values.map { changes(of: $0) })
    }
}
