// Notifying observers of changes, in the context's isolation and before other code runs there.

extension ManagedObjectContext {
    /// A Boolean value that indicates whether the context's changes have observers.
    var isObserved: Bool {
        observers.removeAll { $0.observer == nil }
        return !observers.isEmpty || callsHooks && ContextNotification.didChangeObjects.mayBeObserved
            || changeBroadcast?.hasSubscribers == true
    }

    /// Ends an event: from here on changes belong to the next one.
    ///
    /// Results controllers come first, so that they are up to date when the notification is posted.
    func notify(_ finished: ContextEvent) {
        let change = isObserved ? ContextChange(finished) : nil
        finished.local.forEachUnretained { object in
            object.isInEvent = false
            object.isNewInEvent = false
        }
        // Observers may save, by which objects may get other identities: that is the next event.
        let changes = changeBroadcast?.hasSubscribers == true ? change.map { ObjectIDChanges($0) } : nil
        if let change, !change.isEmpty {
            for box in observers { box.observer?.context(self, didChange: change) }
            if callsHooks, ContextNotification.didChangeObjects.mayBeObserved { post(change) }
            if let changes, !changes.isEmpty { changeBroadcast?.send(changes) }
        }
        guard let merged = finished.merged else { return }
        mergeBroadcast?.send(merged)
        if ContextNotification.didMergeChangesObjectIDs.mayBeObserved {
            ContextNotification.didMergeChangesObjectIDs.post(self, merged.userInfo)
        }
    }

    /// A Boolean value that indicates whether the context's merges have observers.
    var isMergingObserved: Bool {
        callsHooks
            && (ContextNotification.didMergeChangesObjectIDs.mayBeObserved || mergeBroadcast?.hasSubscribers == true)
    }

    /// N1, S43: what changed, by keys.
    private func post(_ change: ContextChange) {
        var userInfo: [AnyHashable: Any] = [:]
        func add(_ objects: Set<ManagedObject>, _ key: NotificationKey) {
            if !objects.isEmpty { userInfo[key.rawValue] = objects }
        }
        add(change.inserted, .insertedObjects)
        add(change.updated, .updatedObjects)
        add(change.deleted.subtracting(change.undone), .deletedObjects)
        add(change.refreshed, .refreshedObjects)
        if !userInfo.isEmpty { ContextNotification.didChangeObjects.post(self, userInfo) }
    }

    /// Notifies observers that the context was reset.
    func tellReset(_ ids: Set<ManagedObjectID>) {
        if callsHooks, ContextNotification.didChangeObjects.mayBeObserved {
            ContextNotification.didChangeObjects.post(self, [NotificationKey.invalidatedAllObjects.rawValue: ids])
        }
        changeBroadcast?.send(ObjectIDChanges(invalidatesAll: true))
    }

    // MARK: Saving

    /// 5B step 1: notifies observers of pending changes, until they make no further changes.
    func flushPendingChanges() throws(ChangeLimitExceededError) {
        processPendingChanges()
        // An observer that saves: its changes are reported after its turn.
        guard !isProcessing else { return }
        for _ in 0..<ChangeLimitExceededError.limit {
            guard !event.isEmpty else { return }
            processPendingChanges()
        }
        let names = Set(event.local.map(\.entityType.entity.name))
        throw ChangeLimitExceededError(hook: "a notification observer", entityNames: names)
    }

    /// Runs the parts of a save, within which no other save may begin, and notifies observers when the store and the
    /// context agree.
    func withSaveNotifications<Saved>(_ write: () throws -> SaveEffects, finish: (SaveEffects) -> Saved) throws -> Saved
    {
        let saved: Saved
        var announcement: SavedObjects?
        do {
            isSaving = true
            defer { isSaving = false }
            let effects = try write()
            announcement = changesToAnnounce(effects)
            saved = finish(effects)
        }
        if let announced = announcement.take() {
            announcedSaves += 1
            postSave(announced)
            announcedSaves -= 1
        }
        return saved
    }

    /// 5B step 2, N2: notifies observers that a save begins; their changes are part of it.
    func postWillSave() throws(ChangeLimitExceededError) {
        guard callsHooks, ContextNotification.willSaveObjects.mayBeObserved else { return }
        ContextNotification.willSaveObjects.post(self)
        if !event.isEmpty { try flushPendingChanges() }
    }

    /// The changes that a save is about to write, if they have observers.
    private func changesToAnnounce(_ effects: SaveEffects) -> SavedObjects? {
        guard callsHooks else { return nil }
        let isNotified =
            ContextNotification.didSaveObjects.mayBeObserved || ContextNotification.didSaveObjectIDs.mayBeObserved
        guard
            isNotified || saveBroadcast?.hasSubscribers == true || store.saves.hasSubscribers
                || SaveObservers.hasSubscribers
        else {
            return nil
        }
        var saved = SavedObjects(changedObjects)
        for derived in effects.derivedRows {
            let (key, type) = (derived.row.key, derived.row.values.entityType)
            let known = registered(key: key, rootIndex: type.rootIndex)
            saved.insertDerived(ManagedObjectID(entityType: type, key: key), known)
        }
        return saved
    }

    /// 5B step 8, N3: notifies observers of the written changes.
    func postSave(_ saved: SavedObjects) {
        guard !saved.isEmpty else { return }
        if saveBroadcast?.hasSubscribers == true || store.saves.hasSubscribers || SaveObservers.hasSubscribers {
            let changes = saved.objectIDs
            SaveObservers.notify(self, changes)
            // What went to a parent is not in the store.
            if parent == nil { store.saves.send(ContextSave(contextName: name, changes: changes)) }
            saveBroadcast?.send(changes)
        }
        if ContextNotification.didSaveObjects.mayBeObserved {
            ContextNotification.didSaveObjects.post(self, saved.userInfo)
        }
        if ContextNotification.didSaveObjectIDs.mayBeObserved {
            ContextNotification.didSaveObjectIDs.post(self, saved.objectIDs.userInfo)
        }
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
        var userInfo: [AnyHashable: Any] = [:]
        func add(_ objects: Set<ManagedObject>, _ key: ManagedObjectContext.NotificationKey) {
            if !objects.isEmpty { userInfo[key.rawValue] = objects }
        }
        add(inserted, .insertedObjects)
        add(updated, .updatedObjects)
        add(deleted, .deletedObjects)
        return userInfo
    }
}
