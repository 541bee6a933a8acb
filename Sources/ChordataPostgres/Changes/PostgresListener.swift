internal import CChordataPostgres
internal import Chordata
internal import Dispatch
internal import Synchronization

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The connection of the process to a server for notifications, outside of the pools.
///
/// It is opened when it is first used, and again after it was lost. A connection pooler that assigns a server
/// connection to each transaction accepts LISTEN, but does not forward notifications; so another connection sends one
/// first.
final class PostgresListener: Sendable {
    /// The minimum time between two notifications of a channel.
    private static let interval = DispatchTimeInterval.milliseconds(20)
    /// The time after which a lost connection is opened again.
    private static let reconnectInterval = DispatchTimeInterval.seconds(1)

    private static let listeners = Mutex<[String: WeakListener]>([:])

    private struct WeakListener: Sendable {
        weak var listener: PostgresListener?
    }

    private struct Receiver {
        let channel: String
        let body: (@Sendable () -> Void)?
    }

    private struct State {
        var receivers: [Int: Receiver] = [:]
        var nextID = 0
        /// The channels that were notified during the last interval, and whether each of them must be notified again.
        var paused: [String: Bool] = [:]
        var isListening = false
        /// The payload of the notification that another connection sends.
        var probe = ""
    }

    /// The connection and its source of events, used only on the queue.
    private final class Link {
        var connection: PostgresConnection?
        var source: (any DispatchSourceRead)?
        /// The channels to which the connection listens.
        var channels: Set<String> = []
        var isReconnecting = false
    }

