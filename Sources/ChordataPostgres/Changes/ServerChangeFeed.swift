internal import Chordata
internal import ChordataSQL
internal import Dispatch
internal import Synchronization

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Reports the saves of other programs to the contexts of a store, and notifies these programs of the saves of this
/// one.
///
/// It reads the table of saves when another program notifies it, and otherwise at intervals. A save has its place in
/// the order when all transactions with lower numbers have ended. So a long-running transaction, in any database of the
/// server, delays the reports, but no save is missed and none is reported twice.
final class ServerChangeFeed: Sendable {
    /// The times between two reads.
    private enum Interval {
        /// While saves wait for their place in the order.
        static let unplaced = Duration.milliseconds(5)
        /// After a save of another program, if notifications do not arrive; doubled up to ``idle``.
        static let active = Duration.milliseconds(50)
        static let idle = Duration.seconds(1)
        /// If notifications arrive: in case a program ends between its save and its notification.
        static let listening = Duration.seconds(2)
    }

    /// The number of saves that are read together.
    private static let pageSize = 200
    /// The time between two deletions of old records.
    private static let deletionInterval = Duration.seconds(60)
    /// The number of records that are deleted together.
    private static let deletionSize = 10_000

    private struct WeakStore: Sendable {
        weak var store: PersistentStore?
    }

    private struct State {
        /// The number of the last save that was read.
        var last: Int64
        var interval = Interval.active
        /// The number of the next scheduled read; others that were scheduled are obsolete.
        var ticket = 0
        var isReading = false
        /// A Boolean value that indicates whether a notification arrived during a read.
        var isWoken = false
        /// A Boolean value that indicates whether the scheduled read follows a notification.
        var isNotified = false
        /// The number of reads that have found saves whose notifications did not arrive.
        var missedCount = 0
        var nextDeletion = ContinuousClock.now + ServerChangeFeed.deletionInterval * Double.random(in: 0.5...1.5)
    }

    private let store: WeakStore
    private let schemaName: String
    private let origin: Int64
    private let options: ServerOptions
    private let state: Mutex<State>
    /// Held while saves are reported, so that they are reported in their order.
    private let reporting = Mutex(())
    /// The channel, once it is open.
    let channel = Mutex<(any ServerChannel)?>(nil)

    /// - Parameter last: The number of the last save that the contexts will read themselves.
    init(_ store: PersistentStore, schemaName: String, origin: Int64, options: ServerOptions, after last: Int64) {
        self.store = WeakStore(store: store)
        self.schemaName = schemaName
        self.origin = origin
        self.options = options
        state = Mutex(State(last: last))
    }

    /// Opens the channel, and reads saves when it is notified, or at intervals, until the feed is released.
    func start(_ database: any ServerDatabase) {
        let name = "chordata_" + String(UInt64(bitPattern: ServerEngine.lockKey(schemaName)), radix: 16)
        let receives = options.reportsRemoteChanges
        var onNotification: (@Sendable () -> Void)?
        if receives { onNotification = { [weak self] in self?.wake() } }
        let opened = database.openChannel(named: name, onNotification: onNotification)
        channel.withLock { $0 = opened }
        schedule(after: receives ? Interval.active : Self.deletionInterval)
    }

    /// A Boolean value that indicates whether the notifications of other programs arrive.
    ///
    /// A connection pooler can forward some notifications by chance.
    var isListening: Bool {
        guard channel.withLock({ $0 })?.isListening == true else { return false }
        return state.withLock { $0.missedCount < Self.missedLimit }
    }

    /// The number of reads that have found saves without notifications, after which the feed reads at short intervals.
    private static let missedLimit = 3

    /// The number of the last save that was read: all with lower numbers were reported.
    var position: Int64 { state.withLock { $0.last } }

    /// Notifies other programs of a save.
    func notify() {
        if options.recordsChanges { channel.withLock { $0 }?.notify() }
    }

    // MARK: Scheduling

    /// Reads saves soon.
    private func wake() {
        let isReading = state.withLock { state in
            if state.isReading { state.isWoken = true } else { state.isNotified = true }
            return state.isReading
        }
        if !isReading { schedule(after: .zero) }
    }

