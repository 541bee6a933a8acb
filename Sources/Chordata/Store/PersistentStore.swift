internal import Synchronization

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// An open store, and what all contexts that work with it share: the model's classes, numbers for new objects, and the way
/// changes travel between contexts.
public final class PersistentStore: Sendable {
    /// Where a store is kept.
    public enum StoreType: Sendable, Hashable {
        /// In an SQLite file.
        case sqlite
        /// In memory: it ends with its coordinator.
        case inMemory
    }

    /// The identity of the store, which it keeps for ever.
    public let identifier: UUID
    let sqlite: SQLiteStore
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
        /// For when the store gives none in time: a save replaces it, or says why it cannot.
        var nextProvisional = provisionalKeys
    }

    /// From here on numbers are provisional.
    static let provisionalKeys: Int64 = 1 << 62

    init(identifier: UUID, sqlite: SQLiteStore, schema: StoreSchema) {
        self.identifier = identifier
        self.sqlite = sqlite
        self.schema = schema
        keys = Mutex(KeyBlock())
    }

    /// Where the store is kept.
    public var type: StoreType { sqlite.isInMemory ? .inMemory : .sqlite }
    /// The path of the file; `:memory:` for a store in memory.
    public var path: String { sqlite.path }

    /// Whether nothing is saved.
    public var isReadOnly: Bool { sqlite.isReadOnly }

    // MARK: Metadata

    /// What the store says of itself.
    /// - Throws: ``StoreError``.
    public func metadata() throws -> StoreMetadata { try sqlite.read { try readMetadata($0) } }

    /// Notes something in the store's metadata, at once and apart from any save; `nil` takes the note away.
    /// - Throws: ``StoreError``.
    public func setNote(_ value: String?, forKey key: String) throws {
        try sqlite.write { try writeNote(value, forKey: key, $0) }
    }

    /// Copies the store as it is now to a file that does not exist yet; others may go on working with the store.
    /// - Throws: ``StoreError``; then there is no file.
    public func backUp(to path: String) throws {
        try sqlite.read { try copyStore($0, toNewFile: path) }
    }

    // MARK: Keys

    /// A number that no other object of the store has or had; a provisional one where the store would have to be waited for.
    func nextKey() -> Int64 {
        if let key = takeKey() { return key }
        do {
            // Without waiting for the disk: a save that comes later waits for this too, and nothing else depends on it.
            try sqlite.writeIfAvailable { connection in try reserveKeys(connection) }
        } catch {
            // The store is read-only, full or locked by another process: the object can be worked with, and save throws the cause.
            return takeProvisionalKey()
        }
        return takeKey() ?? takeProvisionalKey()
    }

    private func takeKey() -> Int64? {
        keys.withLock { block in
            guard block.next < block.end else { return nil }
            block.next += 1
            return block.next - 1
        }
    }

    private func takeProvisionalKey() -> Int64 {
        keys.withLock { block in
            block.nextProvisional += 1
            return block.nextProvisional
        }
    }

    /// Numbers for objects that have provisional ones.
    func permanentKeys(_ count: Int) throws -> [Int64] {
        var permanent: [Int64] = []
        while permanent.count < count {
            if let key = takeKey() { permanent.append(key) } else { try sqlite.write { try reserveKeys($0) } }
        }
        return permanent
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
            throw StoreError(.notAChordataStore, "has no sequence of object numbers", path: sqlite.path)
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
