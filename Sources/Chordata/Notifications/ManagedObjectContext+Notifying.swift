// Notifying observers of changes, in the context's isolation and before other code runs there.

extension ManagedObjectContext {
    /// Ends an event: from here on changes belong to the next one.
    func notify(_ finished: ContextEvent) {
        let change = notifier.isObserved ? ContextChange(finished) : nil
        finished.local.forEachUnretained { object in
            object.isInEvent = false
            object.isNewInEvent = false
        }
        if let change { notifier.notify(change, sender: self) }
        if let merged = finished.merged { notifier.notifyOfMerge(merged, sender: self) }
    }

    // MARK: Saving

    /// 5B step 1: notifies observers of pending changes, until they make no further changes.
    func flushPendingChanges() throws(ChangeLimitExceededError) {
        processPendingChanges()
        // An observer that saves: its changes are reported after its turn.
        guard !notifier.isProcessing else { return }
        for _ in 0..<ChangeLimitExceededError.limit {
            guard !graph.event.isEmpty else { return }
            processPendingChanges()
        }
        let names = Set(graph.event.local.map(\.entityType.entity.name))
        throw ChangeLimitExceededError(hook: "a notification observer", entityNames: names)
    }

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
        if notifier.postWillSave(sender: self), !graph.event.isEmpty { try flushPendingChanges() }
    }

    /// The changes that a save is about to write, if they have observers.
    private func changesToAnnounce(_ effects: SaveEffects) -> SavedObjects? {
        guard graph.callsHooks, notifier.isSavingObserved || hasStoreSubscribers else { return nil }
        var saved = SavedObjects(graph.changedObjects)
        for derived in effects.derivedRows {
            let (key, type) = (derived.row.key, derived.row.values.entityType)
            let known = graph.registered(key: key, rootIndex: type.rootIndex)
            saved.insertDerived(ManagedObjectID(entityType: type, key: key), known)
        }
        return saved
    }

    /// 5B step 8, N3: notifies observers of the written changes.
    func postSave(_ saved: SavedObjects) {
        guard !saved.isEmpty else { return }
        if notifier.hasSaveSubscribers || hasStoreSubscribers {
            let changes = saved.objectIDs
            // What went to a parent is not in the store.
            sendSave(changes, isStored: parent == nil)
            notifier.sendSave(changes)
        }
        notifier.postSave(saved, sender: self)
    }

    /// A Boolean value that indicates whether a sequence of the saves of several contexts has a consumer.
    var hasStoreSubscribers: Bool { store.saves.hasSubscribers || ContextNotifier.savesOfAllContexts.hasSubscribers }

    /// Gives the consumers of the sequences of several contexts a save of this one.
    /// - Parameter isStored: Whether the save has written to the store.
    func sendSave(_ changes: ObjectIDChanges, isStored: Bool) {
        ContextNotifier.savesOfAllContexts.send(AnyContextSave(of: self, changes), from: self)
        if isStored { store.saves.send(ContextSave(contextName: name, changes: changes)) }
    }
}

/// The objects of a save, by what it did to them.
struct SavedObjects {
    private var inserted: Set<ManagedObject> = []
    private var updated: Set<ManagedObject> = []
    private var deleted: Set<ManagedObject> = []
    /// The rows without registered objects whose derived attributes were computed.
    private var derivedIDs: Set<ManagedObjectID> = []

    init(_ objects: [ManagedObject]) {
        for object in objects {
            switch object.state {
            case .inserted: inserted.insert(object)
            case .updated: updated.insert(object)
            case .deleted: deleted.insert(object)
            case .clean, .detached: break
            }
        }
    }

    /// Adds a row whose derived attributes the save has computed.
    mutating func insertDerived(_ id: ManagedObjectID, _ known: ManagedObject?) {
        guard let known else {
            derivedIDs.insert(id)
            return
        }
        if !inserted.contains(known), !deleted.contains(known) { updated.insert(known) }
    }

    var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }

    var objectIDs: ObjectIDChanges {
        ObjectIDChanges(
            inserted: Set(inserted.map(\.objectID)),
            updated: Set(updated.map(\.objectID)).union(derivedIDs),
            deleted: Set(deleted.map(\.objectID))
        )
    }

    /// The sets that are not empty, as a notification has them.
    var userInfo: [AnyHashable: Any] {
        makeUserInfo([(.insertedObjects, inserted), (.updatedObjects, updated), (.deletedObjects, deleted)])
    }
}
