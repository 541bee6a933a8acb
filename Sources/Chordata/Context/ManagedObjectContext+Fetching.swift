internal import ChordataModel
internal import ChordataPredicate
internal import ChordataSQL

extension ManagedObjectContext {
    /// Returns the objects that match a request, in the order of its sort keys.
    ///
    /// The result includes unsaved changes of this context, unless `includesPendingChanges` is `false`. Reads the
    /// store.
    /// - Parameter request: The predicate, the order and the options of the fetch.
    /// - Returns: The objects, each registered in this context; empty when no object matches.
    /// - Throws: ``FetchError`` or ``FetchPredicateError`` when the request does not match the model,
    ///   ``FetchPredicateError`` also when a predicate takes too long to evaluate in memory, ``UnreadableValueError``
    ///   when a row has a value of another type than its attribute, ``StoreError`` when the store cannot be read or a
    ///   regular expression takes too long in SQLite.
    public func fetch<Object: ManagedObject>(_ request: FetchRequest<Object>) throws -> [Object] {
        let access = beginAccess()
        defer { access.end() }
        processChanges()
        let bound = try request.bound(in: schema)
        if request.shouldRefreshRefetchedObjects {
            reader.endReading()  // The newest is wanted.
            reader.refetch = RowReader.Refetch(update: editor.refreshRefetchedObjects)
        }
        defer { reader.refetch = nil }
        let objects: [Object] = try fetchObjects(of: bound, request)
        reader.refetch = nil
        if !bound.prefetchedPaths.isEmpty {
            let areAll = bound.predicate == nil && bound.limit == 0 && bound.offset == 0
            try prefetch(bound.prefetchedPaths, of: objects, areAll: areAll)
        }
        return objects
    }

    private func fetchObjects<Object: ManagedObject>(
        of bound: BoundFetchRequest,
        _ request: FetchRequest<Object>
    ) throws -> [Object] {
        let pending = request.includesPendingChanges ? pendingObjects(of: bound) : []
        if pending.isEmpty {
            if !request.shouldRefreshRefetchedObjects {
                if !request.includesPropertyValues { return try fetchFaults(of: bound, batchSize: nil) }
                if request.returnsObjectsAsFaults { return try fetchFaults(of: bound, batchSize: .max) }
                if request.fetchBatchSize > 0 { return try fetchFaults(of: bound, batchSize: request.fetchBatchSize) }
            }
            return try fetchRows(of: bound, limit: bound.limit, offset: bound.offset, request.prepared)
        }
        // What depends on other objects the store does not know: an object may meet the condition by a change of
        // another one.
        var candidates = bound
        if let predicate = bound.predicate, predicate.crossesRelationships {
            candidates.predicate = .and(predicate.conjuncts.filter { !$0.crossesRelationships })
        }
        // A limit counts what is left after the overlay, which takes away as many as have unsaved changes.
        let isLimited =
            (1..<Int(Int32.max)).contains(bound.limit) && bound.offset < Int32.max && !bound.crossesRelationships
        let limit = isLimited ? bound.limit + bound.offset + pending.count : 0
        let stored: [Object] = try fetchRows(of: candidates, limit: limit, offset: 0)
        return try overlay(pending, on: stored, bound)
    }

    /// Returns the object IDs of the objects that match a request, in the order of its sort keys (rule Q15 of
    /// <doc:Core-Data-Rules>).
    ///
    /// Objects are created only if unsaved changes could affect the result. Reads the store.
    /// - Returns: The object IDs; empty when no object matches.
    /// - Throws: Any error that ``fetch(_:)-(FetchRequest<Object>)`` throws.
    public func fetch<Object: ManagedObject>(_ request: ObjectIDFetchRequest<Object>) throws -> [ManagedObjectID] {
        let access = beginAccess()
        defer { access.end() }
        processChanges()
        let bound = try request.request.bound(in: schema)
        if request.request.includesPendingChanges, !pendingObjects(of: bound).isEmpty {
            return try fetch(request.request).map(\.objectID)
        }
        return try fetchIdentities(of: bound).map { ManagedObjectID(entityType: $0.type, key: $0.key) }
    }