    private let configuration: PostgresConfiguration
    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "Chordata.PostgresListener")
    // Used only on the queue, and when nothing else references the listener.
    nonisolated(unsafe) private let link = Link()

    /// Returns the listener of a connection string.
    static func shared(_ configuration: PostgresConfiguration) -> PostgresListener {
        listeners.withLock { listeners in
            listeners = listeners.filter { $0.value.listener != nil }
            if let known = listeners[configuration.connectionString]?.listener { return known }
            let listener = PostgresListener(configuration)
            listeners[configuration.connectionString] = WeakListener(listener: listener)
            return listener
        }
    }

    private init(_ configuration: PostgresConfiguration) { self.configuration = configuration }

    deinit { link.source?.cancel() }

    /// A Boolean value that indicates whether notifications of other connections arrive.
    var isListening: Bool { state.withLock { $0.isListening } }

    /// Adds the receiver of a channel.
    func add(_ channel: String, _ body: (@Sendable () -> Void)?) -> Int {
        let id = state.withLock { state in
            state.nextID += 1
            state.receivers[state.nextID] = Receiver(channel: channel, body: body)
            return state.nextID
        }
        if body != nil { queue.async { [weak self] in self?.listen() } }
        return id
    }

    func remove(_ id: Int) {
        state.withLock { $0.receivers[id] = nil }
        queue.async { [weak self] in self?.listen() }
    }

    // MARK: Sending

    /// Sends a notification now or, if one was sent during the last interval, at the end of that interval.
    func notify(_ channel: String) {
        let isPaused = state.withLock { state in
            defer { state.paused[channel] = state.paused[channel] != nil }
            return state.paused[channel] != nil
        }
        if !isPaused { queue.async { [weak self] in self?.sendNotification(channel) } }
    }

    private func sendNotification(_ channel: String) {
        let statement = ServerStatement("SELECT pg_notify($1, '')", [.value(.attribute(.string(channel)))])
        // Without the server, other programs read the save later.
        try? use { _ = try $0.execute([statement]) }
        queue.asyncAfter(deadline: .now() + Self.interval) { [weak self] in self?.endPause(channel) }
    }

    private func endPause(_ channel: String) {
        let isWanted = state.withLock { state in
            let isWanted = state.paused[channel] == true
            state.paused[channel] = isWanted ? false : nil
            return isWanted
        }
        if isWanted { sendNotification(channel) }
    }

    // MARK: The connection

    /// Runs a closure with the connection, which has no other user in the meantime.
    func withConnection<Result>(_ body: (PostgresConnection) throws -> Result) throws -> Result {
        try queue.sync { try use(body) }
    }

    private func use<Result>(_ body: (PostgresConnection) throws -> Result) throws -> Result {
        let connection = try open()
        defer {
            connection.finishReading()
            // Notifications arrive with the results of statements, too.
            if connection.isLost || connection.isInTransaction { close() } else { receive() }
        }
        return try body(connection)
    }

    private func open() throws -> PostgresConnection {
        if let connection = link.connection { return connection }
        let connection = try PostgresConnection(configuration, prepares: PreparationSwitch(isOn: false))
        let source = DispatchSource.makeReadSource(fileDescriptor: connection.socket, queue: queue)
        source.setEventHandler { [weak self] in self?.receive() }
        nonisolated(unsafe) let kept = connection
        // The source has ended before the socket is closed.
        source.setCancelHandler { withExtendedLifetime(kept) {} }
        source.activate()
        (link.connection, link.source, link.channels) = (connection, source, [])
        queue.async { [weak self] in self?.listen() }
        return connection
    }

    private func close() {
        link.source?.cancel()
        (link.connection, link.source, link.channels) = (nil, nil, [])
        let isNeeded = state.withLock { state in
            state.isListening = false
            return state.receivers.values.contains { $0.body != nil }
        }
        guard isNeeded, !link.isReconnecting else { return }
        link.isReconnecting = true
        queue.asyncAfter(deadline: .now() + Self.reconnectInterval) { [weak self] in
            self?.link.isReconnecting = false
            self?.listen()
        }
    }

    /// Listens to the channels that have receivers, and to no others.
    private func listen() {
        let wanted = state.withLock { state in
            Set(state.receivers.values.compactMap { $0.body == nil ? nil : $0.channel })
        }
        guard wanted != link.channels || link.connection == nil && !wanted.isEmpty else { return }
        do {
            let connection = try open()
            let added = wanted.subtracting(link.channels)
            let removed = link.channels.subtracting(wanted)
            // The channels are not among the settings that poolers know, so each statement is executed separately.
            _ = try connection.execute(
                removed.sorted().map { ServerStatement("UNLISTEN \"\($0)\"") }
                    + added.sorted().map { ServerStatement("LISTEN \"\($0)\"") }
            )
            let isNew = link.channels.isEmpty
            link.channels = wanted
            if isNew, let channel = added.first { probe(channel) }
            // Changes that were written before LISTEN are read now.
            wake(added, isOwn: false)
            receive()
        } catch {
            close()
        }
    }

    /// Sends a notification with another connection, to find out whether notifications arrive.
    private func probe(_ channel: String) {
        let payload = UUID().uuidString
        state.withLock { $0.probe = payload }
        let configuration = configuration
        DispatchQueue.global(qos: .utility).async {
            // If the server accepts no more connections, the stores read at intervals.
            let connection = try? PostgresConnection(configuration, prepares: PreparationSwitch(isOn: false))
            let arguments = [channel, payload].map { ServerArgument.value(.attribute(.string($0))) }
            _ = try? connection?.execute([ServerStatement("SELECT pg_notify($1, $2)", arguments)])
        }
    }

    /// Forwards the notifications that have arrived.
    private func receive() {
        guard let connection = link.connection else { return }
        guard let notifications = connection.takeNotifications() else { return close() }
        var channels: [Bool: Set<String>] = [:]
        for notification in notifications {
            let isOwn = notification.processID == connection.processID
            if !isOwn { state.withLock { $0.isListening = true } }
            if state.withLock({ $0.probe == notification.payload }) { continue }
            channels[isOwn, default: []].insert(notification.channel)
        }
        for (isOwn, channels) in channels { wake(channels, isOwn: isOwn) }
    }

    /// - Parameter isOwn: Whether a store of this process has sent the notification.
    private func wake(_ channels: Set<String>, isOwn: Bool) {
        let bodies = state.withLock { state in
            channels.flatMap { channel in
                let receivers = state.receivers.values.filter { $0.channel == channel }
                // If there is only one receiver, it is the sender.
                return isOwn && receivers.count == 1 ? [] : receivers.compactMap(\.body)
            }
        }
        for body in bodies { body() }
    }
}
