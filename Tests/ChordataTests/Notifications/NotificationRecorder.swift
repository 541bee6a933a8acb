import Chordata
import Foundation

/// Observes the notifications of one context, on the thread of the test.
final class NotificationRecorder: @unchecked Sendable {  // No lock: there is one thread, on which contexts post.
    private(set) var notifications: [Notification] = []
    private var tokens: [any NSObjectProtocol] = []
    private let body: ((Notification) throws -> Void)?
    private(set) var errors: [any Error] = []

    init(
        _ context: ManagedObjectContext,
        _ names: [Notification.Name] = ManagedObjectContext.allNotifications,
        then body: ((Notification) throws -> Void)? = nil
    ) {
        self.body = body
        for name in names {
            tokens.append(
                NotificationCenter.default.addObserver(forName: name, object: context, queue: nil) { [weak self] in
                    self?.recordNotification($0)
                }
            )
        }
    }

    deinit { stop() }

    func stop() {
        for token in tokens { NotificationCenter.default.removeObserver(token) }
        tokens = []
    }

    private func recordNotification(_ notification: Notification) {
        notifications.append(notification)
        do {
            try body?(notification)
        } catch {
            errors.append(error)
        }
    }

    /// The notifications since the last call, one line for each.
    func take() -> [String] {
        defer { notifications = [] }
        return notifications.map(describe)
    }
}

/// The name of a notification, and the number of objects for each key.
func describe(_ notification: Notification) -> String {
    let name = notification.name.rawValue.replacingOccurrences(of: "ChordataContext", with: "")
    let sets = (notification.userInfo ?? [:]).map { key, value in
        let count = (value as? Set<ManagedObject>)?.count ?? (value as? Set<ManagedObjectID>)?.count ?? -1
        return "\(key):\(count)"
    }
    return ([name] + sets.sorted()).joined(separator: " ")
}

extension Notification {
    func objects(_ key: ManagedObjectContext.NotificationKey) -> Set<ManagedObject> {
        userInfo?[key.rawValue] as? Set<ManagedObject> ?? []
    }

    func ids(_ key: ManagedObjectContext.NotificationKey) -> Set<ManagedObjectID> {
        userInfo?[key.rawValue] as? Set<ManagedObjectID> ?? []
    }
}

extension ManagedObjectContext {
    static var allNotifications: [Notification.Name] {
        [
            didChangeObjectsNotification, willSaveObjectsNotification, didSaveObjectsNotification,
            didSaveObjectIDsNotification, didMergeChangesObjectIDsNotification,
        ]
    }
}
