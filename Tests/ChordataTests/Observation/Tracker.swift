import Observation
import Synchronization

/// Who tracks what is read, and what it was told.
final class Tracker: Sendable {
    private let told = Mutex<[String]>([])

    /// Tracks what the body reads until it changes for the first time.
    @discardableResult
    func track<Result>(_ name: String, _ body: () -> Result) -> Result {
        withObservationTracking(body) { [self] in note(name) }
    }

    /// Notes that something was told.
    func note(_ name: String) { told.withLock { $0.append(name) } }

    /// The names of what changed since the last call, in the order in which that was told.
    func take() -> [String] {
        told.withLock { told in
            defer { told = [] }
            return told
        }
    }
}