    /// Returns the first object that matches a request, in the order of its sort keys.
    ///
    /// Reads one row from the store, or more if unsaved changes could affect the result or a part of the predicate is
    /// evaluated in memory.
    ///
    /// - Parameter request: The request; its ``FetchRequest/fetchLimit`` is ignored.
    /// - Returns: The object; `nil` when no object matches.
    /// - Throws: Any error that ``fetch(_:)-(FetchRequest<Object>)`` throws.
    public func fetchOne<Object: ManagedObject>(_ request: FetchRequest<Object>) throws -> Object? {
        try fetch(request.limit(1)).first
    }

    /// Returns a Boolean value that indicates whether an object matches a request.
    ///
    /// Reads one row from the store, or more if unsaved changes could affect the result or a part of the predicate is
    /// evaluated in memory.
    ///
    /// - Parameter request: The request; its ``FetchRequest/fetchLimit`` and sort keys are ignored.
    /// - Returns: `true` if at least one object matches; otherwise, `false`.
    /// - Throws: Any error that ``fetch(_:)-(FetchRequest<Object>)`` throws.
    public func exists<Object: ManagedObject>(_ request: FetchRequest<Object>) throws -> Bool {
        var request = request.limit(1)
        request.sortKeys = []
        return try count(for: request) > 0
    }

    /// Returns the number of objects that match a request.
    ///
    /// The number includes unsaved changes (rule Q16 of <doc:Core-Data-Rules>), unless the request excludes them. Reads
    /// the store.
    /// - Parameter request: The request; its limit and offset are applied.
    /// - Returns: The number of objects that ``fetch(_:)-(FetchRequest<Object>)`` would return.
    /// - Throws: Any error that ``fetch(_:)-(FetchRequest<Object>)`` throws.
    public func count<Object: ManagedObject>(for request: FetchRequest<Object>) throws -> Int {
        processChanges()
        let bound = try request.bound(in: schema)
        if request.includesPendingChanges, !pendingObjects(of: bound).isEmpty { return try fetch(request).count }
        let fragment = renderCount(
            try storePredicate(of: bound),
            limit: bound.limit,
            offset: bound.offset,
            entityName: bound.type.entity.name,
            in: schema.mapping,
            includesSubentities: bound.includesSubentities
        )
        return try reader.readStore { connection in
            let statement = try connection.statement(fragment.sql)
            defer { statement.reset() }
            statement.bind(fragment.bindings)
            return try statement.step() ? Int(statement.integer(at: 0)) : 0
        }
    }

    // MARK: Unsaved changes

    /// The objects with unsaved changes that could matter to a request, in the order of their first change.
    func pendingObjects(of bound: BoundFetchRequest) -> [ManagedObject] {
        guard !graph.changedObjects.isEmpty else { return [] }
        // A related object may decide whether one matches, and where it sorts.
        let names = Set(bound.dependencies.map(\.entityName))
        return graph.changedObjects.filter { object in
            bound.includes(object.entityType, in: schema.model)
                || names.contains { schema.model.entity(object.entityType.entity.name, isKindOf: $0) }
        }
    }

    private func overlay<Object: ManagedObject>(
        _ pending: [ManagedObject],
        on stored: [Object],
        _ bound: BoundFetchRequest
    ) throws -> [Object] {
        let matches = evaluator(of: bound, memo: EvaluationMemo())
        var result: [Object]
        if bound.crossesRelationships {
            var seen = Set(stored.map { ObjectIdentifier($0) })
            var candidates = stored
            for object in pending where bound.includes(object.entityType, in: schema.model) {
                if seen.insert(ObjectIdentifier(object)).inserted {
                    candidates.append(unsafeDowncast(object, to: Object.self))
                }
            }
            result = []
            candidates.removeAll { $0.state == .deleted || $0.state == .detached }
            // One statement for each relationship, and not one for each object.
            try prefetch(bound.crossedPaths, of: candidates, areAll: false)
            for object in candidates {
                if try matches(object) { result.append(object) }
            }
        } else {
            let dirty = Set(pending.map { ObjectIdentifier($0) })
            result = stored.filter { !dirty.contains(ObjectIdentifier($0)) }
            for object in pending where object.state != .deleted {
                if try matches(object) { result.append(unsafeDowncast(object, to: Object.self)) }
            }
        }
        let precedes = areInOrder(bound.sortTerms)
        result.sort(by: precedes)
        if bound.offset > 0 { result.removeFirst(min(bound.offset, result.count)) }
        if bound.limit > 0, result.count > bound.limit { result.removeLast(result.count - bound.limit) }
        return result
    }

