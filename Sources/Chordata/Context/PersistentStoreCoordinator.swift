internal import Synchronization

/// What all contexts of a container share: the open store, the model's classes, and the way changes travel between contexts.
public final class PersistentStoreCoordinator: Sendable {
    /// The name of the model.
    public let modelName: String
    let store: SQLiteStore
    let schema: StoreSchema
    private let keys: Mutex<KeyBlock>
    private let inboxes = Mutex<[WeakInbox]>([])

    private struct WeakInbox: Sendable {
        weak var inbox: ContextInbox?
    }

    /// Numbers for new objects, taken from the store in blocks.
    private struct KeyBlock {
        var next: Int64 = 0
        var end: Int64 = 0
        /// How many the next block will have.
        var size: Int64 = 1_024
        /// For when the store gives none: the save will say why.
        var nextProvisional: Int64 = 1 << 62
    }

    init(modelName: String, store: SQLiteStore, schema: StoreSchema) {
        self.modelName = modelName
        self.store = store
        self.schema = schema
        keys = Mutex(KeyBlock())
    }

    // MARK: Keys

    /// A number that no other object of the store has or had.
    func nextKey() -> Int64 {
        if let key = takeKey() { return key }
        do {
            try store.write { connection in try reserveKeys(connection) }
        } catch {
            // The store is read-only, full or locked: the object can be worked with, and save throws the cause.
            return keys.withLock { block in
                block.nextProvisional += 1
                return block.nextProvisional
            }
        }
        return takeKey() ?? nextKey()
    }

    private func takeKey() -> Int64? {
        keys.withLock { block in
            guard block.next < block.end else { return nil }
            block.next += 1
            return block.next - 1
        }
    }

    /// Reserves the next block within a save when half of the current one is used.
    func topUpKeys(_ connection: SQLiteConnection) throws(StoreError) {
        let needsMore = keys.withLock { $0.end > 0 && ($0.end - $0.next) * 2 < $0.size / 2 }
        if needsMore { try reserveKeys(connection) }
    }

    private func reserveKeys(_ connection: SQLiteConnection) throws(StoreError) {
        let size = keys.withLock { $0.size }
        let statement = try connection.statement(
            "UPDATE \"_sequence\" SET \"next\" = \"next\" + ? WHERE \"name\" = 'object' RETURNING \"next\""
        )
        statement.bind(size, at: 1)
        guard try statement.step() else {
            statement.reset()
            throw StoreError(.notAChordataStore, "has no sequence of object numbers", path: store.path)
        }
        let end = statement.integer(at: 0)
        statement.reset()
        keys.withLock { block in
            // What is left of the old block is given up; numbers are plenty.
            block.next = end - size
            block.end = end
            block.size = min(size * 2, 65_536)
        }
    }

    // MARK: Changes

    func register(_ inbox: ContextInbox) {
        inboxes.withLock { list in
            list.removeAll { $0.inbox == nil }
            list.append(WeakInbox(inbox: inbox))
        }
    }

    /// Whether a context would get what another one posts.
    func hasInboxes(beside sender: ContextInbox) -> Bool {
        inboxes.withLock { list in list.contains { $0.inbox != nil && $0.inbox !== sender } }
    }

    func post(_ changes: ChangeSet, from sender: ContextInbox) {
        let receivers = inboxes.withLock { list in list.compactMap(\.inbox) }
        for receiver in receivers where receiver !== sender { receiver.post(changes) }
    }
}
