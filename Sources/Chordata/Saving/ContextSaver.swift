internal import ChordataModel
internal import ChordataSQL
internal import OrderedCollections

/// Saves the changes of a context: to the store, or to the parent context.
final class ContextSaver {
    let executor: ContextExecutor
    let notifier: ContextNotifier
    let graph: ObjectGraph
    let reader: RowReader
    let editor: ObjectEditor
    let merger: ChangeMerger
    let processor: EventProcessor
    let fetcher: ObjectFetcher
    /// The saver of the parent context; `nil` for a context without a parent.
    var parent: ContextSaver?
    var mergePolicy = MergePolicy.error
    /// A Boolean value that indicates whether the context belongs to a write whose closure has not returned.
    private(set) var isInWrite = false
    /// The name of the context, by which other code identifies its saves.
    var contextName: String?
    /// The name to which the persistent history attributes the saves.
    var transactionAuthor: String?
    var origin: SaveOrigin { SaveOrigin(author: transactionAuthor, contextName: contextName) }

    init(_ fetcher: ObjectFetcher) {
        processor = fetcher.processor
        executor = processor.executor
        notifier = processor.notifier
        graph = processor.graph
        reader = processor.reader
        editor = processor.editor
        merger = processor.merger
        self.fetcher = fetcher
    }

    /// Begins a write, during whose closure the context cannot be saved.
    func beginWrite() { isInWrite = true }

    func endWrite() { isInWrite = false }

    var schema: StoreSchema { graph.schema }
    var store: PersistentStore { reader.store }

    /// Writes all unsaved changes in one transaction; see `ManagedObjectContext.save()`.
    func save() throws { try reporting { try save($0) } }

    private func save(_ report: SaveReport?) throws {
        let access = executor.beginAccess()
        defer { access.end() }
        if isInWrite { throw WriteError(.saveInWrite) }
        guard !editor.isSaving, notifier.nestedSaveCount < RecursiveSaveError.limit else {
            throw RecursiveSaveError()
        }
        try processor.flushPendingChanges()
        guard !graph.changedObjects.isEmpty else { return }
        // Changes may depend on values that could not be read.
        if let error = reader.error { throw error }
        let undoManager = editor.undoManager
        undoManager?.beginSave()
        defer { undoManager?.endSave() }
        let saved = try withSaveNotifications(report) {
            try postWillSave()
            try callWillSave()
            return try validateAndWrite()
        } finish: { effects in
            // From here on nothing throws: the store and the context agree.
            finishSave(effects)
        }
        processor.processPendingChanges()
        graph.releaseObjects(of: saved)
    }

    /// Saves when the store is available to the context; the task waits without blocking a thread.
    nonisolated(nonsending) func saveWhenAvailable() async throws {
        // A parent is always available.
        guard parent == nil, !graph.changedObjects.isEmpty else { return try save() }
        let store = store
        let outcome = SaveOutcomeReporter(store, graph, contextName: contextName)
        var hasBegun = false
        do {
            try await store.engine.whenAvailable {
                hasBegun = true
                outcome.report?.endWaiting()
                try save(outcome.report)
            }
        } catch {
            if !hasBegun { outcome.report?.endWaiting() }
            outcome.didFail(error)
            throw error
        }
        outcome.didSave()
    }

    /// Runs a save, counts it if it fails, and reports it to the save logger.
    /// - Parameter save: A closure that runs the save; its argument is the report, or `nil` if there is no logger.
    func reporting<Result>(_ save: (SaveReport?) throws -> Result) throws -> Result {
        // A save to a parent writes nothing to the store.
        guard parent == nil, let store = reader.boundStore else { return try save(nil) }
        let outcome = SaveOutcomeReporter(store, graph, contextName: contextName)
        let result: Result
        do {
            result = try save(outcome.report)
        } catch {
            outcome.didFail(error)
            throw error
        }
        outcome.didSave()
        return result
    }

    /// Writes all changes if they are valid.
    func validateAndWrite() throws -> SaveEffects {
        try validateChanges()
        if let parent {
            try push(to: parent)
            return SaveEffects()
        }
        try deriveAttributes()
        try assignPermanentKeys()
        return try writeResolvingConflicts()
    }

    /// Assigns permanent row keys to inserted objects that have provisional ones.
    func assignPermanentKeys() throws {
        guard graph.unsaved.hasProvisionalKeys else { return }
        var objects: [ManagedObject] = []
        graph.changedObjects.forEachUnretained { object in
            guard object.state == .inserted, object.key > PersistentStore.firstProvisionalKey else { return }
            objects.append(object)
        }
        guard !objects.isEmpty else { return graph.recordPermanentKeys() }
        replaceKeys(of: objects, with: try store.permanentKeys(for: objects))
        graph.recordPermanentKeys()
    }

