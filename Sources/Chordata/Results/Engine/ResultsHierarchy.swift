internal import ChordataModel

/// One parent and its rows.
final class ResultsHierarchySection {
    fileprivate(set) var parent: ManagedObject
    /// The key of the parent in the list of parents.
    fileprivate(set) var key: Int64
    let list: ResultsList

    fileprivate init(parent: ResultsRow, list: ResultsList) {
        (self.parent, key) = (parent.object, parent.key)
        self.list = list
    }

    /// The rows, in order.
    var rows: OrderStatisticTree<ResultsRow> { list.sections[0].rows }
    /// The name of the section.
    var name: String { ManagedObjectID(runtimeEntity: parent.runtimeEntity, key: key).uriRepresentation }

    /// Returns a change for each of the current rows.
    fileprivate func changes(at index: Int, _ change: (ResultsRow, ResultsPosition) -> ResultsChanges.RowChange)
        -> [ResultsChanges.RowChange]
    {
        var changes: [ResultsChanges.RowChange] = []
        rows.forEach { changes.append(change($0, ResultsPosition(section: index, row: changes.count))) }
        return changes
    }
}

/// The results of a hierarchical controller, updated event by event.
///
/// The parents are a list like any other; each parent has its own list of rows. The cost of an event depends on the
/// number of affected objects and, for each parent whose members it may have changed, on the number of these members.
final class ResultsHierarchy {
    /// The relationship of the sections, and the order of its rows.
    struct Relationship {
        let name: String
        /// The entity of the rows.
        let destination: RuntimeEntity
        /// The name of the inverse relationship, if there is one.
        let inverseName: String?
        /// The order of the rows; `nil` if the rows have the order of the relationship itself.
        let order: ResultsOrder?
        let dependencies: ResultsDependencies
    }

    let parents: ResultsEngine
    private let context: ManagedObjectContext
    private let relationship: Relationship
    /// The sections, by the keys of the parents.
    private var sections: [Int64: ResultsHierarchySection] = [:]
    /// The keys of the parents with which a row is shown, by the key of the row.
    private var parentsByRow: [Int64: [Int64]] = [:]

    init<Parent: ManagedObject>(
        _ request: FetchRequest<Parent>,
        _ relationship: Relationship,
        in context: ManagedObjectContext
    ) throws {
        self.context = context
        self.relationship = relationship
        parents = try ResultsEngine(request, in: context, sectionKey: nil)
        var owners: [ManagedObject] = []
        parents.list.forEach { owners.append($0.object) }
        try context.fetcher.prefetch([[relationship.name]], of: owners, areAll: false)
        parents.list.forEach { _ = addSection(of: $0) }
    }

    // MARK: Contents

    var count: Int { parents.list.count }

    subscript(index: Int) -> ResultsHierarchySection { section(of: parents.list.sections[0].rows[index]) }

    private func section(of parent: ResultsRow) -> ResultsHierarchySection {
        guard let section = sections[parent.key] else { preconditionFailure("a parent has no section") }
        return section
    }

    private func index(of section: ResultsHierarchySection) -> Int {
        guard let parent = parents.list[section.key] else { preconditionFailure("a section has no parent") }
        return parents.list.position(of: parent).row
    }

    /// Returns the first position of an object.
    func position(of object: ManagedObject) -> ResultsPosition? {
        let found = (parentsByRow[object.key] ?? []).compactMap { parent -> ResultsPosition? in
            guard let section = sections[parent], let row = section.list[object.key], row.isOf(object) else {
                return nil
            }
            return ResultsPosition(section: index(of: section), row: section.rows.place(of: row))
        }
        return found.min()
    }

    /// Updates the list after the key of an object has changed.
    func changeKey(_ old: Int64, of object: ManagedObject) {
        if parents.list[old]?.isOf(object) == true, let section = sections.removeValue(forKey: old) {
            parents.list.changeKey(old, to: object.key)
            sections[object.key] = section
            section.key = object.key
            section.list.forEach { row in
                parentsByRow[row.key] = parentsByRow[row.key]?.map { $0 == old ? object.key : $0 }
            }
        }
        let shown = (parentsByRow[old] ?? []).filter { sections[$0]?.list[old]?.isOf(object) == true }
        guard !shown.isEmpty else { return }
        for parent in shown { forgetParent(parent, of: old) }
        parentsByRow[object.key, default: []] += shown
        for parent in shown { sections[parent]?.list.changeKey(old, to: object.key) }
    }

