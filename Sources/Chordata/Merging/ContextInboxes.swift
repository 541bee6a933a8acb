internal import Synchronization

/// The inboxes of the contexts of a store.
final class ContextInboxes: Sendable {
    private let inboxes = Mutex<[WeakInbox]>([])

    private struct WeakInbox: Sendable {
        weak var inbox: ContextInbox?
    }

    /// Adds the inbox of a context, until the context is released.
    func register(_ inbox: ContextInbox) {
        inboxes.withLock { list in
            list.removeAll { $0.inbox == nil }
            list.append(WeakInbox(inbox: inbox))
        }
    }

    /// Returns a Boolean value that indicates whether a context would get what another one posts.
    func hasOthers(than sender: ContextInbox) -> Bool {
        inboxes.withLock { list in list.contains { $0.inbox != nil && $0.inbox !== sender } }
    }

    /// Notifies all contexts that rows have other values than their saves reported.
    func forgetValues(of rows: [UpdatedRows]) {
        let waiting = inboxes.withLock { list in list.compactMap(\.inbox) }.filter { !$0.isEmpty }
        guard !waiting.isEmpty else { return }
        var keys: Set<IdentityMap.Key> = []
        for rows in rows {
            for key in rows.keys { keys.insert(IdentityMap.Key(rootIndex: rows.type.rootIndex, key: key)) }
        }
        for inbox in waiting { inbox.forgetValues(of: keys) }
    }

    /// Gives the changes of a save to all other contexts.
    func post(_ changes: ChangeSet, from sender: ContextInbox) {
        let receivers = inboxes.withLock { list in list.compactMap(\.inbox) }
        for receiver in receivers where receiver !== sender { receiver.post(changes) }
    }
}
