/// The observers of one context, and their notification.
///
/// A notifier does not know any objects except the objects that it reports.
///
/// There are two kinds of observers. A ``ContextObserver`` is called synchronously, in the isolation of the context. An
/// asynchronous sequence of an ``AsyncBroadcast`` is consumed in any isolation. In addition, notifications are posted.
final class ContextNotifier {
    /// The saves of all contexts in the process, for sequences that select contexts.
    static let savesOfAllContexts = AsyncBroadcast<AnyContextSave>()

    /// A Boolean value that indicates whether notifications are posted; `false` for a private context.
    private let postsNotifications: Bool
    private var observers: [WeakObserver] = []
    // Each broadcast is created at the first access to its sequence.
    private(set) var changeBroadcast: AsyncBroadcast<ObjectIDChanges>?
    private var saveBroadcast: AsyncBroadcast<ObjectIDChanges>?
    private var mergeBroadcast: AsyncBroadcast<ObjectIDChanges>?
    /// The number of resets, from which observers can see that their objects no longer belong to the context.
    private(set) var resetCount = 0
    /// The number of saves whose observers are being notified; more than one if an observer saves during a
    /// notification.
    private(set) var nestedSaveCount = 0
    /// A Boolean value that indicates whether pending changes are being processed.
    @exclusivity(unchecked) private(set) var isProcessing = false

    init(postsNotifications: Bool) { self.postsNotifications = postsNotifications }

    // MARK: Observers

    func add(_ observer: any ContextObserver) { observers.append(WeakObserver(observer: observer)) }

    /// A Boolean value that indicates whether an observer was added that may still exist.
    @inline(__always)
    var hasObservers: Bool { !observers.isEmpty }

    @inline(__always)
    func forEachObserver(_ body: (any ContextObserver) -> Void) {
        for box in observers {
            if let observer = box.observer { body(observer) }
        }
    }

    /// A Boolean value that indicates whether the context's changes have observers.
    var isObserved: Bool {
        observers.removeAll { $0.observer == nil }
        return !observers.isEmpty || postsChanges || changeBroadcast?.hasSubscribers == true
    }

    /// A Boolean value that indicates whether the context's merges have observers.
    var isMergingObserved: Bool {
        postsNotifications
            && (ContextNotification.didMergeChangesObjectIDs.mayBeObserved || mergeBroadcast?.hasSubscribers == true)
    }

    /// A Boolean value that indicates whether the context's saves have observers.
    var isSavingObserved: Bool {
        postsNotifications
            && (ContextNotification.didSaveObjects.mayBeObserved || ContextNotification.didSaveObjectIDs.mayBeObserved
                || hasSaveSubscribers)
    }

    /// A Boolean value that indicates whether the sequence of saves has a consumer.
    var hasSaveSubscribers: Bool { saveBroadcast?.hasSubscribers == true }

    private var postsChanges: Bool { postsNotifications && ContextNotification.didChangeObjects.mayBeObserved }

    // MARK: Sequences

    func makeStreamOfChanges() -> AsyncStream<ObjectIDChanges> { makeStream(&changeBroadcast) }

    func makeStreamOfSaves() -> AsyncStream<ObjectIDChanges> { makeStream(&saveBroadcast) }

    func makeStreamOfMerges() -> AsyncStream<ObjectIDChanges> { makeStream(&mergeBroadcast) }

    private func makeStream(_ broadcast: inout AsyncBroadcast<ObjectIDChanges>?) -> AsyncStream<ObjectIDChanges> {
        let known = broadcast ?? AsyncBroadcast()
        broadcast = known
        return known.makeStream()
    }

    // MARK: Changes

    /// Runs a closure during which the context counts as processing pending changes.
    func process(_ body: () -> Void) {
        isProcessing = true
        body()
        isProcessing = false
    }

