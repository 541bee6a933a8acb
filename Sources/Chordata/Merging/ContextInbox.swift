internal import OrderedCollections
internal import Synchronization

/// The saves of other contexts that a context has not merged yet, with each row once, in its last state.
///
/// Saves arrive in the order in which they were written. Receiving a save only appends an entry: the contexts share its
/// rows, which are combined with the earlier rows when they are merged, or when many saves have arrived.
///
/// A context that never merges has no further costs: beyond ``valueLimit`` rows, only the object IDs are kept, and a
/// merge reads the rows from the store.
final class ContextInbox: Sendable {
    static let valueLimit = 10_000

    /// A received change of rows.
    enum Entry: Sendable {
        /// Rows that another context has written.
        case changes(ChangeSet)
        /// Rows that the context itself has written: earlier entries for them are outdated, and none of them is new to
        /// the context.
        case ownSave([OwnRow])
        /// Rows whose values have changed since they were saved: the context reads the rows when it merges them.
        case outdatedValues([EntityRowKeys])
        /// Rows that a batch deletion has deleted: earlier entries for them are no longer valid. The context is not
        /// notified of rows that are not in the inbox.
        case batchDeletion([EntityRowKeys])
    }

    /// A row that the context itself has written.
    struct OwnRow: Sendable {
        let key: IdentityMap.Key
        let isDeleted: Bool
    }

    private struct State: Sendable {
        /// The rows of earlier entries.
        var rows: OrderedDictionary<IdentityMap.Key, ChangeSet.Row> = [:]
        /// The latest entries, the number of their rows, and the number of rows of the largest entry.
        var entries: [Entry] = []
        var entryRowCount = 0
        var largestCount = 0
        /// A Boolean value that indicates whether an older version of a row may arrive after a newer version.
        var keepsNewestVersions = false

        var isEmpty: Bool { entries.isEmpty && rows.isEmpty }

        mutating func append(_ entry: Entry) {
            switch entry {
            case .changes(let changes):
                entryRowCount += changes.rows.count
                largestCount = max(largestCount, changes.rows.count)
            case .ownSave, .outdatedValues, .batchDeletion:
                // There are no rows that the entry could change.
                if isEmpty { return }
            }
            entries.append(entry)
            // A small number of rows is combined early. A large save is kept unchanged and is shared by all contexts;
            // several large saves may contain the same rows.
            let isLarge = entryRowCount > ContextInbox.valueLimit
            let isFull = entryRowCount > 4 * max(ContextInbox.valueLimit, largestCount)
            if isFull || entries.count > (isLarge ? 1_000 : 32) { sortIn() }
        }

        mutating func sortIn() {
            for entry in entries {
                switch entry {
                case .changes(let changes): for row in changes.rows { add(row) }
                case .ownSave(let rows): for row in rows { addOwn(row) }
                case .outdatedValues(let rows):
                    forEachKey(of: rows) { rows, key in
                        rows[key]?.values = nil
                        rows[key]?.changes = nil
                    }
                case .batchDeletion(let rows):
                    forEachKey(of: rows) { rows, key in
                        if rows[key]?.kind == .inserted { rows[key] = nil } else { rows[key]?.recordDeletion() }
                    }
                }
            }
            entries = []
            (entryRowCount, largestCount) = (0, 0)
        }

        private mutating func forEachKey(
            of keys: [EntityRowKeys],
            _ body: (inout OrderedDictionary<IdentityMap.Key, ChangeSet.Row>, IdentityMap.Key) -> Void
        ) {
            for keys in keys {
                for key in keys.keys { body(&rows, IdentityMap.Key(rootIndex: keys.type.rootIndex, key: key)) }
            }
        }

        private mutating func add(_ row: ChangeSet.Row) {
            var row = row
            let key = IdentityMap.Key(rootIndex: row.type.rootIndex, key: row.key)
            let known = rows[key]
            // Changes of another program are reported later than subsequent changes of this program.
            if row.isRemote || keepsNewestVersions, let known,
                known.version > row.version || known.kind == .deleted && known.version == row.version
            {
                // The row is new to this context nevertheless.
                if row.kind == .inserted, known.kind == .updated { rows[key]?.kind = .inserted }
                return
            }
            // A row that is new to this context stays new when it is changed again.
            if row.kind == .updated, known?.kind == .inserted { row.kind = .inserted }
            if let known {
                if !known.isNullification { row.isNullification = false }
                row.changes = known.changes.flatMap { row.changes?.union(earlier: $0, version: known.version) }
            }
            if rows.count >= ContextInbox.valueLimit { row.values = nil }
            rows[key] = row
        }

        private mutating func addOwn(_ row: OwnRow) {
            switch rows[row.key]?.kind {
            case .inserted where !row.isDeleted: rows[row.key]?.kind = .updated
            case .updated where !row.isDeleted, nil: break
            case .inserted, .updated, .deleted: rows[row.key] = nil
            }
        }
    }

    private let state = Mutex(State())
    /// A closure that is called after an entry was added, on the thread of the context that saved.
    private let notification = Mutex<Notification?>(nil)

    /// A closure in a struct.
    ///
    /// `withLock` wraps a bare closure in two additional functions each time the closure is read and written back, so
    /// each call would be deeper and slower than the previous call.
    private struct Notification: Sendable {
        var body: @Sendable () -> Void
    }

    func setNotification(_ body: (@Sendable () -> Void)?) {
        notification.withLock { $0 = body.map(Notification.init) }
    }

    func post(_ changes: ChangeSet) {
        add(.changes(changes))
        notification.withLock { $0 }?.body()
    }

    /// Adds an entry without a notification.
    func add(_ entry: Entry) { state.withLock { $0.append(entry) } }

    /// Discards the values of rows whose values have changed since; a merge then reads these rows.
    func forgetValues(of keys: Set<IdentityMap.Key>) {
        state.withLock { state in
            state.sortIn()
            for key in state.rows.keys where keys.contains(key) {
                state.rows[key]?.values = nil
                state.rows[key]?.changes = nil
            }
        }
    }

    /// Makes the inbox keep the newest version of each row, in whatever order the versions arrive.
    func keepsNewestVersions() { state.withLock { $0.keepsNewestVersions = true } }

    var isEmpty: Bool { state.withLock { $0.isEmpty } }

    /// The number of rows that are kept, including duplicates.
    var keptRowCount: Int { state.withLock { $0.rows.count + $0.entryRowCount } }

    /// Removes and returns the rows whose keys are in a set.
    /// - Complexity: O(n) in the number of all rows in the inbox.
    func take(_ keys: Set<IdentityMap.Key>) -> [IdentityMap.Key: ChangeSet.Row] {
        state.withLock { state in
            state.sortIn()
            var taken: [IdentityMap.Key: ChangeSet.Row] = [:]
            state.rows.removeAll { key, row in
                guard keys.contains(key) else { return false }
                taken[key] = row
                return true
            }
            return taken
        }
    }

    /// Removes and returns all rows.
    func drain() -> [ChangeSet.Row] {
        let state = state.withLock { state in
            let taken = state
            state = State(keepsNewestVersions: taken.keepsNewestVersions)
            return taken
        }
        // The rows are combined without the lock, so that the next save does not have to wait.
        var sorted = state
        sorted.sortIn()
        return Array(sorted.rows.values)
    }
}
