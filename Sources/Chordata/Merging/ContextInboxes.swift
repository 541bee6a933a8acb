internal import Synchronization

/// The inboxes of the contexts of a store.
///
/// Saves are queued in the order of the transactions, and delivered when the next save can begin.
package final class ContextInboxes: Sendable {
    private let inboxes = Mutex<[WeakInbox]>([])
    /// A Boolean value that indicates whether saves are queued in the order of their transactions.
    private let areOrdered: Bool

    init(areOrdered: Bool = true) { self.areOrdered = areOrdered }

    private let queue = Mutex(Queue())
    /// A lock that is held during a delivery, so that each inbox receives all entries in order.
    private let delivering = Mutex(())

    private struct WeakInbox: Sendable {
        weak var inbox: ContextInbox?
    }

    private struct Queue: Sendable {
        var deliveries: [Delivery] = []
        /// A Boolean value that indicates whether earlier deliveries are in progress.
        var isDelivering = false
    }

    private struct Delivery: Sendable {
        let entry: ContextInbox.Entry
        let sender: ContextInbox?
        /// The rows for the sender itself.
        let ownRows: [ContextInbox.OwnRow]
    }

    /// Registers the inbox of a context until the context is released.
    func register(_ inbox: ContextInbox) {
        if !areOrdered { inbox.keepsNewestVersions() }
        inboxes.withLock { list in
            list.removeAll { $0.inbox == nil }
            list.append(WeakInbox(inbox: inbox))
        }
    }

    /// Returns a Boolean value that indicates whether other contexts would receive the changes that a context posts.
    func hasOthers(than sender: ContextInbox) -> Bool {
        inboxes.withLock { list in list.contains { $0.inbox != nil && $0.inbox !== sender } }
    }

    /// Queues the changes of a save, during its turn to write.
    /// - Parameters:
    ///   - changes: The changes for all other contexts.
    ///   - ownRows: The same rows for the context that wrote them, if its inbox is not empty.
    func queue(_ changes: ChangeSet, from sender: ContextInbox, ownRows: [ContextInbox.OwnRow] = []) {
        queue.withLock { $0.deliveries.append(Delivery(entry: .changes(changes), sender: sender, ownRows: ownRows)) }
    }

    /// Queues the changes of another program, during a turn to write.
    package func queueRemote(_ changes: ChangeSet) { queue(.changes(changes)) }

    /// Queues, during the turn to write, the information that rows have other values than earlier saves reported.
    func queueOutdatedValues(of rows: [EntityRowKeys]) { queue(.outdatedValues(rows)) }

    /// Queues, during the turn to write, the information that rows that earlier saves reported were deleted.
    func queueDeletions(of rows: [EntityRowKeys]) { queue(.batchDeletion(rows)) }

    private func queue(_ entry: ContextInbox.Entry) {
        queue.withLock { $0.deliveries.append(Delivery(entry: entry, sender: nil, ownRows: [])) }
    }

    /// A Boolean value that indicates whether there are queued changes that not all contexts have received yet.
    var isDelivering: Bool { queue.withLock { $0.isDelivering || !$0.deliveries.isEmpty } }

    /// Delivers all queued changes; when the method returns, the contexts have received them.
    package func deliver() {
        delivering.withLock { _ in
            let deliveries = queue.withLock { queue in
                defer { queue = Queue(isDelivering: !queue.deliveries.isEmpty) }
                return queue.deliveries
            }
            guard !deliveries.isEmpty else { return }
            defer { queue.withLock { $0.isDelivering = false } }
            let receivers = inboxes.withLock { list in list.compactMap(\.inbox) }
            for delivery in deliveries {
                if !delivery.ownRows.isEmpty { delivery.sender?.add(.ownSave(delivery.ownRows)) }
                for receiver in receivers where receiver !== delivery.sender {
                    if case .changes(let changes) = delivery.entry {
                        receiver.post(changes)
                    } else {
                        receiver.add(delivery.entry)
                    }
                }
            }
        }
    }
}