    private func forgetParent(_ parent: Int64, of row: Int64) {
        parentsByRow[row]?.removeAll { $0 == parent }
        if parentsByRow[row]?.isEmpty == true { parentsByRow[row] = nil }
    }

    // MARK: Rows of one parent

    private func members(of parent: ManagedObject) -> [ManagedObject] {
        parent.readRowOfFault()
        guard let field = parent.runtimeEntity.field(named: relationship.name) else { return [] }
        return context.editor.realizeToMany(of: parent, field: field.index).array.filter {
            $0.state != .deleted && $0.state != .detached
        }
    }

    /// Returns the current rows of a parent, in the order of the relationship.
    private func rows(of parent: ManagedObject) -> [ResultsRow] {
        members(of: parent).enumerated().map { place, member in
            member.readRowOfFault()
            let values = relationship.order?.values(of: member) ?? [.integer(Int64(place))]
            return ResultsRow(key: member.key, object: member, sortValues: values)
        }
    }

    private func addSection(of parent: ResultsRow) -> ResultsHierarchySection {
        let order = relationship.order ?? ResultsOrder.ofNumbers
        let section = ResultsHierarchySection(
            parent: parent,
            list: ResultsList(rows(of: parent.object).sorted(by: order.areInOrder), order: order)
        )
        sections[parent.key] = section
        section.list.forEach { parentsByRow[$0.key, default: []].append(parent.key) }
        return section
    }

    private func removeSection(of parent: ResultsRow) -> ResultsHierarchySection? {
        guard let section = sections.removeValue(forKey: parent.key) else { return nil }
        section.list.forEach { forgetParent(parent.key, of: $0.key) }
        return section
    }

    // MARK: Events

    /// Updates the results with an event of the context.
    ///
    /// After an error, the results are unchanged and have missed the event.
    func follow(_ change: ContextChange, afterMissedEvents hasMissedEvents: Bool) throws -> ResultsHierarchyChanges {
        let (touched, _, isKnown) = try relationship.dependencies.objects(touchedBy: change, in: context) { type in
            context.schema.model.entity(type.entity.name, isKindOf: relationship.destination.entity.name)
        }
        let affected = isKnown && !hasMissedEvents ? parentsAffected(by: change, touched) : Set(sections.keys)
        var places: [Int64: Int] = [:]
        for key in affected { places[key] = sections[key].map(index) }
        let parentChanges = try parents.follow(change, afterMissedEvents: hasMissedEvents)

        var changes = ResultsHierarchyChanges()
        var kept = affected
        for parentChange in parentChanges.rows {
            switch parentChange {
            case .delete(let row, let old):
                guard let section = removeSection(of: row) else { continue }
                changes.deletedSections.append(.init(section: section, index: old.row))
                changes.rows += section.changes(at: old.row) { .delete($0, at: $1) }
                kept.remove(row.key)
            case .insert(let row, let new):
                let section = addSection(of: row)
                changes.insertedSections.append(.init(section: section, index: new.row))
                changes.rows += section.changes(at: new.row) { .insert($0, at: $1) }
                kept.remove(row.key)
            case .move(let row, let old, let new):
                kept.remove(row.key)
                move(row, from: old.row, to: new.row, touched, &changes)
            case .update(let row, let old, let new):
                let section = section(of: row)
                section.parent = row.object
                places[row.key] = old.row
                changes.updatedSections.append(.init(section: section, index: new.row))
            }
        }
        for key in kept {
            guard let section = sections[key], let old = places[key] else { continue }
            let new = index(of: section)
            let members = apply(touched, to: section)
            for change in members { changes.rows.append(change.placed(from: old, to: new)) }
        }
        changes.joinMoves()
        return changes
    }

    /// Returns the keys of the parents whose members an event may have changed.
    private func parentsAffected(by change: ContextChange, _ touched: Set<ManagedObject>) -> Set<Int64> {
        var affected: Set<Int64> = []
        for object in touched {
            affected.formUnion(parentsByRow[object.key] ?? [])
            affected.formUnion(owners(of: object))
        }
        for object in change.deleted {
            affected.formUnion(parentsByRow[change.keys.replaced[object] ?? object.key] ?? [])
        }
        // These parents may have other members, because of a merge or of a relationship without an inverse.
        for object in [change.inserted, change.updated, change.refreshed].joined()
        where parents.list[object.key]?.isOf(object) == true {
            affected.insert(object.key)
        }
        return affected
    }