    /// Notifies observers of the changes of an event.
    ///
    /// Results controllers come first, so that they are up to date when the notification is posted.
    /// - Parameter sender: The context, as the sender of notifications.
    func notify(_ change: ContextChange, sender: AnyObject) {
        guard !change.isEmpty else { return }
        // Observers may save, and objects may then get other object IDs; this belongs to the next event.
        let changes = changeBroadcast?.hasSubscribers == true ? ObjectIDChanges(change) : nil
        forEachObserver { $0.contextDidChange(change) }
        if postsChanges { post(change, sender) }
        if let changes, !changes.isEmpty { changeBroadcast?.send(changes) }
    }

    /// Posts the notification with the changed objects by key (N1, S43).
    private func post(_ change: ContextChange, _ sender: AnyObject) {
        let userInfo = makeUserInfo([
            (.insertedObjects, change.inserted), (.updatedObjects, change.updated),
            (.deletedObjects, change.deleted.subtracting(change.undone)), (.refreshedObjects, change.refreshed),
        ])
        if !userInfo.isEmpty { ContextNotification.didChangeObjects.post(sender, userInfo) }
    }

    /// Notifies observers of merged rows.
    func notifyOfMerge(_ merged: ObjectIDChanges, sender: AnyObject) {
        mergeBroadcast?.send(merged)
        if ContextNotification.didMergeChangesObjectIDs.mayBeObserved {
            ContextNotification.didMergeChangesObjectIDs.post(sender, merged.userInfo)
        }
    }

    /// Notifies observers immediately that the key of an object has changed.
    func notifyOfKey(_ old: Int64, of object: ManagedObject) {
        forEachObserver { $0.contextDidChangeKey(old, of: object) }
    }

    /// Counts a reset, after which observers ignore the context until they fetch again.
    func countReset() { resetCount += 1 }

    /// Notifies observers that the context was reset.
    func notifyOfReset(_ ids: Set<ManagedObjectID>, sender: AnyObject) {
        if postsChanges {
            ContextNotification.didChangeObjects.post(
                sender,
                [ManagedObjectContext.NotificationKey.invalidatedAllObjects.rawValue: ids]
            )
        }
        changeBroadcast?.send(ObjectIDChanges(invalidatesAll: true))
    }

    // MARK: Saves

    /// Posts the notification that a save begins, if it may have observers.
    /// - Returns: `true` if it was posted.
    func postWillSave(sender: AnyObject) -> Bool {
        guard postsNotifications, ContextNotification.willSaveObjects.mayBeObserved else { return false }
        ContextNotification.willSaveObjects.post(sender)
        return true
    }

    /// Runs a closure that notifies observers of a save; the observers may save again.
    func whilePostingSave(_ body: () -> Void) {
        nestedSaveCount += 1
        body()
        nestedSaveCount -= 1
    }

    /// Sends a save to the consumers of the sequence of saves.
    func sendSave(_ changes: ObjectIDChanges) { saveBroadcast?.send(changes) }

    /// Posts the notifications of a save.
    func postSave(_ saved: SavedObjects, sender: AnyObject) {
        if ContextNotification.didSaveObjects.mayBeObserved {
            ContextNotification.didSaveObjects.post(sender, saved.userInfo)
        }
        if ContextNotification.didSaveObjectIDs.mayBeObserved {
            ContextNotification.didSaveObjectIDs.post(sender, saved.objectIDs.userInfo)
        }
    }
}

/// An observer of every event of a context: the list of a results controller, or a child context.
protocol ContextObserver: AnyObject {
    func contextDidChange(_ change: ContextChange)
    /// A method that is called immediately when an object gets another key.
    func contextDidChangeKey(_ old: Int64, of object: ManagedObject)
}

private struct WeakObserver {
    weak var observer: (any ContextObserver)?
}

/// Returns the sets of a notification that are not empty, by the keys of its `userInfo`.
func makeUserInfo(_ sets: [(ManagedObjectContext.NotificationKey, Set<ManagedObject>)]) -> [AnyHashable: Any] {
    var userInfo: [AnyHashable: Any] = [:]
    for (key, objects) in sets where !objects.isEmpty { userInfo[key.rawValue] = objects }
    return userInfo
}
