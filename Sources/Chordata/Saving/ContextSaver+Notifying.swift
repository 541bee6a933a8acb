// Notifying observers of a save, in the context's isolation and before other code runs there.

extension ContextSaver {
    /// Runs the parts of a save, within which no other save may begin, and notifies observers when the store and the
    /// context have the same state.
    /// - Parameter report: The report for the save logger; `nil` if there is no logger.
    func withSaveNotifications<Saved>(
        _ report: SaveReport?,
        _ write: () throws -> SaveEffects,
        finish: (SaveEffects) -> Saved
    ) throws -> Saved {
        let saved: Saved
        var announcement: SavedObjects?
        do {
            editor.beginSave(report)
            defer { editor.endSave() }
            let effects = try write()
            announcement = savedObjectsToPost(effects)
            saved = finish(effects)
        }
        if let announced = announcement.take() { notifier.whilePostingSave { postSave(announced) } }
        return saved
    }

    /// 5B step 2, N2: notifies observers that a save begins; their changes are part of it.
    func postWillSave() throws(ChangeLimitExceededError) {
        if notifier.postWillSave(sender: graph.sender), !graph.event.isEmpty { try processor.flushPendingChanges() }
    }

    /// The changes that a save is about to write, if they have observers.
    private func savedObjectsToPost(_ effects: SaveEffects) -> SavedObjects? {
        guard graph.callsHooks, notifier.isSavingObserved || hasStoreSubscribers else { return nil }
        var saved = SavedObjects(graph.changedObjects)
        for derived in effects.derivedRows {
            let (key, type) = (derived.row.key, derived.row.values.runtimeEntity)
            let known = graph.registered(key: key, rootIndex: type.rootIndex)
            saved.insertDerived(ManagedObjectID(runtimeEntity: type, key: key), known)
        }
        return saved
    }

    /// 5B step 8, N3: notifies observers of the written changes.
    func postSave(_ saved: SavedObjects) {
        guard !saved.isEmpty else { return }
        if notifier.hasSaveSubscribers || hasStoreSubscribers {
            let changes = saved.objectIDs
            // Changes that were saved to a parent are not in the store.
            sendSave(changes, isStored: parent == nil)
            notifier.sendSave(changes)
        }
        notifier.postSave(saved, sender: graph.sender)
    }

    /// A Boolean value that indicates whether a sequence of the saves of several contexts has a consumer.
    var hasStoreSubscribers: Bool { store.saves.hasSubscribers || ContextNotifier.savesOfAllContexts.hasSubscribers }

    /// Sends a save of this context to the consumers of the sequences of several contexts.
    /// - Parameter isStored: Whether the save has written to the store.
    func sendSave(_ changes: ObjectIDChanges, isStored: Bool) {
        if let context = graph.owner?.takeUnretainedValue() {
            ContextNotifier.savesOfAllContexts.send(AnyContextSave(of: context, changes), from: context)
        }
        if isStored { store.saves.send(ContextSave(contextName: contextName, changes: changes)) }
    }
}
