// Notifying observers of a save, in the context's isolation and before other code runs there.

extension ContextSaver {
    /// Runs the parts of a save, within which no other save may begin, and notifies observers when the store and the
    /// context agree.
    func withSaveNotifications<Saved>(_ write: () throws -> SaveEffects, finish: (SaveEffects) -> Saved) throws -> Saved
    {
        let saved: Saved
        var announcement: SavedObjects?
        do {
            editor.saveTransaction = SaveTransaction()
            defer { editor.saveTransaction = nil }
            let effects = try write()
            announcement = changesToAnnounce(effects)
            saved = finish(effects)
        }
        if let announced = announcement.take() { notifier.announceSave { postSave(announced) } }
        return saved
    }

    /// 5B step 2, N2: notifies observers that a save begins; their changes are part of it.
    func postWillSave() throws(ChangeLimitExceededError) {
        if notifier.postWillSave(sender: graph.sender), !graph.event.isEmpty { try processor.flushPendingChanges() }
    }

    /// The changes that a save is about to write, if they have observers.
    private func changesToAnnounce(_ effects: SaveEffects) -> SavedObjects? {
        guard graph.callsHooks, notifier.isSavingObserved || store.saves.hasSubscribers || SaveObservers.hasSubscribers
        else {
            return nil
        }
        var saved = SavedObjects(graph.changedObjects)
        for derived in effects.derivedRows {
            let (key, type) = (derived.row.key, derived.row.values.entityType)
            let known = graph.registered(key: key, rootIndex: type.rootIndex)
            saved.insertDerived(ManagedObjectID(entityType: type, key: key), known)
        }
        return saved
    }

    /// Notifies observers of the saves of all contexts.
    func notifyObserversOfAllSaves(_ changes: ObjectIDChanges) {
        guard SaveObservers.hasSubscribers else { return }
        SaveObservers.notify(graph.sender, changes)
    }

    /// 5B step 8, N3: notifies observers of the written changes.
    func postSave(_ saved: SavedObjects) {
        guard !saved.isEmpty else { return }
        if notifier.hasSaveSubscribers || store.saves.hasSubscribers || SaveObservers.hasSubscribers {
            let changes = saved.objectIDs
            notifyObserversOfAllSaves(changes)
            // What went to a parent is not in the store.
            if parent == nil { store.saves.send(ContextSave(contextName: contextName, changes: changes)) }
            notifier.sendSave(changes)
        }
        notifier.postSave(saved, sender: graph.sender)
    }
}
