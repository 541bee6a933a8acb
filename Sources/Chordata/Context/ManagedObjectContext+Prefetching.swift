internal import ChordataModel
internal import ChordataSQL

// What relationships lead to, read for many objects in one statement.

extension ManagedObjectContext {
    /// Reads what paths of relationships lead to, one statement for each relationship.
    func prefetch(_ paths: [[String]], of objects: [ManagedObject]) throws {
        // `a.b` and `a.c` go through `a` together.
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
            let groups = Dictionary(grouping: objects) { $0.entityType.index }
            var found: [ManagedObject] = []
            for (index, owners) in groups.sorted(by: { $0.key < $1.key }) {
                let type = schema.entityTypes[index]
                guard let field = type.field(named: name), let relationship = type.relationships[field.index] else {
                    continue
                }
                found +=
                    try relationship.description.isToMany
                    ? prefetchToMany(relationship, of: owners) : prefetchToOne(relationship, of: owners)
            }
            try prefetch(paths, of: found)
        }
    }

    private func prefetchToOne(_ relationship: EntityType.Relationship, of owners: [ManagedObject]) throws
        -> [ManagedObject]
    {
        let destination = schema.entityTypes[relationship.destination]
        var wanted: Set<Int64> = []
        for owner in owners {
            owner.willAccess(relationship.field)
            let key = owner.toOneReference(owner.entityType.fields[relationship.field]).pointee.key
            guard key != 0 else { continue }
            if registered(key: key, rootIndex: destination.rootIndex)?.isFault ?? true { wanted.insert(key) }
        }
        try readRows(of: wanted.sorted(), type: destination)
        var targets: [ManagedObject] = []
        for owner in owners {
            // Held here, so that nobody lets go of what was read.
            if let target = realizeToOne(of: owner, field: relationship.field) { targets.append(target) }
        }
        return targets
    }

    private func prefetchToMany(_ relationship: EntityType.Relationship, of owners: [ManagedObject]) throws
        -> [ManagedObject]
    {
        var unread: [Int64: ManagedObject] = [:]
        for owner in owners where owner.version != 0 {
            let field = owner.entityType.fields[relationship.field]
            if owner.toManyReference(field).pointee.storage == nil { unread[owner.key] = owner }
        }
        if let type = owners.first?.entityType, let sql = schema.allMembersSQL(of: relationship, in: type),
            !unread.isEmpty
        {
            let projection = schema.projection(of: schema.entityTypes[relationship.destination])
            var members: [Int64: [ManagedObject]] = [:]
            try readRows { connection in
                let statement = try connection.statement(sql)
                defer { statement.reset() }
                statement.bind(jsonList(unread.keys.sorted()), at: 1)
                while try statement.step() {
                    let owner = statement.integer(at: Int32(projection.columnNames.count))
                    members[owner, default: []].append(try materialize(statement, projection))
                }
            }
            for (key, owner) in unread {
                fillToMany(of: owner, relationship, stored: members[key] ?? [])
            }
        }
        return owners.flatMap { realizeToMany(of: $0, field: relationship.field).array }
    }

    /// Reads the rows of some keys; known objects that are no faults are left as they are.
    func readRows(of keys: [Int64], type: EntityType) throws {
        guard !keys.isEmpty else { return }
        let projection = schema.projection(of: schema.entityType(named: type.entity.rootEntityName) ?? type)
        try readRows { connection in
            let statement = try connection.statement(projection.selectMany)
            defer { statement.reset() }
            statement.bind(jsonList(keys), at: 1)
            while try statement.step() { _ = try materialize(statement, projection) }
        }
    }
}

/// Keys as one parameter, however many there are.
private func jsonList(_ keys: [Int64]) -> String { "[\(keys.map(String.init).joined(separator: ","))]" }
