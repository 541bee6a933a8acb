internal import ChordataModel
internal import ChordataSQL

/// Inserts rows without objects for a context.
final class ValuesInserter {
    let graph: ObjectGraph
    let reader: RowReader
    let editor: ObjectEditor
    let merger: ChangeMerger
    let saver: ContextSaver
    /// The plan of the `Values` that were inserted last; consecutive insertions are usually of the same kind.
    private var lastInsertion: ValueInsertion?

    init(_ saver: ContextSaver) {
        graph = saver.graph
        reader = saver.reader
        editor = saver.editor
        merger = saver.merger
        self.saver = saver
    }

    private var schema: StoreSchema { graph.schema }
    private var store: PersistentStore { reader.store }

    /// Inserts a row for each element of an array of values; see ``ManagedObjectContext/insertValues(_:)``.
    /// - Parameter makeScratch: A closure that creates a private context, with its saver, if objects are needed.
    /// - Returns: The keys of the rows.
    func insert<Values: ManagedObjectValues>(
        _ values: [Values],
        _ type: RuntimeEntity,
        makeScratch: () -> (context: AnyObject, saver: ContextSaver)
    ) throws -> [Int64] {
        let insertion = try insertion(of: Values.self, type)
        return try values.withUnsafeBytes { bytes in
            let rows = ValuesInsertBuffer(
                bytes: bytes,
                stride: MemoryLayout<Values>.stride,
                columns: insertion.columns,
                type: type
            )
            let keys = try saver.reporting { report -> [Int64]? in
                report?.counts = (rows.count, 0, 0)
                try check(rows)
                return insertion.needsObjects ? nil : try insertRows(rows, report)
            }
            if let keys { return keys }
            let scratch = makeScratch()
            defer { withExtendedLifetime(scratch.context) {} }
            let inserted = try insertObjects(by: scratch.saver) {
                try makeObjects(rows, by: scratch.saver)
            } invalidateMembers: {
                editor.invalidateMembers(referencing: rows)
            }
            return inserted.keys
        }
    }

