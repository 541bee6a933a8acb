internal import Synchronization

/// What one save changed, with the new values: what other contexts merge without reading the store.
struct ChangeSet: Sendable {
    struct Row: Sendable {
        enum Kind: Sendable { case inserted, updated, deleted }
        let kind: Kind
        let type: EntityType
        let key: Int64
        let version: Int64
        /// The row as it is now; `nil` for a deleted one.
        let values: FieldBlock?
    }

    let rows: [Row]
}

/// What other contexts saved and this one has not merged yet.
final class ContextInbox: Sendable {
    private let pending = Mutex<[ChangeSet]>([])
    /// Called after something came in, on the thread of the context that saved.
    private let notify = Mutex<(@Sendable () -> Void)?>(nil)

    func setNotification(_ body: @escaping @Sendable () -> Void) { notify.withLock { $0 = body } }

    func post(_ changes: ChangeSet) {
        pending.withLock { $0.append(changes) }
        notify.withLock { $0 }?()
    }

    func drain() -> [ChangeSet] {
        pending.withLock { pending in
            defer { pending = [] }
            return pending
        }
    }
}
