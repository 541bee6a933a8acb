internal import Foundation
internal import Synchronization

/// A notification that contexts post, with a flag that shows whether the process may have an observer of it.
///
/// A save of many objects must not create sets that no observer reads. An observer has to use the notification's name
/// first, so nothing is created or posted before the first access to the name.
enum ContextNotification: UInt8 {
    case didChangeObjects, willSaveObjects, didSaveObjects, didSaveObjectIDs, didMergeChangesObjectIDs

    /// A bit for each name that was accessed.
    private static let asked = Atomic<UInt8>(0)

    private var bit: UInt8 { 1 << rawValue }

    /// The name, for the runtime's own use.
    ///
    /// Core Data's own notifications have other names: a program on Apple's systems may use both.
    var name: Notification.Name {
        switch self {
        case .didChangeObjects: Notification.Name("ChordataContextDidChangeObjects")
        case .willSaveObjects: Notification.Name("ChordataContextWillSaveObjects")
        case .didSaveObjects: Notification.Name("ChordataContextDidSaveObjects")
        case .didSaveObjectIDs: Notification.Name("ChordataContextDidSaveObjectIDs")
        case .didMergeChangesObjectIDs: Notification.Name("ChordataContextDidMergeChangesObjectIDs")
        }
    }

    /// A Boolean value that indicates whether the name was accessed.
    var mayBeObserved: Bool { Self.asked.load(ordering: .relaxed) & bit != 0 }

    /// Returns the name, and marks the notification as possibly observed.
    func askForName() -> Notification.Name {
        Self.asked.bitwiseOr(bit, ordering: .relaxed)
        return name
    }

    /// Posts the notification of a context synchronously.
    func post(_ context: AnyObject, _ userInfo: [AnyHashable: Any]? = nil) {
        NotificationCenter.default.post(name: name, object: context, userInfo: userInfo)
    }
}