    private func schedule(after time: Duration) {
        let ticket = state.withLock { state in
            state.ticket += 1
            return state.ticket
        }
        let (seconds, attoseconds) = time.components
        let nanoseconds = DispatchTimeInterval.nanoseconds(Int(seconds * 1_000_000_000 + attoseconds / 1_000_000_000))
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + nanoseconds) { [weak self] in
            self?.read(ticket)
        }
    }

    private func read(_ ticket: Int) {
        let wasListening = isListening
        let begins = state.withLock { state in
            guard state.ticket == ticket, !state.isReading else { return false }
            (state.isReading, state.isWoken) = (true, false)
            return true
        }
        guard begins, let store = store.store else { return }
        let result = options.reportsRemoteChanges ? report(to: store) : .nothing
        deleteIfDue()
        let isListening = isListening
        let next = state.withLock { state in
            state.isReading = false
            if result == .reported, wasListening, !state.isNotified, !state.isWoken { state.missedCount += 1 }
            // The notification of a save that waits for its place has already been received.
            state.isNotified = state.isWoken || result == .unplaced
            if state.isWoken { return Duration.zero }
            switch result {
            case .unplaced: return Interval.unplaced
            case .reported: state.interval = Interval.active
            case .nothing, .failed: state.interval = min(state.interval * 2, Interval.idle)
            }
            guard options.reportsRemoteChanges else { return Self.deletionInterval }
            return isListening && result != .failed ? Interval.listening : state.interval
        }
        schedule(after: next)
    }

    // MARK: Reading

    enum Result {
        case nothing, reported
        /// Saves wait for their place in the order.
        case unplaced
        /// The server cannot be reached, or another program has migrated the store. The next call tries again; contexts
        /// detect this with their own reads.
        case failed
    }

    private struct Page {
        var rows: [HistoryRow] = []
        /// The number of the first save that was not deleted.
        var first: Int64 = 0
        /// The number of the first save that has no place in the order yet.
        var horizon: Int64 = 0
        var hasUnplaced = false
    }

    /// Reads the saves since the last call, and delivers the saves of other programs.
    @discardableResult
    func report(to store: PersistentStore) -> Result {
        reporting.withLock { _ in
            do {
                return try reportPages(to: store)
            } catch {
                return .failed
            }
        }
    }

    private func reportPages(to store: PersistentStore) throws -> Result {
        var result = Result.nothing
        while true {
            let last = state.withLock { $0.last }
            let page = try readPage(after: last)
            if page.first > last + 1 {
                // Saves were deleted before this program read them.
                store.reportGap(before: page.first)
                result = .reported
            }
            if try deliver(page.rows.filter { $0.origin != origin }, to: store) { result = .reported }
            let isLast = page.rows.count < Self.pageSize
            let end = isLast ? page.horizon - 1 : page.rows[page.rows.count - 1].id
            state.withLock { $0.last = max(last, end) }
            if isLast { return page.hasUnplaced ? .unplaced : result }
        }
    }

    private func readPage(after last: Int64) throws -> Page {
        guard let channel = channel.withLock({ $0 }) else { return Page() }
        var page = Page()
        try channel.withConnection { connection in
            // One transaction reads the rows, and the number up to which they are complete, from the same snapshot.
            let reader = ServerReader(connection, begin: ServerEngine.beginOfReading(schemaName))
            defer { connection.endReading() }
            try reader.forEachRow(of: StoreQuery(Self.positionSQL)) { row in
                (page.first, page.horizon) = (row.integer(at: 0), row.integer(at: 1))
                page.hasUnplaced = row.integer(at: 2) > 0
            }
            guard page.horizon > last + 1 else { return }
            let changes = "CASE WHEN s.\"origin\" = $2 THEN '' ELSE s.\"changes\" END"
            let sql =
                ServerChangeRows.select(changes) + " WHERE s.\"id\" > $1 AND s.\"id\" < \(ServerHistory.horizon)"
                + " ORDER BY s.\"id\" LIMIT \(Self.pageSize)"
            let arguments = [last, origin].map { PredicateValue.attribute(.integer($0)) }
            try reader.forEachRow(of: StoreQuery(sql, .values(arguments))) { page.rows.append(HistoryRow($0)) }
        }
        return page
    }

    private static let positionSQL =
        "SELECT max(\"next\"), \(ServerHistory.horizon), "
        + "(SELECT count(*) FROM (SELECT 1 FROM \"_save\" WHERE \"id\" >= \(ServerHistory.horizon) LIMIT 1) AS u) "
        + "FROM \"_sequence\" WHERE \"name\" = 'save'"

    /// - Returns: Whether anything was delivered to contexts.
    private func deliver(_ rows: [HistoryRow], to store: PersistentStore) throws -> Bool {
        var readable: [(row: HistoryRow, changes: [PersistentStore.HistoryRowChange])] = []
        for row in rows {
            do {
                readable.append((row, try store.changes(of: row)))
            } catch let error as StoreError where error.code == .incompleteStore {
                // Its changes cannot be read, now or later.
                try deliver(readable, to: store)
                readable = []
                store.reportGap(before: row.id + 1, origin: row.origin)
            }
        }
        try deliver(readable, to: store)
        return !rows.isEmpty
    }

    private func deliver(
        _ saves: [(row: HistoryRow, changes: [PersistentStore.HistoryRowChange])],
        to store: PersistentStore
    ) throws {
        guard !saves.isEmpty, let engine = store.engine as? ServerEngine,
            let channel = channel.withLock({ $0 })
        else { return }
        let changes = saves.flatMap(\.changes)
        try engine.posts.deliverRemote {
            try channel.withConnection { connection in
                defer { connection.endReading() }
                let reader = ServerReader(connection, begin: ServerEngine.beginOfReading(schemaName))
                return try store.missingRows(of: changes, .engine(reader))
            }
        } deliver: { missing in
            for save in saves { store.inboxes.queueRemote(store.changeSet(of: save.changes, except: missing)) }
        }
        store.inboxes.deliver()
        for save in saves { store.sendRemoteChange(save.row, store.transaction(of: save.row, save.changes)) }
    }

    // MARK: Deleting

    private func deleteIfDue() {
        let isDue = state.withLock { state in
            guard ContinuousClock.now >= state.nextDeletion else { return false }
            state.nextDeletion = ContinuousClock.now + Self.deletionInterval
            return true
        }
        // Another program, or the next call, deletes them if this call cannot.
        if isDue { _ = try? deleteOldRecords(before: Date() - options.changeRetention.seconds) }
    }

    /// Deletes the records of saves before a time, unless the store tracks its persistent history.
    /// - Returns: The number of deleted records.
    /// - Throws: ``StoreError`` when the server cannot be reached.
    @discardableResult
    func deleteOldRecords(before date: Date) throws -> Int {
        guard let channel = channel.withLock({ $0 }) else { return 0 }
        var count = 0
        while true {
            let deleted = try channel.withConnection { connection in
                try connection.deleteSaves(
                    in: schemaName,
                    where:
                        "\"at\" < $1 AND NOT EXISTS (SELECT 1 FROM \"_sequence\" WHERE \"name\" = '\(ServerHistory.name)')",
                    [.value(.attribute(.date(date)))],
                    limit: Self.deletionSize
                )
            }
            count += deleted
            if deleted < Self.deletionSize { return count }
        }
    }
}