    private func insertion<Values: ManagedObjectValues>(of _: Values.Type, _ type: RuntimeEntity) throws
        -> ValueInsertion
    {
        if let last = lastInsertion, last.values == ObjectIdentifier(Values.self) { return last }
        let layout = Values.layout
        let offsets = Dictionary(
            uniqueKeysWithValues: layout.fields.map { ($0.path.joined(separator: "."), $0.offset) }
        )
        // The source of each column of a row.
        let columns = type.columns.map { column in
            let name = type.fields[column.index].name
            guard let offset = offsets[name] else {
                preconditionFailure(
                    "type 'Values' of entity '\(layout.entityName)' has no property '\(name)'; generate the code again"
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
        lastInsertion = insertion
        return insertion
    }

    /// Returns a Boolean value that indicates whether more than the rows themselves must be written.
    private func needsObjects(toInsert type: RuntimeEntity) throws -> Bool {
        if schema.hasDerivations, try schema.derivations().joined().contains(where: { !$0.isRenderable }) {
            return true
        }
        return type.relationships.contains { relationship in
            relationship.map { !$0.description.isToMany && schema.isWrittenAtBothEnds($0) } == true
        }
    }

    // MARK: Checking

    /// Checks the rules of the model that a save would check, and reports all failures together.
    private func check(_ rows: ValuesInsertBuffer) throws(ValidationError) {
        let rules = rows.type.validation
        // The members of to-many relationships are inserted later, and reference the rows with their own to-one
        // relationships.
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

    /// Returns the violation by a value, regardless of the model's bounds.
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

    /// Returns the error of the first to-one reference to a row of another store; `nil` if all are of one store.
    private func reference(
        toOtherStoreIn rows: ValuesInsertBuffer,
        from place: Int,
        _ partition: StorePartition
    ) -> ValidationError? {
        for column in rows.columns where column.kind.base == .toOne {
            guard let relationship = rows.type.relationships[column.index] else { continue }
            let destination = schema.runtimeEntities[relationship.destination]
            for index in 0..<rows.count {
                let key = rows.key(of: column, index)
                guard key != 0, let other = partition.placeToSave(key, of: destination), other != place else {
                    continue
                }
                let path = partition.stores[other].path
                return ValidationError(failures: [rows.otherStoreFailure(column, index, path)])
            }
        }
        return nil
    }

    /// Returns the error of the first to-one reference to a row that does not exist; `nil` if all rows exist.
    private func danglingReference(in rows: ValuesInsertBuffer) throws -> ValidationError? {
        for column in rows.columns where column.kind.base == .toOne {
            guard let relationship = rows.type.relationships[column.index] else { continue }
            let destination = schema.runtimeEntities[relationship.destination]
            for index in 0..<rows.count {
                let key = rows.key(of: column, index)
                guard key != 0, try !reader.hasRow(key, of: destination) else { continue }
                return ValidationError(failures: [rows.danglingFailure(column, index)])
            }
        }
        return nil
    }

    // MARK: Writing

    /// - Returns: The keys of the rows; `nil` if nothing was inserted because objects are needed.
    private func insertRows(_ rows: ValuesInsertBuffer, _ report: SaveReport?) throws -> [Int64]? {
        reader.readNewest()  // The next reads of the event see the new rows.
        let reserved = store.reservedKeys(Int64(rows.count), for: rows.type)
        let plan = SavePlan(schema: schema)
        plan.report = report
        plan.origin = saver.origin
        if let partition = store.partition {
            plan.place = try partition.requirePlace(ofNew: rows.type)
            if let error = reference(toOtherStoreIn: rows, from: plan.place, partition) { throw error }
        }
        plan.values = SavePlan.InsertedValues(rows: rows, firstKey: reserved)
        if schema.hasDerivations {
            plan.derivations = SavePlan.DerivationPlan(
                derivations: try schema.derivations(),
                evaluator: RowEvaluator(saver.fetcher),
                assignedNames: Set(rows.type.fields.map(\.name))
            )
        }
        if reserved != nil { plan.reservedKeyCount = store.neededKeyCount }
        plan.reportProgress(of: rows.count)
        let effects: SaveEffects
        var isQueued = false
        do {
            effects = try store.engine.save(plan) { effects in
                guard store.inboxes.hasOthers(than: merger.inbox) else { return }
                let new = (effects.firstKey..<effects.firstKey + Int64(rows.count)).map {
                    ChangeSet.Row(kind: .inserted, type: rows.type, key: $0, version: 1, values: nil)
                }
                store.inboxes.queue(
                    ChangeSet(rows: new + effects.derivedRows.map { saver.changes(of: $0) }),
                    from: merger.inbox
                )
                isQueued = true
            }
        } catch let error as StoreError where error.violation == .reference {
            throw try danglingReference(in: rows) ?? error
        } catch let error as StoreError where error.violation?.isOfUniqueness == true {
            // U12: the merge policy resolves the conflicts, and it requires objects.
            return nil
        }
        plan.progress?.finish()
        if isQueued { store.inboxes.deliver() }
        if let keys = effects.reservedKeys { store.useKeys(keys) }
        let keys = Array(effects.firstKey..<effects.firstKey + Int64(rows.count))
        let new = [EntityRowKeys(type: rows.type, keys: keys)]
        postSave(new, changed: effects.derivedRows.map { saver.changes(of: $0) }) {
            editor.invalidateMembers(referencing: rows)
        }
        return keys
    }

    /// Notifies this context and observers of new rows, and of other rows that were changed with them.
    private func postSave(
        _ new: [EntityRowKeys],
        changed: [ChangeSet.Row],
        invalidateMembers: () -> Void
    ) {
        if saver.hasStoreSubscribers {
            let changes = self.changes(new, changed)
            if !changes.isEmpty { saver.sendSave(changes, isStored: true) }
        }
        invalidateMembers()
        var deletedRows = DeletedRowKeys()
        for row in changed { merger.merge(row, &deletedRows) }
        editor.settleOneToOnes(of: changed)
        let isObserved = graph.notifier.isObserved
        if isObserved {
            // An observer displays the rows; if there is none, the next fetch finds them.
            for rows in new {
                for key in rows.keys { graph.recordMergedInsertion(of: graph.makeFault(key: key, type: rows.type)) }
            }
        }
        guard isObserved || graph.observation != nil else { return }
        graph.executor.scheduleProcessing()
        saver.processor.processPendingChanges()
    }

    /// Returns the IDs of new rows, and of other rows that were changed with them.
    private func changes(_ new: [EntityRowKeys], _ changed: [ChangeSet.Row]) -> ObjectIDChanges {
        ObjectIDChanges(
            inserted: Set(new.flatMap(\.objectIDs)),
            updated: Set(changed.map { ManagedObjectID(runtimeEntity: $0.type, key: $0.key) })
        )
    }

    /// Inserts objects of a private context, if the insertion depends on other objects.
    /// - Parameters:
    ///   - scratch: The saver of the private context.
    ///   - makeObjects: A closure that creates the objects, all of one entity.
    ///   - invalidateMembers: A closure that makes registered objects read the to-many relationships that contain the
    ///     objects.
    /// - Returns: The keys of the objects, and the IDs of all objects that were inserted or updated.
    func insertObjects(
        by scratch: ContextSaver,
        makeObjects: () throws -> [ManagedObject],
        invalidateMembers: () -> Void
    ) throws -> (keys: [Int64], changes: ObjectIDChanges) {
        scratch.contextName = saver.contextName
        scratch.transactionAuthor = saver.transactionAuthor
        scratch.mergePolicy = saver.mergePolicy
        // A save of the private context would not be part of this save.
        scratch.beginWrite()
        defer { scratch.endWrite() }
        // A closure of the program may have deleted some of its objects.
        let objects = try makeObjects().filter(\.isInserted)
        try scratch.processor.flushPendingChanges()
        if scratch.graph.changedObjects.isEmpty { return ([], ObjectIDChanges()) }
        let (new, changed) = try scratch.reporting { report in
            try scratch.withSaveNotifications(report) {
                try scratch.validateAndWrite()
            } finish: { effects in
                scratch.writtenRows(effects)
            }
        }
        reader.readNewest()
        postSave(new, changed: changed, invalidateMembers: invalidateMembers)
        return (objects.map(\.key), changes(new, changed))
    }

    private func makeObjects(_ rows: ValuesInsertBuffer, by scratch: ContextSaver) throws -> [ManagedObject] {
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
            let destination = schema.runtimeEntities[relationship.destination]
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
        return objects
    }
}

extension ContextSaver {
    /// Returns the written rows: the keys of new rows, and of changed existing rows.
    fileprivate func writtenRows(_ effects: SaveEffects) -> (new: [EntityRowKeys], changed: [ChangeSet.Row]) {
        var (new, changed): ([Int: [Int64]], [ChangeSet.Row]) = ([:], [])
        var derived = effects.derivedRowsByKey
        for object in graph.changedObjects {
            let computed = derived.removeValue(forKey: IdentityMap.Key(of: object))
            if object.version == 0 {
                new[object.runtimeEntity.index, default: []].append(object.key)
            } else if object.isInserted || object.hasColumnChanges || computed != nil {
                var row = row(for: object, withValues: true)
                if let computed { row.take(computed, derivedMask: object.runtimeEntity.derivedMask) }
                changed.append(row)
            }
        }
        return (schema.rowKeys(new), changed + derived.values.map { changes(of: $0) })
    }
}
