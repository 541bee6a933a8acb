internal import ChordataModel
internal import ChordataPredicate
internal import ChordataSQL

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Fetches the rows of a list, with the values that they are sorted and sectioned by.
struct ResultsFetch {
    let bound: BoundFetchRequest
    let order: ResultsOrder
    let sectionKey: ResultsSectionKey?
    /// `nil` where rows hold their objects.
    let loader: ObjectBatchLoader?
    private let context: ManagedObjectContext
    private let fetchObjects: (_ isSorted: Bool) throws -> [ManagedObject]
    private let fetchIDs: () throws -> [ManagedObjectID]
    /// Returns the object IDs of the rows that match, in no order; for a list with a limit, only those among `kept`.
    private let fetchMatchingIDs: (_ kept: [ManagedObjectID]) throws -> [ManagedObjectID]
    /// The to-one relationships of the sort keys and sections, each read with one statement.
    private let paths: [[String]]
    /// The number of objects that exist together while the list makes rows without objects.
    private static let fetchedAtOnce = 1_000

    init<Object: ManagedObject>(
        _ request: FetchRequest<Object>,
        in context: ManagedObjectContext,
        sectionKey: ResultsSectionKey?,
        keepsIdentities: Bool
    ) throws {
        var request = request
        request.includesPendingChanges = true
        bound = try BoundFetchRequest(request, in: context.schema)
        order = ResultsOrder(terms: bound.sortTerms, in: context.schema)
        paths = Set(
            bound.sortTerms.map { $0.keyPath.relationships.map(\.name) } + [sectionKey?.relationshipNames ?? []]
        ).filter { !$0.isEmpty }.ordered { $0.count < $1.count }
        loader =
            keepsIdentities && request.fetchBatchSize > 0
            ? ObjectBatchLoader(batchSize: request.fetchBatchSize, in: context) : nil
        self.sectionKey = sectionKey
        self.context = context
        var unsorted = request
        unsorted.sortKeys = []
        fetchObjects = { [request, unsorted] isSorted in try context.fetch(isSorted ? request : unsorted) }
        fetchIDs = { [request] in try context.fetch(request.objectIDs) }
        let isLimited = bound.limit > 0 || bound.offset > 0
        var unlimited = unsorted
        (unlimited.fetchLimit, unlimited.fetchOffset) = (0, 0)
        fetchMatchingIDs = { [unlimited] kept in
            let request = isLimited ? unlimited.where(try FetchPredicate(format: "SELF IN %@", kept)) : unlimited
            return try context.fetch(request.objectIDs)
        }
    }

    /// The rows in their order, all of one state of the store.
    func entries() throws -> [ResultsEntry] {
        try context.performAndWait {
            let knewNothing = context.graph.knowsNone
            return inOrder(try fetchEntries(), areAsStored: knewNothing)
        }
    }

    /// Rows in their order, which the store has put in that of what it has.
    /// - Parameter areAsStored: Whether no object that they were made of can be older than the store; the list shows
    ///   objects as they are.
    private func inOrder(_ entries: [ResultsEntry], areAsStored: Bool) -> [ResultsEntry] {
        func areInOrder(_ left: ResultsEntry, _ right: ResultsEntry) -> Bool { order.areInOrder(left.row, right.row) }
        let areSorted = areAsStored || zip(entries, entries.dropFirst()).allSatisfy(areInOrder)
        return areSorted ? entries : entries.sorted(by: areInOrder)
    }

    /// The rows in the order of what the store has.
    private func fetchEntries() throws -> [ResultsEntry] {
        if loader != nil { return try entries(of: fetchIDs()) }
        let objects = try fetchObjects(true)
        try context.fetcher.prefetch(paths, of: objects, areAll: false)
        return entries(of: objects)
    }

    /// The row of an object as it is now.
    func entry(of object: ManagedObject) -> ResultsEntry {
        var last: ResultsSectionKey.Last?
        return entry(of: object, sectionName: sectionKey?.name(of: object, &last) ?? .empty)
    }

    /// The rows of some objects, which are made and released in parts if the rows do not hold their objects.
    private func entries(of ids: [ManagedObjectID]) throws -> [ResultsEntry] {
        var entries: [ResultsEntry] = []
        entries.reserveCapacity(ids.count)
        try forEachPart(of: ids) { objects in entries += self.entries(of: objects) }
        return entries
    }

    private func forEachPart(of ids: [ManagedObjectID], _ body: ([ManagedObject]) throws -> Void) throws {
        let size = loader == nil ? ids.count : Self.fetchedAtOnce
        for start in stride(from: 0, to: ids.count, by: max(size, 1)) {
            let ids = ids[start..<min(start + size, ids.count)]
            try {
                let objects = try context.fetcher.readObjects(with: Array(ids))
                try context.fetcher.prefetch(paths, of: objects, areAll: false)
                try body(objects)
            }()
            guard loader != nil else { continue }
            context.graph.releaseObjects(
                of: ids.map { IdentityMap.Key(rootIndex: $0.runtimeEntity.rootIndex, key: $0.key) }
            )
            context.graph.sweepIfDue()
        }
    }

    private func entries(of objects: [ManagedObject]) -> [ResultsEntry] {
        var last: ResultsSectionKey.Last?
        return objects.map { entry(of: $0, sectionName: sectionKey?.name(of: $0, &last) ?? .empty) }
    }

    private func entry(of object: ManagedObject, sectionName: SectionName) -> ResultsEntry {
        let row = ResultsRow(key: object.key, object: object, sortValues: order.values(of: object), loader: loader)
        return ResultsEntry(row: row, sectionName: sectionName)
    }

