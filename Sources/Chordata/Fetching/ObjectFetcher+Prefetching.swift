internal import ChordataModel
internal import ChordataSQL

// Prefetching: the destinations of many objects, read in one statement.

extension ObjectFetcher {
    /// Reads the destinations of paths of relationships, one statement for each relationship.
    /// - Parameter areAll: Whether these are all objects of their entities, so that it is fastest to read a whole
    ///   table.
    func prefetch(_ paths: [[String]], of objects: [ManagedObject], areAll: Bool) throws {
        // `a.b` and `a.c` share the prefetched objects of `a`.
        var rests: [(name: String, paths: [[String]])] = []
        for path in paths {
            guard let name = path.first else { continue }
            let rest = Array(path.dropFirst())
            if let known = rests.firstIndex(where: { $0.name == name }) {
                rests[known].paths.append(rest)
            } else {
                rests.append((name, [rest]))
            }
        }
        for (name, paths) in rests {
            let groups = Dictionary(grouping: objects) { $0.runtimeEntity.index }
            var found: [ManagedObject] = []
            for (index, owners) in groups.orderedByKey {
                let type = schema.runtimeEntities[index]
                guard let field = type.field(named: name), let relationship = type.relationships[field.index] else {
                    continue
                }
                if relationship.description.isToMany {
                    try prefetchToMany(relationship, of: owners, areAll: areAll)
                } else {
                    try prefetchToOne(relationship, of: owners)
                }
                if paths.contains(where: { !$0.isEmpty }) {
                    for owner in owners { found += editor.targets(of: owner, relationship) }
                }
            }
            try prefetch(paths, of: found, areAll: false)
        }
    }

    private func prefetchToOne(_ relationship: RuntimeEntity.Relationship, of owners: [ManagedObject]) throws {
        let destination = schema.runtimeEntities[relationship.destination]
        var wanted: Set<Int64> = []
        for owner in owners {
            owner.willAccess(relationship.field)
            let key = owner.toOneReference(owner.runtimeEntity.fields[relationship.field]).pointee.key
            guard key != 0 else { continue }
            if graph.registered(key: key, rootIndex: destination.rootIndex)?.isFault ?? true { wanted.insert(key) }
        }
        try reader.readRows(of: wanted.sorted(), type: destination)
        // The owners retain the objects, so that the objects stay registered.
        for owner in owners { _ = editor.realizeToOne(of: owner, field: relationship.field) }
    }

    private func prefetchToMany(
        _ relationship: RuntimeEntity.Relationship,
        of owners: [ManagedObject],
        areAll: Bool
    ) throws {
        var unread = KeyIndex(capacity: owners.count)
        var lists: [(owner: ManagedObject, members: [ManagedObject])] = []
        for owner in owners where owner.version != 0 {
            guard owner.toManyReference(owner.runtimeEntity.fields[relationship.field]).pointee.storage == nil else {
                continue
            }
            // The same owner may occur several times.
            if unread.append(owner.key) { lists.append((owner, [])) }
        }
        guard let type = owners.first?.runtimeEntity, !lists.isEmpty,
            let sql = schema.membersSQL(of: relationship, in: type)
        else { return }
        let readsAll = areAll && lists.count * 2 > owners.count
        let projection = schema.projection(of: schema.runtimeEntities[relationship.destination])
        let ownerColumn = Int32(projection.columnNames.count)
        let rootIndex = relationship.destinationRootIndex
        try reader.readRows { connection in
            let query = readsAll ? StoreQuery(sql.ofAll) : StoreQuery(sql.ofSome, .keys(unread.keys.sorted()))
            // If a row can have only one owner, the statement returns the row only once.
            let areNew = relationship.inverseToOne != nil && graph.knowsNone(rootIndex: rootIndex)
            defer {
                if areNew {
                    graph.makeRoom(for: lists.reduce(0) { $0 + $1.members.count }, rootIndex: rootIndex)
                    for list in lists { graph.register(list.members, rootIndex: rootIndex) }
                }
            }
            // The rows of an owner are mostly consecutive, and the next owner mostly has the same number of rows.
            var last: (key: Int64, list: Int?) = (0, nil)
            try connection.forEachFetchedRow(of: query) { row in
                let key = row.integer(at: ownerColumn)
                if key != last.key {
                    let count = last.list.map { lists[$0].members.count } ?? 0
                    last = (key, unread[key])
                    if let list = last.list, lists[list].members.isEmpty { lists[list].members.reserveCapacity(count) }
                }
                guard let list = last.list else { return }
                let member = try projection.member(of: row)
                lists[list].members.append(
                    try areNew ? reader.makeObject(row, member) : reader.materialize(row, member)
                )
            }
        }
        for (owner, members) in lists { editor.fillToMany(of: owner, relationship, stored: members) }
    }

    /// Reads the rows of those objects that are faults, in one statement for each entity.
    func readFaults(among objects: Set<ManagedObject>) throws {
        let faults = Dictionary(grouping: objects.lazy.filter(\.isFault)) { $0.runtimeEntity.index }
        for (index, faults) in faults where faults.count > 1 {
            try reader.readRows(of: faults.map(\.key).sorted(), type: schema.runtimeEntities[index])
        }
    }
}
