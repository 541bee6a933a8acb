internal import ChordataModel
internal import ChordataPredicate
internal import ChordataSQL

/// The engine of all results controllers, which updates the results of a controller event by event.
///
/// For each event, the changed objects and the objects that depend on them are evaluated. The store is fetched again
/// only if the result is unknown: when a limited list has room for rows that were never read, when the list has an
/// offset, when a condition depends on other objects without a known inverse path, and after events that were not
/// observed.
///
/// Unsaved changes are included (F35), whatever the request specifies.
final class ResultsEngine {
    let list: ResultsList
    private let context: ManagedObjectContext
    private let fetch: ResultsFetch
    private let dependencies: ResultsDependencies
    private let matches: (ManagedObject) throws(FetchPredicateError) -> Bool
    /// The results that the evaluations of objects share during one event.
    private let memo = EvaluationMemo()
    /// The keys of rows whose objects have become the objects of other rows of the list since the last event.
    private var replacedKeys: Set<Int64> = []

    /// Creates an engine and fetches the objects.
    /// - Parameters:
    ///   - keepsIdentities: `true` if rows do not hold objects when the request has a batch size.
    ///   - cacheName: The name under which the order and the sections are cached; `nil` without a cache.
    /// - Throws: ``FetchError`` when the rows of a section are not consecutive, and errors of the fetch.
    init<Object: ManagedObject>(
        _ request: FetchRequest<Object>,
        in context: ManagedObjectContext,
        sectionKey: ResultsSectionKey?,
        keepsIdentities: Bool = false,
        cacheName: String? = nil
    ) throws {
        self.context = context
        fetch = try ResultsFetch(request, in: context, sectionKey: sectionKey, keepsIdentities: keepsIdentities)
        let entries = try fetch.entries(cachedAs: cacheName)
        dependencies = ResultsDependencies(fetch.bound.dependencies.union(sectionKey?.dependencies ?? []))
        matches = context.fetcher.evaluator(of: fetch.bound, memo: memo)
        do {
            list = try ResultsList(entries, order: fetch.order, isSectioned: sectionKey != nil)
        } catch {
            throw fetch.bound.error(error, sectionKey)
        }
    }

    private var bound: BoundFetchRequest { fetch.bound }

    /// A Boolean value that indicates whether rows do not hold objects.
    var keepsIdentities: Bool { fetch.loader != nil }

    /// Updates the list with an event of the context.
    ///
    /// After an error, the list is unchanged and has missed the event.
    /// - Parameter hasMissedEvents: `true` if the list missed earlier events.
    func follow(_ change: ContextChange, afterMissedEvents hasMissedEvents: Bool) throws -> ResultsChanges {
        let (touched, rekeyed, isKnown) = try dependencies.objects(touchedBy: change, in: context) { isWanted($0) }
        let owners = Set(change.keys.owners.lazy.filter(isWanted)).subtracting(touched)

        memo.removeAll()
        defer { memo.removeAll() }
        var removed = keys(of: change).union(replacedKeys.filter { list[$0] != nil })
        var entries: [ResultsEntry] = []
        for object in [touched, owners].joined() {
            object.readRowOfFault()
            if object.state != .deleted, object.state != .detached, !object.isWithoutRow, try matches(object) {
                entries.append(fetch.entry(of: object))
            } else if list[object.key]?.isOf(object) == true {
                removed.insert(object.key)
            }
        }
        // A row that belongs to another object now is not removed.
        for entry in entries { removed.remove(entry.row.key) }
        let isUnknown = !isKnown || hasMissedEvents || bound.offset > 0 && mayShiftOffset(by: change, touched)
        if isUnknown || mayHaveVacancy(entries, removed) {
            let fetched = try fetch.entries()
            let touchedKeys = Set(touched.map(\.key))
            entries = fetched.filter { entry in
                // The row may belong to another object now.
                !list.isInPlace(entry) || list[entry.row.key]?.isOfObject(of: entry.row) == false
                    || touchedKeys.contains(entry.row.key)
            }
            let keys = Set(fetched.map(\.row.key))
            removed = []
            list.forEach { if !keys.contains($0.key) { removed.insert($0.key) } }
        }
        do {
            var changes = try list.apply(
                entries,
                removing: Array(removed),
                limit: bound.limit,
                suppressingUpdatesOf: Set(owners.map(\.key))
            )
            changes.rekeyed = Set(rekeyed.map(\.key))
            replacedKeys = []
            return changes
        } catch {
            throw bound.error(error, fetch.sectionKey)
        }
    }

    /// Updates the list after the key of an object has changed.
    func changeKey(_ old: Int64, of object: ManagedObject) {
        guard list[old]?.isOf(object, knownAs: old) == true else { return }
        if list[object.key] == nil { list.changeKey(old, to: object.key) } else { replacedKeys.insert(old) }
    }

    private func isWanted(_ object: ManagedObject) -> Bool { isWanted(object.runtimeEntity) }
    private func isWanted(_ type: RuntimeEntity) -> Bool { bound.includes(type, in: context.schema.model) }

    /// Returns the keys of the rows whose objects were deleted.
    private func keys(of change: ContextChange) -> Set<Int64> {
        var keys: Set<Int64> = []
        for object in change.deleted {
            let key = change.keys.replaced[object] ?? object.key
            if let row = list[key], row.isOf(object) || keepsIdentities && isWanted(object) { keys.insert(key) }
        }
        // These rows have no registered object.
        for (index, deleted) in change.unseen.deleted
        where keepsIdentities && isWanted(context.schema.runtimeEntities[index]) {
            for key in deleted where list[key] != nil { keys.insert(key) }
        }
        return keys
    }

    /// Returns a Boolean value that indicates whether an event may affect rows before the beginning of the list.
    private func mayShiftOffset(by change: ContextChange, _ touched: Set<ManagedObject>) -> Bool {
        !touched.isEmpty || change.deleted.contains(where: isWanted)
            || change.keys.owners.contains(where: isWanted)
            || change.unseen.deleted.keys.contains { isWanted(context.schema.runtimeEntities[$0]) }
    }

    /// Returns a Boolean value that indicates whether a limited list may have room for rows that it does not contain,
    /// which come after its last row.
    private func mayHaveVacancy(_ entries: [ResultsEntry], _ removed: Set<Int64>) -> Bool {
        guard bound.limit > 0, list.count == bound.limit, let last = list.last else { return false }
        let known = entries.count { list[$0.row.key] != nil }
        let within = entries.count { !fetch.order.areInOrder(last, $0.row) }
        return list.count - removed.count - known + within < bound.limit
    }
}

extension BoundFetchRequest {
    fileprivate func error(_ error: ResultsList.RecurringSection, _ sectionKey: ResultsSectionKey?) -> FetchError {
        .outOfOrderSection(
            name: error.name.text,
            sectionKeyPath: sectionKey?.text ?? "",
            sortKeyPath: sortTerms.first?.keyPath.keyPath ?? ""
        )
    }
}
