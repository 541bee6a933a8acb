import Observation
import Synchronization

/// A tracker of accesses, and its notifications.
final class Tracker: Sendable {
    private let told = Mutex<[String]>([])

    /// Tracks what the body reads until it changes for the first time.
    @discardableResult
    func track<Result>(_ name: String, _ body: () -> Result) -> Result {
        withObservationTracking(body) { [self] in note(name) }
    }

    /// Records a notification.
    func note(_ name: String) { told.withLock { $0.append(name) } }

    /// The names of the changes since the last call, in the order of the notifications.
    func take() -> [String] {
        told.withLock { told in
            defer { told = [] }
            return told
        }
    }
}
