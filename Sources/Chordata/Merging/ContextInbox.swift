internal import OrderedCollections
internal import Synchronization

/// The saves of other contexts that this one has not merged yet: each row a single time, in its last state.
///
/// Saves come in the order in which they were written.
///
/// A context that never merges costs no more than that: beyond ``valueLimit`` rows only their identities are kept, and
/// merging reads them from the store.
final class ContextInbox: Sendable {
    static let valueLimit = 10_000

    private let pending = Mutex<OrderedDictionary<IdentityMap.Key, ChangeSet.Row>>([:])
    /// Called after something came in, on the thread of the context that saved.
    private let notification = Mutex<Notification?>(nil)

    /// A closure in a struct.
    ///
    /// `withLock` wraps a bare closure in two more functions each time it reads it and writes it back, so each call
    /// would be deeper and slower than the one before.
    private struct Notification: Sendable {
        var body: @Sendable () -> Void
    }

    func setNotification(_ body: (@Sendable () -> Void)?) {
        notification.withLock { $0 = body.map(Notification.init) }
    }

    func post(_ changes: ChangeSet) {
        pending.withLock { pending in
            for var row in changes.rows {
                let key = IdentityMap.Key(rootIndex: row.type.rootIndex, key: row.key)
                // A row that is new to this context stays new when it is changed again.
                if row.kind == .updated, pending[key]?.kind == .inserted { row.kind = .inserted }
                if let known = pending[key] {
                    if !known.isNullification { row.isNullification = false }
                    row.changes = known.changes.flatMap { row.changes?.union(earlier: $0, version: known.version) }
                }
                if pending.count >= Self.valueLimit { row.values = nil }
                pending[key] = row
            }
        }
        notification.withLock { $0 }?.body()
    }

    /// Notes that the context has written rows itself: what is here of them is older, and none of them is new to it.
    func recordOwnSave(of objects: [ManagedObject]) {
        pending.withLock { pending in
            for object in objects {
                let key = IdentityMap.Key(of: object)
                switch pending[key]?.kind {
                case .inserted where object.state != .deleted: pending[key]?.kind = .updated
                case .updated where object.state != .deleted, nil: break
                case .inserted, .updated, .deleted: pending[key] = nil
                }
            }
        }
    }

    /// Forgets the values of rows that have others by now: who merges them reads them.
    func forgetValues(of keys: Set<IdentityMap.Key>) {
        pending.withLock { pending in
            for key in pending.keys where keys.contains(key) {
                pending[key]?.values = nil
                pending[key]?.changes = nil
            }
        }
    }

    var isEmpty: Bool { pending.withLock { $0.isEmpty } }

    /// Removes some rows, where the set contains them.
    /// - Complexity: O(n) in the number of all rows that are here.
    func take(_ keys: Set<IdentityMap.Key>) -> [IdentityMap.Key: ChangeSet.Row] {
        pending.withLock { pending in
            var taken: [IdentityMap.Key: ChangeSet.Row] = [:]
            pending.removeAll { key, row in
                guard keys.contains(key) else { return false }
                taken[key] = row
                return true
            }
            return taken
        }
    }

    func drain() -> [ChangeSet.Row] {
        pending.withLock { pending in
            defer { pending = [:] }
            return Array(pending.values)
        }
    }
}
