internal import ChordataPredicate
internal import ChordataSQL

// Results that the SQL of a server cannot compute.

extension ObjectFetcher {
    /// Returns the results of a request, for which the database reads only rows; expressions are computed from objects
    /// in memory.
    func computeDictionaries(_ wanted: BoundDictionaryRequest) throws -> [[String: any Hashable
        & Sendable]]
    {
        let scratch = makePrivateFetcher()
        defer { withExtendedLifetime(scratch.context) {} }
        let objects: [ManagedObject] = try scratch.fetcher.fetchRows(
            of: wanted.bound,
            limit: 0,
            offset: 0
        )
        let group = EvaluatedGroup()
        let computed = try ComputedResults(wanted, group, scratch.fetcher)
        var results: [[String: any Hashable & Sendable]] = []
        for members in try computed.groups(of: objects) {
            group.members = members
            if let result = try computed.result(of: members.first) { results.append(result) }
        }
        if wanted.rows.isDistinct || wanted.isFiltered { return filter(results, wanted.bound) }
        let rest = results.dropFirst(wanted.bound.offset)
        return Array(wanted.bound.limit > 0 ? rest.prefix(wanted.bound.limit) : rest)
    }
}

/// Computes results from objects.
private struct ComputedResults {
    /// A closure that returns a value of the current group from its first object; `nil` if there is no value.
    private typealias Reader = (ManagedObject) throws -> (any Hashable & Sendable)?

    private let wanted: BoundDictionaryRequest
    private let group: EvaluatedGroup
    private let fetcher: ObjectFetcher
    private let readers: [Reader]
    private let groupReaders: [Reader]?
    private let isIncluded: ((AnyObject) throws(FetchPredicateError) -> Bool)?

    init(_ wanted: BoundDictionaryRequest, _ group: EvaluatedGroup, _ fetcher: ObjectFetcher) throws {
        (self.wanted, self.group, self.fetcher) = (wanted, group, fetcher)
        let access = ManagedObjectAccess(schema: fetcher.schema, loadsExternalData: true)
        readers = try wanted.columns.map { column in
            switch column.source {
            case .keyPath(let path): Self.reader(of: path, access)
            case .expression(let expression):
                try Self.reader(of: expression, column, wanted, access, group)
            }
        }
        groupReaders = wanted.rows.groups.map { $0.map { Self.reader(of: $0, access) } }
        isIncluded = wanted.rows.having.map { makeEvaluator($0, access: access, group: group) }
    }

    private static func reader(of path: BoundKeyPath, _ access: ManagedObjectAccess) -> Reader {
        guard path.target == .object else {
            let read = makeReader(.keyPath(path), access: access)
            let type = path.attribute?.attributeType
            return { try read($0)?.swiftValue(as: type) }
        }
        return { object in
            var owner: ManagedObject? = object
            for relationship in path.relationships {
                owner = owner?.value(forKey: relationship.name) as? ManagedObject
            }
            return owner?.objectID
        }
    }

    private static func reader(
        of expression: BoundExpression,
        _ column: BoundDictionaryRequest.Column,
        _ wanted: BoundDictionaryRequest,
        _ access: ManagedObjectAccess,
        _ group: EvaluatedGroup
    ) throws -> Reader {
        guard case .computed(let type) = column.form else {
            throw FetchError.uncomputable(column.name, entityName: wanted.bound.type.entity.name)
        }
        let read = makeReader(expression, access: access, group: group)
        return { object in
            guard let value = try read(object) else { return nil }
            guard let converted = value.swiftValue(as: type) else {
                throw FetchError.invalidResult(column.name, typeName: type?.rawValue ?? "")
            }
            return converted
        }
    }

    /// Returns the groups of objects, in the order of their first objects; if the request has no groups, each object is
    /// a group of its own.
    func groups(of objects: [ManagedObject]) throws -> [[ManagedObject]] {
        guard let groupReaders else { return objects.map { [$0] } }
        if groupReaders.isEmpty { return [objects] }
        var groups: [[ManagedObject]] = []
        var places: [[AnyHashable?]: Int] = [:]
        for object in objects {
            let values = try groupReaders.map { read -> AnyHashable? in
                guard let value = try read(object) else { return nil }
                // Strings are equal only if their bytes are equal.
                if let text = value as? String { return AnyHashable(Array(text.utf8)) }
                return AnyHashable(value)
            }
            if let place = places[values] {
                groups[place].append(object)
            } else {
                places[values] = groups.count
                groups.append([object])
            }
        }
        return groups
    }

    /// The result of the current group.
    /// - Parameter first: The first object of the group; `nil` for the group of all objects if there are no objects.
    /// - Returns: The values by name; `nil` if the group does not meet the condition on groups.
    func result(of first: ManagedObject?) throws -> [String: any Hashable & Sendable]? {
        // Without an object, no key path is read, because all key paths are arguments of aggregate functions.
        let object: ManagedObject
        if let first {
            object = first
        } else {
            object = fetcher.graph.makeObject(of: wanted.bound.type)
        }
        if let isIncluded, try !isIncluded(object) { return nil }
        var result: [String: any Hashable & Sendable] = [:]
        for (column, read) in zip(wanted.columns, readers) { result[column.name] = try read(object) }
        return result
    }
}
