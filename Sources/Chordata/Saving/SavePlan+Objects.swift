internal import ChordataModel
internal import ChordataSQL
internal import OrderedCollections

// The plan of a save of objects.

extension SavePlan {
    /// Creates the plan that writes all changes of some objects.
    /// - Parameters:
    ///   - objects: Objects with unsaved changes and permanent row keys.
    ///   - writesAllPositions: Whether the positions of all members are written, because the plan is executed on tables
    ///     that do not have the rows of the store.
    convenience init(of objects: [ManagedObject], in schema: StoreSchema, writesAllPositions: Bool = false) {
        self.init(schema: schema)
        addRows(of: objects)
        guard schema.hasExternalData || schema.hasWrittenToManys else { return }
        for object in objects where object.state == .inserted || object.state == .updated {
            if schema.hasExternalData { addExternalData(of: object) }
            if schema.hasWrittenToManys { addMembers(of: object, writesAllPositions: writesAllPositions) }
        }
    }

    // MARK: Rows

    private func addRows(of objects: [ManagedObject]) {
        objects.forEachUnretained { object in
            object.withRuntimeEntity { type in
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
        to batches: inout [RowGroup]
    ) {
        // Objects of the same kind are usually consecutive.
        var index = batches.count - 1
        while index >= 0, batches[index].type !== type || batches[index].changed != changed { index -= 1 }
        if index < 0 {
            batches.append(RowGroup(type: type, changed: changed))
            index = batches.count - 1
        }
        batches[index].objects.append(Unmanaged.passUnretained(object))
    }

    // MARK: External data

    private func addExternalData(of object: ManagedObject) {
        for attribute in object.runtimeEntity.externalFields {
            if object.state == .updated, object.changes?.changed.contains(attribute.field.index) != true { continue }
            guard let value = attribute.value(at: object.address(of: attribute.field)) else {
                if object.state == .updated {
                    externalData.append(
                        ExternalDataChange(attribute: attribute, objectID: object.objectID, bytes: nil)
                    )
                }
                continue
            }
            // Bytes that were not read are unchanged in the store.
            guard let bytes = value.data else { continue }
            externalData.append(ExternalDataChange(attribute: attribute, objectID: object.objectID, bytes: bytes))
        }
    }

    // MARK: To-many relationships

    private func addMembers(of object: ManagedObject, writesAllPositions: Bool) {
        guard let changed = object.changes?.changed else { return }
        for relationship in object.runtimeEntity.writtenToManys where changed.contains(relationship.field) {
            let storage = object.toManyReference(object.runtimeEntity.fields[relationship.field]).pointee.storage
            switch relationship.storage {
            case .column, nil: continue
            case .inverseColumn(let table, let inverse, let order):
                guard let order, let storage = storage as? OrderedToMany else { continue }
                let columns = OrderColumns(table: table, owner: inverse, member: "_id", order: order)
                addOrder(of: storage, of: object, columns, writesAllPositions)
            case .joinTable(let name, let source, let destination, let order):
                let table = JoinTable(name: name, owner: source, member: destination)
                if let storage {
                    addJoinRows(of: object, storage.removedKeys.sorted(), storage.addedMembers, table)
                    guard let order, let storage = storage as? OrderedToMany else { continue }
                    let columns = OrderColumns(table: name, owner: source, member: destination, order: order)
                    addOrder(of: storage, of: object, columns, writesAllPositions)
                } else if let unread = object.changes?.pendingToManyChanges(of: relationship.field) {
                    addJoinRows(of: object, unread.removed.map(\.key), Array(unread.added), table)
                }
            }
        }
    }

    private func addJoinRows(
        of object: ManagedObject,
        _ removed: [Int64],
        _ added: [ManagedObject],
        _ table: JoinTable
    ) {
        let added = added.filter { $0.state != .deleted && $0.state != .detached }.map(\.key)
        guard !removed.isEmpty || !added.isEmpty else { return }
        joinRows.append(JoinRowChange(table: table, owner: object.key, removed: removed, added: added))
    }

    private func addOrder(
        of storage: OrderedToMany,
        of object: ManagedObject,
        _ columns: OrderColumns,
        _ writesAllPositions: Bool
    ) {
        let changed: ChangedPositions =
            if writesAllPositions {
                .all
            } else if let inserted = storage.insertedMembers {
                .inserted(inserted)
            } else {
                .differences
            }
        orders.append(OrderChange(columns: columns, owner: object.key, members: storage.array, changed: changed))
    }

    // MARK: Other rows

    /// Adds the removal of references to the deleted rows from rows that are not registered in the context.
    ///
    /// These rows got the reference after the deletion was made. The store would nullify the reference automatically,
    /// but without a new row version, so that other contexts could save their outdated references.
    /// - Parameter hasOtherReaders: A closure that returns whether other contexts may have read such rows.
    func addNullifications(ifNeeded hasOtherReaders: @escaping () -> Bool) {
        self.hasOtherReaders = hasOtherReaders
        for batch in deletions {
            for case let relationship? in batch.type.relationships {
                guard relationship.description.isToMany, relationship.inverseToOne != nil,
                    case .inverseColumn? = relationship.storage
                else { continue }
                nullifications.append(Nullification(relationship: relationship, deletions: batch))
            }
        }
    }

    /// Adds the freeing of unique values that rows are about to lose.
    func addFreedValues(of objects: [ManagedObject]) {
        let constraints = schema.makeUniquenessConstraints()
        for object in objects where object.state == .updated || object.state == .deleted {
            let type = object.runtimeEntity
            var columns: OrderedSet<String> = []
            for constraint in constraints {
                for field in constraint.fields[type.index] {
                    let isGivenAway = object.state == .deleted || object.changes?.changed.contains(field.index) == true
                    if isGivenAway, let name = field.columnName { columns.append(name) }
                }
            }
            guard !columns.isEmpty else { continue }
            freedValues.append(
                FreedValues(type: type, key: object.key, version: object.version, columns: columns.elements)
            )
        }
    }

    /// Adds the computation of derived attributes that the store computes.
    func addDerivations(of objects: [ManagedObject], _ evaluator: RowEvaluator) throws {
        let derivations = try schema.derivations()
        guard derivations.contains(where: { $0.contains(where: \.isStored) }) else { return }
        var plan = DerivationPlan(derivations: derivations, evaluator: evaluator)
        for object in objects {
            let index = object.runtimeEntity.index
            let isPresent = object.state == .updated || object.state == .inserted
            if object.state == .updated || object.state == .deleted {
                plan.former[index, default: []].append(object.key)
            }
            guard isPresent else { continue }
            plan.written[index, default: []].append(object.key)
            if object.affects(derivations[index]) { plan.moved[index, default: []].insert(object.key) }
        }
        self.derivations = plan
    }
}

extension ManagedObject {
    /// Returns a Boolean value that indicates whether a save of the object may change derived attributes of its row
    /// that the store computes.
    fileprivate func affects(_ derivations: [Derivation]) -> Bool {
        derivations.contains { derivation in
            guard derivation.isStored else { return false }
            if state == .inserted || derivation.isTimeDependent { return true }
            let names = derivation.propertyNames.union(derivation.paths.map { $0[0].name })
            return names.contains { name in
                runtimeEntity.field(named: name).map { changes?.changed.contains($0.index) == true } ?? false
            }
        }
    }
}