    // MARK: The section cache

    /// The rows in their order; those that were kept under a name are neither sorted nor sectioned again (F42).
    ///
    /// Nothing is kept of stores in memory, of unsaved changes, and of what is not all in the store.
    func entries(cachedAs name: String?) throws -> [ResultsEntry] {
        guard let name, let shape = try shape() else { return try entries() }
        return try context.performAndWait {
            guard let contents = try contentsName() else { return try entries() }
            let cache = SectionCache(named: name, of: context.store, contents: contents, shape: shape) { type in
                bound.includes(type, in: context.schema.model)
            }
            if let layout = cache.read(), let entries = try entries(in: layout), try isNamed(contents) {
                return entries
            }
            let knewNothing = context.graph.knowsNone
            let entries = try fetchEntries()
            if let layout = try layout(of: entries, areAsStored: knewNothing), try isNamed(contents) {
                cache.write(layout)
            }
            return inOrder(entries, areAsStored: knewNothing)
        }
    }

    /// The dependencies of rows and sections beside the store; `nil` when they are unknown, or not all in the store.
    private func shape() throws -> [SQLValue]? {
        guard context.store.engine.hasSectionCaches, !context.reader.readsParentOverlay, !bound.isTimeDependent,
            context.fetcher.isRenderable(bound), sectionKey?.isStored != false,
            !context.hasChanges
        else { return nil }
        let fragment = try context.fetcher.identityFragment(of: bound)
        // A localized order depends on the locale.
        let isLocalized = bound.sortTerms.contains { $0.comparison.isLocalized }
        return [
            .text(fragment.sql), .blob(SQLValueList.encode(fragment.bindings.map(SQLValue.init))),
            .text(sectionKey.map { "sections: \($0.text)" } ?? "no sections"),
            .text(isLocalized ? Locale.current.identifier : "no locale"),
        ]
    }

    /// The name of the store's state that the context reads; it is set if it is missing and no other writer is active.
    private func contentsName() throws -> String? {
        if let name = try readContentsName() { return name }
        guard !context.store.isReadOnly else { return nil }
        do {
            try context.store.engine.nameContents()
        } catch {
            return nil  // The store is full, or locked by another process.
        }
        context.reader.endReading()
        return try readContentsName()
    }

    /// The name of the state; `nil` if it has none.
    private func readContentsName() throws -> String? {
        try context.reader.readStore { try context.store.engine.contentsName($0) }
    }

    /// Returns a Boolean value that indicates whether the context still reads what it did, which hooks that save may
    /// have changed.
    private func isNamed(_ contents: String) throws -> Bool {
        try readContentsName() == contents
    }

    /// The rows that were kept; `nil` when they do not fit what is there, which a program may have changed by other
    /// means.
    private func entries(in layout: SectionCache.Layout) throws -> [ResultsEntry]? {
        // Registered objects may be older than the store, and the list shows them as they are.
        let knewNothing = context.graph.knowsNone
        // One scan costs less than looking for each row.
        let isWhole = loader == nil && bound.predicate == nil && bound.limit == 0 && bound.offset == 0
        let held = isWhole ? try fetchObjects(false) : []
        let isComplete =
            try isWhole
            ? held.count == layout.ids.count : Set(fetchMatchingIDs(layout.ids)) == Set(layout.ids)
        guard isComplete else { return nil }
        var entries: [ResultsEntry] = []
        entries.reserveCapacity(layout.ids.count)
        var sections = layout.sections[...]
        var fits = true
        try forEachPart(of: layout.ids) { objects in
            for object in objects where fits {
                object.readRowOfFault()
                if sections.first?.count == 0 { sections.removeFirst() }
                guard !object.isWithoutRow, let section = sections.first else {
                    fits = false
                    return
                }
                let name = SectionName(section.name)
                let entry = knewNothing ? entry(of: object, sectionName: name) : entry(of: object)
                fits =
                    entry.sectionName == name
                    && entries.last.map { order.areInOrder($0.row, entry.row) } ?? true
                entries.append(entry)
                sections[sections.startIndex].count -= 1
            }
        }
        return withExtendedLifetime(held) { fits ? entries : nil }
    }

    /// The cached data of rows; `nil` when the stored rows have no consecutive sections.
    /// - Parameter areAsStored: Whether no object that they were made of can be older than the store.
    private func layout(of entries: [ResultsEntry], areAsStored: Bool) throws -> SectionCache.Layout? {
        var names = entries.map(\.sectionName)
        let ids = entries.map(\.row.objectID)
        if let sectionKey, !areAsStored {
            names = []
            let scratch = ManagedObjectContext(for: context.merger, readsThrough: true)
            var last: ResultsSectionKey.Last?
            for start in stride(from: 0, to: ids.count, by: Self.fetchedAtOnce) {
                let objects = try scratch.fetcher.readObjects(
                    with: Array(ids[start..<min(start + Self.fetchedAtOnce, ids.count)])
                )
                try scratch.fetcher.prefetch(paths, of: objects, areAll: false)
                names += objects.map { sectionKey.name(of: $0, &last) }
            }
        }
        var layout = SectionCache.Layout(ids: ids)
        for name in names {
            if layout.sections.last.map({ SectionName($0.name) }) == name {
                layout.sections[layout.sections.count - 1].count += 1
            } else {
                layout.sections.append(SectionCache.Layout.Section(name: name.text, count: 1))
            }
        }
        return Set(layout.sections.map { SectionName($0.name) }).count == layout.sections.count ? layout : nil
    }
}