    /// Assigns other row keys to inserted objects.
    func replaceKeys(of objects: [ManagedObject], with keys: [Int64]) {
        // The new keys by the old ones, for each table.
        var newKeys: [Int: [Int64: Int64]] = [:]
        let provisionalKeys = schema.provisionalKeys
        let formerKeys = objects.map { $0.key }
        provisionalKeys.replace(formerKeys, with: keys)
        for (index, key) in formerKeys.enumerated() where !provisionalKeys.isProvisional(key) {
            newKeys[objects[index].runtimeEntity.rootIndex, default: [:]][key] = keys[index]
        }
        graph.replaceKeys(ofInserted: objects, with: keys)
        graph.changeKeysOfToOnes(newKeys, provisionalKeys)
        notifier.forEachChild { $0.followNewKeys() }
    }

    /// Tries to write all changes in one transaction.
    /// - Parameter frees: Whether values that must be unique are freed before other rows take them.
    func writeChanges(freeingUniqueValues frees: Bool) throws -> SaveEffects {
        let changes = graph.changedObjects
        // If only transient attributes have changed, there is nothing to write.
        guard changes.contains(where: \.hasStoredChanges) else { return SaveEffects() }
        let plan: SavePlan
        if let partition = store.partition {
            plan = SavePlan(schema: schema)
            for (place, objects) in try partition.objectsByPlace(changes) {
                let part = try savePlan(of: objects, freeingUniqueValues: frees)
                part.place = place
                plan.parts.append(part)
            }
        } else {
            plan = try savePlan(of: changes, freeingUniqueValues: frees)
        }
        if let report = editor.saveTransaction?.report {
            report.count(changes)
            plan.report = report
        }
        plan.reportProgress(of: changes.count)
        // On a server, the context has one connection for its reads and the save.
        reader.endReading()
        var isQueued = false
        let effects = try store.engine.save(plan) { isQueued = queueChanges(changes, $0) }
        plan.progress?.finish()
        if isQueued { store.inboxes.deliver() }
        if let keys = effects.reservedKeys { store.useKeys(keys) }
        return effects
    }

    private func savePlan(of changes: [ManagedObject], freeingUniqueValues frees: Bool) throws -> SavePlan {
        let plan = SavePlan(of: changes, in: schema)
        plan.objects = changes
        if frees { plan.addFreedValues(of: changes) }
        if !plan.deletions.isEmpty {
            plan.addNullifications { [store, merger, graph] in
                graph.remote.hasMerged || store.inboxes.hasOthers(than: merger.inbox)
            }
        }
        if schema.hasDerivations { try plan.addDerivations(of: changes, RowEvaluator(fetcher)) }
        plan.reservedKeyCount = store.neededKeyCount
        plan.origin = origin
        return plan
    }

    /// Queues the written rows for other contexts, before the next writer: saves are reported in their order.
    /// - Returns: Whether anything is to be delivered.
    private func queueChanges(_ changes: [ManagedObject], _ effects: SaveEffects) -> Bool {
        let inboxes = store.inboxes
        var ownRows: [ContextInbox.OwnRow] = []
        if !merger.inbox.isEmpty || inboxes.isDelivering {
            ownRows = changes.map { ContextInbox.OwnRow(key: IdentityMap.Key(of: $0), isDeleted: $0.state == .deleted) }
        }
        guard inboxes.hasOthers(than: merger.inbox) else {
            if ownRows.isEmpty { return false }
            inboxes.queue(ChangeSet(rows: []), from: merger.inbox, ownRows: ownRows)
            return true
        }
        var rows: [ChangeSet.Row] = []
        rows.reserveCapacity(changes.count)
        var derived = effects.derivedRowsByKey
        changes.forEachUnretained { object in
            // Contexts without observers report only changed rows.
            guard graph.callsHooks || object.versionToSave != object.version else { return }
            var row = row(for: object, withValues: rows.count < ContextInbox.valueLimit)
            if object.state == .updated {
                row.changes = object.changes.map { FieldChanges(fields: $0.changed, baseVersion: object.version) }
            }
            if !derived.isEmpty, let computed = derived.removeValue(forKey: IdentityMap.Key(of: object)) {
                row.take(computed, derivedMask: object.runtimeEntity.derivedMask)
            }
            rows.append(row)
        }
        rows += derived.values.map { self.changes(of: $0) }
        inboxes.queue(ChangeSet(rows: rows + effects.nullifiedRows), from: merger.inbox, ownRows: ownRows)
        return true
    }

