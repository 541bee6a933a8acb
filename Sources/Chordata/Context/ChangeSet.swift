internal import OrderedCollections
internal import Synchronization

/// What one save changed, with the new values: what other contexts merge without reading the store.
struct ChangeSet: Sendable {
    struct Row: Sendable {
        enum Kind: Sendable { case inserted, updated, deleted }
        var kind: Kind
        let type: EntityType
        let key: Int64
        let version: Int64
        /// The row as it is now; `nil` for a deleted one, and where there were too many to keep.
        var values: FieldBlock?
    }

    let rows: [Row]
}

/// What other contexts saved and this one has not merged yet: each row once, as the last save left it.
///
/// A context that never merges costs no more than that: beyond ``valueLimit`` rows only their identities are kept, and
/// merging reads them from the store.
final class ContextInbox: Sendable {
    static let valueLimit = 10_000

    private struct RowKey: Hashable {
        var rootIndex: Int
        var key: Int64
    }

    private let pending = Mutex<OrderedDictionary<RowKey, ChangeSet.Row>>([:])
    /// Called after something came in, on the thread of the context that saved.
    private let notify = Mutex<(@Sendable () -> Void)?>(nil)

    func setNotification(_ body: @escaping @Sendable () -> Void) { notify.withLock { $0 = body } }

    func post(_ changes: ChangeSet) {
        pending.withLock { pending in
            for var row in changes.rows {
                let key = RowKey(rootIndex: row.type.rootIndex, key: row.key)
                // A row that is new to this context stays new when it is changed again.
                if row.kind == .updated, pending[key]?.kind == .inserted { row.kind = .inserted }
                if pending.count >= Self.valueLimit { row.values = nil }
                pending[key] = row
            }
        }
        notify.withLock { $0 }?()
    }

    var isEmpty: Bool { pending.withLock { $0.isEmpty } }

    func drain() -> [ChangeSet.Row] {
        pending.withLock { pending in
            defer { pending = [:] }
            return Array(pending.values)
        }
    }
}
