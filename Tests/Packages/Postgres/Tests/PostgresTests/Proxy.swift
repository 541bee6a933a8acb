import Foundation
import Synchronization

/// A proxy between a store and the server, which loses connections at a chosen message, delays messages, and rejects
/// statements that some servers do not support.
///
/// It listens on a socket in a temporary folder.
final class Proxy: Sendable {
    enum Direction: String, CaseIterable, Sendable { case toServer, toClient }

    /// The loss of connections.
    struct Cut: Sendable {
        /// The direction whose messages are counted.
        var direction: Direction
        /// The number of messages that are passed on before the connection is closed.
        var messageCount: Int
        /// The number of connections that are closed.
        var connectionCount = 1
        /// The text of the message with which counting begins, on any connection; `nil` for the first message after
        /// the call of ``cut(_:)``.
        var start: String?
    }

    private struct State {
        var cut: Cut?
        /// The connections on which messages are counted, with the numbers of messages that were passed on.
        var counts: [Int: [Direction: Int]] = [:]
        /// The connections that send or receive notifications, which are not a part of a save.
        var channels: Set<Int> = []
        var closedCount = 0
        var totalClosedCount = 0
        var delay = 0.0
        var rejected: [String] = []
        var rejectedCount = 0
        var connectionCount = 0
        var isClosed = false
    }

    /// The action for a message.
    private enum Action { case pass, replace([UInt8]), close }

    private let state = Mutex(State())
    private let folder: URL
    private let listener: Int32
    private let server: String

    /// Listens, and connects to the server of a connection string of `Scripts/postgres start` for each client.
    init(server string: String) throws {
        guard let components = URLComponents(string: string),
            let host = components.queryItems?.first(where: { $0.name == "host" })?.value
        else { throw ProxyError(description: "no host in '\(string)'") }
        server = "\(host)/.s.PGSQL.5432"
        folder = URL(fileURLWithPath: "/tmp/chordata-proxy-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        listener = try Self.socket({ bind($0, $1, $2) }, at: "\(folder.path)/.s.PGSQL.5432")
        guard listen(listener, 64) == 0 else { throw ProxyError(description: "cannot listen, errno \(errno)") }
        Thread.detachNewThread { [self] in accept() }
    }

    /// The connection string of the server through the proxy.
    var string: String { "postgresql:///postgres?host=\(folder.path)&user=chordata" }

    /// Ends the proxy; connections that are open remain until one side closes them.
    func close() {
        state.withLock { $0.isClosed = true }
        shutdown(listener, Int32(SHUT_RDWR))
        try? FileManager.default.removeItem(at: folder)
    }

    // MARK: Faults

    /// Closes a connection, or several one after another, after a number of messages.
    func cut(_ cut: Cut?) {
        state.withLock { state in
            state.cut = cut
            state.counts = [:]
            state.closedCount = 0
        }
    }

    /// The number of connections that were closed by a ``cut(_:)`` so far.
    var closedCount: Int { state.withLock { $0.totalClosedCount } }

    /// The numbers of messages that were passed on since the last ``cut(_:)``, of all connections whose messages are
    /// counted.
    var passedCounts: [Direction: Int] {
        state.withLock { state in
            state.counts.values.reduce(into: [:]) { $0.merge($1, uniquingKeysWith: +) }
        }
    }

    /// Waits before each message is passed on, in seconds.
    func delay(by seconds: Double) { state.withLock { $0.delay = seconds } }

    /// Makes the server report statements with one of these texts as unsupported, with the SQLSTATE 0A000.
    func reject(_ texts: [String]) {
        state.withLock { state in
            state.rejected = texts
            state.rejectedCount = 0
        }
    }

    /// The number of statements that were rejected.
    var rejectedCount: Int { state.withLock { $0.rejectedCount } }

    private func action(for message: [UInt8], _ direction: Direction, of connection: Int) -> Action {
        state.withLock { state in
            if direction == .toServer, let text = state.rejected.first(where: { message.contains(text: $0) }) {
                if let replaced = Self.rejected(message, text) {
                    state.rejectedCount += 1
                    return .replace(replaced)
                }
            }
            if message.contains(text: "pg_notify") || message.contains(text: "LISTEN") {
                state.channels.insert(connection)
                state.counts[connection] = nil
            }
            guard let cut = state.cut, !state.channels.contains(connection) else { return .pass }
            if state.counts[connection] == nil {
                guard direction == .toServer, cut.start.map({ message.contains(text: $0) }) ?? true else {
                    return .pass
                }
                state.counts[connection] = [:]
            }
            guard direction == cut.direction, state.closedCount < cut.connectionCount,
                state.counts[connection]?[direction, default: 0] == cut.messageCount
            else {
                state.counts[connection]?[direction, default: 0] += 1
                return .pass
            }
            state.closedCount += 1
            state.totalClosedCount += 1
            return .close
        }
    }

    /// Returns a message whose statement is replaced by one that the server does not support; `nil` if the message is
    /// not a statement.
    private static func rejected(_ message: [UInt8], _ text: String) -> [UInt8]? {
        let statement = Array("SELECT DISTINCT 1 FOR UPDATE".utf8) + [0]
        var body: [UInt8]
        switch message[0] {
        case UInt8(ascii: "Q"): body = statement
        case UInt8(ascii: "P"):
            // The name of the statement, its text, and the number and types of its parameters.
            guard let end = message[5...].firstIndex(of: 0), let end2 = message[(end + 1)...].firstIndex(of: 0) else {
                return nil
            }
            body = Array(message[5...end]) + statement + message[(end2 + 1)...]
        default: return nil
        }
        let length = UInt32(body.count + 4)
        body = withUnsafeBytes(of: length.bigEndian) { Array($0) } + body
        return [message[0]] + body
    }

    // MARK: Connections

    private func accept() {
        while true {
            let client = Foundation.accept(listener, nil, nil)
            guard client >= 0, !state.withLock({ $0.isClosed }) else {
                _ = Foundation.close(listener)
                return
            }
            guard let server = try? Self.socket({ connect($0, $1, $2) }, at: server) else {
                _ = Foundation.close(client)
                continue
            }
            let connection = Connection(client: client, server: server)
            let number = state.withLock { state in
                state.connectionCount += 1
                return state.connectionCount
            }
            Thread.detachNewThread { [self] in pump(connection, .toServer, number) }
            Thread.detachNewThread { [self] in pump(connection, .toClient, number) }
        }
    }

    /// Two sockets, which are closed when both threads have ended.
    private final class Connection: Sendable {
        let client: Int32
        let server: Int32

        init(client: Int32, server: Int32) { (self.client, self.server) = (client, server) }

        deinit {
            _ = Foundation.close(client)
            _ = Foundation.close(server)
        }

        func end() {
            shutdown(client, Int32(SHUT_RDWR))
            shutdown(server, Int32(SHUT_RDWR))
        }
    }

    private func pump(_ connection: Connection, _ direction: Direction, _ number: Int) {
        let (source, target) =
            direction == .toServer ? (connection.client, connection.server) : (connection.server, connection.client)
        defer { connection.end() }
        // The first message of a client has no type.
        var isFirst = direction == .toServer
        var waiting: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(source, &buffer, buffer.count)
            guard count > 0 else { return }
            waiting += buffer[..<count]
            var start = 0
            while let end = Self.end(of: waiting[start...], hasType: !isFirst) {
                let message = Array(waiting[start..<end])
                let delay = state.withLock { $0.delay }
                if delay > 0 { Thread.sleep(forTimeInterval: delay) }
                switch isFirst ? .pass : action(for: message, direction, of: number) {
                case .pass: guard Self.write(message, to: target) else { return }
                case .replace(let other): guard Self.write(other, to: target) else { return }
                case .close: return
                }
                isFirst = false
                start = end
            }
            waiting.removeFirst(start)
        }
    }

