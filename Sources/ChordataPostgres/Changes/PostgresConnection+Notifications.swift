internal import CChordataPostgres

/// A notification that a connection has received.
struct PostgresNotification {
    let channel, payload: String
    /// The process ID of the server process that sent the notification.
    package let processID: Int32
}

extension PostgresConnection {
    var socket: Int32 { chordata_pg_socket(handle) }

    /// Returns the notifications that have arrived, without waiting; `nil` if the connection is lost.
    func takeNotifications() -> [PostgresNotification]? {
        guard !isLost, chordata_pg_consumeInput(handle) == 1, !isLost else { return nil }
        var notifications: [PostgresNotification] = []
        while let notification = chordata_pg_notifies(handle) {
            notifications.append(
                PostgresNotification(
                    channel: String(cString: notification.pointee.channel),
                    payload: notification.pointee.payload.map { String(cString: $0) } ?? "",
                    processID: notification.pointee.processID
                )
            )
            chordata_pg_freemem(notification)
        }
        return notifications
    }
}