    // MARK: Conditions that the store cannot answer

    /// The condition that the store is asked: where SQL has no words for a part of it, the objects that meet the part.
    ///
    /// A context without changes looks for these, so that the answer is about what is saved.
    func storePredicate(of bound: BoundFetchRequest) throws -> BoundPredicate? {
        guard let predicate = bound.predicate, !predicate.isRenderable else { return bound.predicate }
        var stored = bound
        stored.sortTerms = []
        stored.predicate = predicate.renderablePart
        let matches = makeEvaluator(
            .and(predicate.conjuncts.filter { !$0.isRenderable }),
            access: ManagedObjectAccess(schema: schema),
            memo: EvaluationMemo()
        )
        let scratch = ManagedObjectContext(for: self, readsThrough: true)
        scratch.reader.toleratesUnreadableValues = reader.toleratesUnreadableValues
        let candidates: [ManagedObject] = try scratch.fetchRows(of: stored, limit: 0, offset: 0)
        var keys: [PredicateValue] = []
        for object in candidates where try matches(object) { keys.append(object.objectID.predicateArgumentValue.value) }
        return .isObject(of: bound.type.entity.name, among: keys)
    }

    // MARK: Rows

    /// Runs a request on the store and makes or finds the objects of its rows.
    /// - Parameter prepared: What keeps the statement of a request that is read as a whole.
    private func fetchRows<Object: ManagedObject>(
        of bound: BoundFetchRequest,
        limit: Int,
        offset: Int,
        _ prepared: PreparedRequest? = nil
    ) throws -> [Object] {
        let projection = schema.projection(of: bound.type)
        // Rows of a parent come by another statement.
        let prepared = reader.readsParentOverlay ? nil : prepared
        let fragment: SQLFragment
        if let known = prepared?.fragment(for: bound.type) {
            fragment = known
        } else {
            fragment = renderFetch(
                columns: projection.selectList,
                try storePredicate(of: bound),
                sortedBy: bound.sortTerms,
                limit: limit,
                offset: offset,
                entityName: bound.type.entity.name,
                in: schema.mapping,
                includesSubentities: bound.includesSubentities,
                // Without an order a view gives its rows in none.
                calling: projection.canBeCalled && !reader.readsParentOverlay ? RowCallbackAggregate.functionName : nil
            )
            if let prepared, bound.predicate?.isRenderable != false { prepared.keep(fragment, for: bound.type) }
        }
        return try reader.readRows { connection in
            let statement = try connection.statement(fragment.sql)
            defer { statement.reset() }
            statement.bind(fragment.bindings)
            var objects: [ManagedObject] = []
            if projection.entityColumn == nil, graph.knowsNone(rootIndex: bound.type.rootIndex) {
                let member = projection.concrete[0]
                defer { graph.register(objects, rootIndex: bound.type.rootIndex) }
                try connection.forEachRow(of: statement) {
                    objects.append(try reader.makeObject(statement, member))
                }
            } else {
                try connection.forEachRow(of: statement) {
                    objects.append(try reader.materialize(statement, projection))
                }
            }
            // All are of the class of the request's entity; a cast of each would look up generic metadata for each.
            return unsafeBitCast(objects, to: [Object].self)
        }
    }

    /// Returns the object with an object ID and reads its row if necessary (rule N9 of <doc:Core-Data-Rules>).
    ///
    /// The store is not read if the object is registered in the context and is not a fault.
    /// - Parameter objectID: An object ID of the context's store. An ID of another store traps.
    /// - Returns: The object, which is not a fault.
    /// - Throws: ``MissingObjectError`` when the object has no row, ``UnreadableValueError`` when the row has a value
    ///   of another type than its attribute, ``StoreError`` when the store cannot be read.
    public func existingObject(with objectID: ManagedObjectID) throws -> ManagedObject {
        graph.sweepIfDue()
        return try reader.existingObject(forKey: objectID.permanentKey, type: reader.entityType(of: objectID))
    }
}
