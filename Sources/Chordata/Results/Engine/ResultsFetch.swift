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
    /// The loader of objects; `nil` if rows hold their objects.
    let loader: ObjectBatchLoader?
    private let context: ManagedObjectContext
    private let fetchObjects: (_ isSorted: Bool) throws -> [ManagedObject]
    private let fetchIDs: () throws -> [ManagedObjectID]
    /// A closure that returns the object IDs of the matching rows, unordered; for a limited list, only IDs in `kept`.
    private let fetchMatchingIDs: (_ kept: [ManagedObjectID]) throws -> [ManagedObjectID]
    /// The to-one relationships of the sort keys and sections, each read with one statement.
    private let paths: [[String]]
    /// The maximum number of objects that exist at the same time while rows without objects are created.
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

    /// Returns the rows in order, all from one state of the store.
    func entries() throws -> [ResultsEntry] {
        try context.performAndWait {
            let knewNothing = context.graph.knowsNone
            return inOrder(try fetchEntries(), areAsStored: knewNothing)
        }
    }

    /// Returns rows in order, after the store has sorted them by the stored values.
    /// - Parameter areAsStored: `true` if no object from which the rows were created can be older than the store.
    ///   Otherwise the rows may have another order, because the list shows objects with their values in memory.
    private func inOrder(_ entries: [ResultsEntry], areAsStored: Bool) -> [ResultsEntry] {
        func areInOrder(_ left: ResultsEntry, _ right: ResultsEntry) -> Bool { order.areInOrder(left.row, right.row) }
        let areSorted = areAsStored || zip(entries, entries.dropFirst()).allSatisfy(areInOrder)
        return areSorted ? entries : entries.sorted(by: areInOrder)
    }

    /// Fetches the rows in the order of the stored values.
    private func fetchEntries() throws -> [ResultsEntry] {
        if loader != nil { return try entries(of: fetchIDs()) }
        let objects = try fetchObjects(true)
        try context.fetcher.prefetch(paths, of: objects, areAll: false)
        return entries(of: objects)
    }

    /// Returns the row of an object with its current values.
    func entry(of object: ManagedObject) -> ResultsEntry {
        var last: ResultsSectionKey.Last?
        return entry(of: object, sectionName: sectionKey?.name(of: object, &last) ?? .empty)
    }

    /// Returns the rows of some objects, which are created and released in parts if the rows do not hold their objects.
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

    /// Returns the rows in order; rows that were cached under a name are neither sorted nor divided into sections again
    /// (F42).
    ///
    /// Nothing is cached for a store in memory, if there are unsaved changes, or if not all of the result is in the
    /// store.
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

    /// Returns the data other than the store on which the rows and sections depend; `nil` if the data are unknown, or
    /// if not all of the result is in the store.
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

    /// Returns the name of the store's state that the context reads; sets it if it is missing and no other writer is
    /// active.
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

    /// Reads the name of the state; returns `nil` if the state has no name.
    private func readContentsName() throws -> String? {
        try context.reader.readStore { try context.store.engine.contentsName($0) }
    }

    /// Returns a Boolean value that indicates whether the context still reads the same state of the store; hooks that
    /// save may have changed it.
    private func isNamed(_ contents: String) throws -> Bool {
        try readContentsName() == contents
    }

    /// Returns the cached rows; `nil` if they do not match the contents of the store, which a program may have changed
    /// by other means.
    private func entries(in layout: SectionCache.Layout) throws -> [ResultsEntry]? {
        // Registered objects may be older than the store, and the list shows them as they are.
        let knewNothing = context.graph.knowsNone
        // One scan is faster than a search for each row.
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

    /// Returns the data of rows for the cache; `nil` if the stored rows have no consecutive sections.
    /// - Parameter areAsStored: `true` if no object from which the rows were created can be older than the store.
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