extension ServerConnection {
    /// Deletes the first saves that meet a condition and have a place in the order.
    /// - Returns: The number of deleted saves.
    func deleteSaves(
        in schemaName: String,
        where condition: String,
        _ arguments: [ServerArgument],
        limit: Int? = nil
    ) throws -> Int {
        let ids =
            "SELECT \"id\", \"at\" FROM \"_save\" WHERE \"id\" < \(ServerHistory.horizon) ORDER BY \"id\""
            + (limit.map { " LIMIT \($0)" } ?? "")
        var count = 0
        do {
            _ = try execute([
                ServerStatement("BEGIN"), ServerEngine.searchPath(schemaName),
                // Without this lock, a second program would wait for the rows that this one deletes.
                ServerStatement("SELECT \"next\" FROM \"_sequence\" WHERE \"name\" = 'save' FOR UPDATE"),
                ServerStatement(
                    "WITH s AS (\(ids)), d AS (DELETE FROM \"_save\" WHERE \"id\" IN (SELECT \"id\" FROM s WHERE \(condition)) "
                        + "RETURNING \"id\"), n AS (UPDATE \"_sequence\" SET \"next\" = greatest(\"next\", "
                        + "(SELECT max(\"id\") + 1 FROM d)) WHERE \"name\" = 'save' AND EXISTS (SELECT 1 FROM d)) "
                        + "SELECT count(*) FROM d",
                    arguments
                ), ServerStatement("COMMIT"),
            ]) { index, cells in
                if index == 3, case .integer(let deleted) = cells[0] { count = Int(deleted) }
            }
        } catch let failure as ServerFailure {
            if isInTransaction { _ = try? execute([ServerStatement("ROLLBACK")]) }
            throw failure.error
        }
        return count
    }
}

extension Duration {
    /// The duration in seconds.
    fileprivate var seconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) + Double(attoseconds) / 1e18
    }
}

/// The order in which the saves of this program and of other programs are queued for contexts.
final class ServerPosts: Sendable {
    /// The number of saves of this program that were queued.
    private let count = Mutex(0)

    /// Queues a save of this program.
    func deliver(_ body: () -> Void) {
        count.withLock { count in
            count += 1
            body()
        }
    }

    /// Queues saves of other programs.
    ///
    /// A row that was deleted in the meantime must not be reported after its deletion. So the rows are looked up before
    /// they are queued, and again if a save of this program was queued in the meantime.
    /// - Parameters:
    ///   - find: A closure that returns the rows that do not exist any more.
    ///   - deliver: A closure that queues the other rows.
    /// - Throws: Any error that the closure `find` throws.
    func deliverRemote<Found>(_ find: () throws -> Found, deliver: (Found) -> Void) throws {
        for _ in 0..<3 {
            let start = count.withLock { $0 }
            let found = try find()
            let isDelivered = count.withLock { count in
                guard count == start else { return false }
                deliver(found)
                return true
            }
            if isDelivered { return }
        }
        // This program saves continuously, so its saves wait for one lookup.
        try count.withLock { _ in deliver(try find()) }
    }
}