    /// Finishes a successful save (5B step 7): no changes are pending any more, and other contexts are notified.
    /// - Returns: The keys of the existing rows of the saved objects.
    private func finishSave(_ effects: SaveEffects) -> [IdentityMap.Key] {
        // An observer may save within an event, whose read transaction sees the store as it was before the save.
        reader.readNewest()
        // If the save writes only relationships of an object, or nothing, no version is compared: the object still has
        // the values from before a merged change.
        let outdated = graph.remote.changedObjects.filter { $0.state == .updated && !$0.hasColumnChanges }
        let saved = graph.takeSavedObjects()
        var keys: [IdentityMap.Key] = []
        keys.reserveCapacity(saved.count)
        // Objects that a hook or an observer deletes from here on are deleted by the next save.
        let mayDeleteMore = schema.hasDidSave && graph.callsHooks || graph.observation != nil
        let deleted = mayDeleteMore ? saved.filter { $0.state == .deleted } : saved
        saved.forEachUnretained { object in
            guard object.state != .deleted else { return }
            editor.didWrite(object, version: versionInParent(of: object) ?? object.versionToSave)
            keys.append(IdentityMap.Key(of: object))
        }
        for object in outdated where object.state == .clean && !object.isFault { merger.readLater(object) }
        takeDerivedValues(of: effects.derivedRows)
        editor.invalidateStaleToManys()
        if schema.hasDidSave, graph.callsHooks {
            for object in saved { object.runtimeEntity.hooks.didSave?(object) }
        }
        var deletedRows = DeletedRowKeys()
        let collectsDeleted = schema.hasOneWayRelationships || graph.observation != nil
        deleted.forEachUnretained { object in
            guard object.state == .deleted else { return }
            if collectsDeleted { deletedRows.insert(object) }
            editor.didDelete(object)
        }
        graph.willChangeObservedCounts(of: deletedRows)
        editor.removeOneWayReferences(to: deletedRows)
        // These are registered objects whose to-one relationships were nullified: members that other contexts added
        // after the deletion.
        for row in effects.nullifiedRows {
            merger.mergeIdentity(of: row, known: graph.registered(key: row.key, rootIndex: row.type.rootIndex))
        }
        return keys
    }

    /// Calls the hook `willSave` of objects until no object changes any more (5B step 2).
    private func callWillSave() throws(ChangeLimitExceededError) {
        guard schema.hasWillSave, graph.callsHooks else { return }
        var objects = graph.changedObjects
        for _ in 0..<ChangeLimitExceededError.limit {
            objects = objectsChanged {
                // A hook may undo the insertion of another object.
                for object in objects where object.hasChanges { object.runtimeEntity.hooks.willSave?(object) }
            }
            if objects.isEmpty { return }
        }
        throw ChangeLimitExceededError(hook: "willSave", entityNames: Set(objects.map(\.runtimeEntity.entity.name)))
    }

    /// Calls hooks, and notifies observers of their changes.
    /// - Returns: The objects that hooks and observers have changed, each once.
    func objectsChanged(by callHooks: () throws -> Void) rethrows -> [ManagedObject] {
        let changed = try graph.collectingChanges {
            try callHooks()
            processor.processPendingChanges()
        }
        return OrderedSet(changed).elements
    }

    /// Returns the change that other contexts receive for an object whose changes were written.
    func row(for object: ManagedObject, withValues: Bool) -> ChangeSet.Row {
        let kind: ChangeSet.Row.Kind =
            switch object.state {
            case .inserted: .inserted
            case .deleted: .deleted
            case .updated, .clean, .detached: .updated
            }
        return ChangeSet.Row(
            kind: kind,
            type: object.runtimeEntity,
            key: object.key,
            version: object.versionToSave,
            values: kind == .deleted || !withValues ? nil : RowStorage(of: object, withExternalData: false)
        )
    }
}

extension ManagedObject {
    /// A Boolean value that indicates whether a save changes the object's row.
    var hasColumnChanges: Bool {
        withRuntimeEntity { type in withChanges { $0.changed.intersects(type.columnMask) } } ?? false
    }

    /// A Boolean value that indicates whether a save changes attributes of the object's row.
    var hasAttributeChanges: Bool {
        guard let changed = changes?.changed else { return false }
        return runtimeEntity.columnFields.contains { $0.kind.base != .toOne && changed.contains($0.index) }
    }

    /// The version of the row once the object's changes are written.
    var versionToSave: Int64 { state == .inserted || state == .updated && hasColumnChanges ? version + 1 : version }

    /// A Boolean value that indicates whether a save has something to write for the object.
    var hasStoredChanges: Bool {
        switch state {
        case .inserted, .deleted: true
        case .updated: runtimeEntity.fields.contains { $0.isStored && changes?.changed.contains($0.index) == true }
        case .clean, .detached: false
        }
    }
}
