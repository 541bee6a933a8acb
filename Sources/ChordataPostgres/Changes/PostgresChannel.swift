internal import Chordata

/// A channel of a store, on the connection that all stores of the process with the same connection string share.
final class PostgresChannel: ServerChannel {
    private let listener: PostgresListener
    private let name: String
    private let id: Int

    /// - Parameter onNotification: A closure that is called after each notification; `nil` if the channel only sends
    ///   notifications.
    init(named name: String, _ configuration: PostgresConfiguration, onNotification: (@Sendable () -> Void)?) {
        listener = PostgresListener.shared(configuration)
        self.name = name
        id = listener.add(name, onNotification)
    }

    deinit { listener.remove(id) }

    var isListening: Bool { listener.isListening }
    func notify() { listener.notify(name) }

    func withConnection<Result>(_ body: (any ServerConnection) throws -> Result) throws -> Result {
        try listener.withConnection(body)
    }
}

extension PostgresPool {
    package func openChannel(named name: String, onNotification: (@Sendable () -> Void)?) -> any ServerChannel {
        PostgresChannel(named: name, configuration, onNotification: onNotification)
    }
}
