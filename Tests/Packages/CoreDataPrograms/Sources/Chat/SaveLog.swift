import CoreData
import Foundation

/// Collects the notifications of the contexts that import messages.
final class SaveLog {
    private(set) var lines: [String] = []
    private var observers: [NSObjectProtocol] = []

    init() {
        let center = NotificationCenter.default
        let names: [(Notification.Name, String)] = [
            (.NSManagedObjectContextObjectsDidChange, "did change"),
            (.NSManagedObjectContextWillSave, "will save"),
            (.NSManagedObjectContextDidSave, "did save"),
        ]
        for (name, title) in names {
            let observer = center.addObserver(forName: name, object: nil, queue: nil) { [unowned self] notification in
                guard let context = notification.object as? NSManagedObjectContext, context.name == "import" else {
                    return
                }
                self.add(title, notification)
            }
            observers.append(observer)
        }
    }

    private func add(_ title: String, _ notification: Notification) {
        guard let userInfo = notification.userInfo, !userInfo.isEmpty else {
            lines.append("\(title), no user info")
            return
        }
        let inserted = userInfo[NSInsertedObjectsKey] as? Set<NSManagedObject> ?? []
        let messages = inserted.compactMap { $0 as? Message }
        let temporary = messages.filter { $0.objectID.isTemporaryID }.count
        lines.append("\(title), \(messages.count) messages inserted, \(temporary) temporary")
    }

    func flush() {
        for line in lines { print("  \(line)") }
        lines = []
    }

    deinit {
        observers.forEach { NotificationCenter.default.removeObserver($0) }
    }
}