    /// Returns the end of the first message; `nil` if it is not complete.
    private static func end(of bytes: ArraySlice<UInt8>, hasType: Bool) -> Int? {
        let start = bytes.startIndex + (hasType ? 1 : 0)
        guard bytes.endIndex >= start + 4 else { return nil }
        let length = bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
        let end = start + length
        return end <= bytes.endIndex ? end : nil
    }

    private static func write(_ bytes: [UInt8], to socket: Int32) -> Bool {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { send(socket, $0.baseAddress! + written, $0.count - written, noSignal) }
            guard count > 0 else { return false }
            written += count
        }
        return true
    }

    private static let noSignal = Int32(MSG_NOSIGNAL)

    /// Returns a socket after a call that binds or connects it.
    private static func socket(
        _ call: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32,
        at path: String
    ) throws -> Int32 {
        let socket = Foundation.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8) + [0]
        guard socket >= 0, bytes.count <= MemoryLayout.size(ofValue: address.sun_path) else {
            throw ProxyError(description: "no socket for '\(path)', errno \(errno)")
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                call(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard status == 0 else {
            defer { _ = Foundation.close(socket) }
            throw ProxyError(description: "cannot use '\(path)', errno \(errno)")
        }
        return socket
    }
}

/// An error of the proxy itself.
struct ProxyError: Error, CustomStringConvertible {
    let description: String
}

extension [UInt8] {
    /// Returns whether the bytes of a text occur in a statement; `false` for other messages.
    fileprivate func contains(text: String) -> Bool {
        guard first == UInt8(ascii: "Q") || first == UInt8(ascii: "P") else { return false }
        return Data(self).range(of: Data(text.utf8)) != nil
    }
}