    /// Returns the keys of the parents that reference a row; without an inverse, the parents that are known to
    /// reference it.
    private func owners(of object: ManagedObject) -> [Int64] {
        guard object.state != .detached else { return [] }
        guard let name = relationship.inverseName else {
            // A row whose deletion was cancelled returns to the parents that it had.
            guard parentsByRow[object.key]?.isEmpty ?? true else { return [] }
            return sections.keys.filter { key in
                guard let parent = sections[key]?.parent,
                    let field = parent.runtimeEntity.field(named: relationship.name)
                else { return false }
                return parent.toManyReference(field).pointee.storage?.contains(object) == true
            }
        }
        guard let field = object.runtimeEntity.field(named: name),
            let inverse = object.runtimeEntity.relationships[field.index]
        else { return [] }
        object.readRowOfFault()
        return context.editor.targets(of: object, inverse).map(\.key)
    }

    /// Updates the rows of a parent to its members; rows whose index merely shifted are not reported.
    private func apply(_ touched: Set<ManagedObject>, to section: ResultsHierarchySection) -> [ResultsChanges.RowChange]
    {
        let list = section.list
        let rows = rows(of: section.parent)
        let keys = Set(rows.map(\.key))
        var removed: [Int64] = []
        list.forEach { if !keys.contains($0.key) { removed.append($0.key) } }
        var quiet: Set<Int64> = []
        var changed: [ResultsEntry] = []
        for row in rows {
            let entry = ResultsEntry(row: row, sectionName: .empty)
            let mayShiftOffset = touched.contains(row.object)
            guard mayShiftOffset || list[row.key]?.isOfObject(of: row) != true || !list.isInPlace(entry) else {
                continue
            }
            if !mayShiftOffset, list[row.key] != nil { quiet.insert(row.key) }
            changed.append(entry)
        }
        for key in removed { forgetParent(section.key, of: key) }
        for entry in changed where list[entry.row.key] == nil {
            parentsByRow[entry.row.key, default: []].append(section.key)
        }
        do {
            return try list.apply(changed, removing: removed, suppressingUpdatesOf: quiet).rows
        } catch {
            preconditionFailure("a list without sections cannot have two sections of one name")
        }
    }

    /// Moves a parent together with its rows.
    private func move(
        _ parent: ResultsRow,
        from old: Int,
        to new: Int,
        _ touched: Set<ManagedObject>,
        _ changes: inout ResultsHierarchyChanges
    ) {
        let section = section(of: parent)
        section.parent = parent.object
        changes.deletedSections.append(.init(section: section, index: old))
        changes.insertedSections.append(.init(section: section, index: new))
        // The deletion and the insertion of a row that is still a member become a move.
        changes.rows += section.changes(at: old) { .delete($0, at: $1) }
        _ = apply(touched, to: section)
        changes.rows += section.changes(at: new) { .insert($0, at: $1) }
    }
}

extension ResultsHierarchy.Relationship {
    /// - Throws: ``FetchError`` when the name is not the name of a to-many relationship, and for invalid sort keys.
    init<Parent: ManagedObject>(
        _ name: String,
        of request: FetchRequest<Parent>,
        sortedBy sortKeys: [SortKey],
        in schema: StoreSchema
    ) throws {
        let type = try schema.runtimeEntity(of: request)
        guard let field = type.field(named: name), let relationship = type.relationships[field.index],
            relationship.description.isToMany
        else { throw FetchError.unknownRelationship(name, entityName: type.entity.name) }
        self.name = name
        destination = schema.runtimeEntities[relationship.destination]
        inverseName = relationship.description.inverseName
        var rows = FetchRequest<ManagedObject>(entityName: destination.entity.name)
        rows.sortKeys = sortKeys
        let bound = try BoundFetchRequest(rows, in: schema)
        let isOrdered = relationship.description.isOrdered && sortKeys.isEmpty
        order = isOrdered ? nil : ResultsOrder(terms: bound.sortTerms, in: schema)
        dependencies = ResultsDependencies(bound.dependencies)
    }
}
