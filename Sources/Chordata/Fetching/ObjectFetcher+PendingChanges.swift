internal import ChordataModel
internal import ChordataPredicate
internal import ChordataSQL

// Requests whose results depend on unsaved changes, or on conditions that the store cannot evaluate.

extension ObjectFetcher {
    /// Returns the objects with unsaved changes that could affect a request, in the order of their first change.
    func pendingObjects(of bound: BoundFetchRequest) -> [ManagedObject] {
        guard !graph.changedObjects.isEmpty else { return [] }
        // A related object can determine whether an object matches, and how it is sorted.
        let names = Set(bound.dependencies.map(\.entityName))
        return graph.changedObjects.filter { object in
            bound.includes(object.runtimeEntity, in: schema.model)
                || names.contains { schema.model.entity(object.runtimeEntity.entity.name, isKindOf: $0) }
        }
    }

    func overlay<Object: ManagedObject>(
        _ pending: [ManagedObject],
        on stored: [Object],
        _ bound: BoundFetchRequest
    ) throws -> [Object] {
        let matches = evaluator(of: bound, memo: EvaluationMemo())
        var result: [Object]
        if bound.crossesRelationships {
            var seen = Set(stored.map { ObjectIdentifier($0) })
            var candidates = stored
            for object in pending where bound.includes(object.runtimeEntity, in: schema.model) {
                if seen.insert(ObjectIdentifier(object)).inserted {
                    candidates.append(unsafeDowncast(object, to: Object.self))
                }
            }
            result = []
            candidates.removeAll { $0.state == .deleted || $0.state == .detached }
            // Prefetching needs one statement for each relationship, not one for each object.
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

    // MARK: Conditions that the store cannot evaluate

    /// Returns the condition that the store evaluates: the condition of the request or, if SQL cannot express a part of
    /// it, the condition that an object is one of the objects that match it.
    ///
    /// These objects are found in a context without unsaved changes, because the condition applies to the saved state.
    func storePredicate(of bound: BoundFetchRequest) throws -> BoundPredicate? {
        // A full-text index contains the rows of the store, but not the unsaved changes of a parent.
        let predicate = reader.readsParentOverlay ? bound.predicate?.withoutFullTextIndex : bound.predicate
        guard let predicate, !schema.dialect.isRenderable(predicate) else { return predicate }
        var stored = bound
        stored.sortTerms = []
        stored.predicate = predicate.renderablePart(by: schema.dialect)
        let matches = makeEvaluator(
            .and(predicate.conjuncts.filter { !schema.dialect.isRenderable($0) }),
            access: ManagedObjectAccess(schema: schema),
            memo: EvaluationMemo()
        )
        let scratch = makePrivateFetcher()
        let keys = try scratch.fetcher.reader.withUnreadableValues(tolerated: reader.toleratesUnreadableValues) {
            let candidates: [ManagedObject] = try scratch.fetcher.fetchRows(of: stored, limit: 0, offset: 0)
            return try candidates.filter(matches).map(\.objectID.predicateArgumentValue.value)
        }
        withExtendedLifetime(scratch.context) {}
        return .isObject(of: bound.type.entity.name, among: keys)
    }

    // MARK: In memory

    /// Returns the evaluator of a request's predicate in memory.
    /// - Parameter memo: The cached results that objects share; the caller removes them before objects change.
    func evaluator(
        of bound: BoundFetchRequest,
        memo: EvaluationMemo
    ) -> (ManagedObject) throws(FetchPredicateError) -> Bool {
        guard let predicate = bound.predicate else { return { _ in true } }
        return makeEvaluator(predicate, access: ManagedObjectAccess(schema: schema), memo: memo)
    }

    /// Returns a Boolean value that indicates whether an object comes before another; objects that are otherwise equal
    /// are in the order of their keys.
    func areInOrder(_ terms: [SortTerm]) -> (ManagedObject, ManagedObject) -> Bool {
        { left, right in
            for term in terms {
                let order = comparePredicateValues(
                    predicateValue(of: left, at: term.keyPath),
                    predicateValue(of: right, at: term.keyPath),
                    by: term.comparison
                )
                if order != 0 { return (order < 0) == term.ascending }
            }
            return left.key < right.key
        }
    }
}
