internal import Synchronization

/// Sends values to any number of asynchronous sequences, which finish when the broadcast is released.
final class AsyncBroadcast<Element: Sendable>: Sendable {
    private struct Subscriber: Sendable {
        let continuation: AsyncStream<Element>.Continuation
        /// A closure that selects the contexts whose values the sequence receives; `nil` for all values.
        let predicate: (@Sendable (ManagedObjectContext) -> Bool)?
    }

    private struct Subscribers {
        var byNumber: [Int: Subscriber] = [:]
        var created = 0
    }

    private let subscribers = Mutex(Subscribers())

    deinit { finish() }

    /// A Boolean value that indicates whether there is a subscriber.
    var hasSubscribers: Bool { subscribers.withLock { !$0.byNumber.isEmpty } }

    /// Returns a sequence of all future values, without loss; its subscriber is removed when the consumer releases the
    /// sequence.
    /// - Parameter predicate: A closure that selects the contexts whose values the sequence receives, and that is
    ///   called in their isolation; `nil` for all contexts.
    func makeStream(
        where predicate: (@Sendable (ManagedObjectContext) -> Bool)? = nil
    ) -> AsyncStream<Element> {
        let (stream, continuation) = AsyncStream.makeStream(of: Element.self, bufferingPolicy: .unbounded)
        let number = subscribers.withLock { subscribers in
            subscribers.created += 1
            subscribers.byNumber[subscribers.created] = Subscriber(continuation: continuation, predicate: predicate)
            return subscribers.created
        }
        continuation.onTermination = { [weak self] _ in
            _ = self?.subscribers.withLock { $0.byNumber.removeValue(forKey: number) }
        }
        return stream
    }

    /// Finishes all existing sequences.
    func finish() {
        let finished = subscribers.withLock { subscribers in
            defer { subscribers.byNumber = [:] }
            return subscribers.byNumber.values
        }
        for subscriber in finished { subscriber.continuation.finish() }
    }

    /// Sends a value to all sequences.
    func send(_ element: Element) {
        // The lock is held, so that all sequences receive the values in the same order; no code of the program runs
        // here.
        subscribers.withLock { subscribers in
            for subscriber in subscribers.byNumber.values { subscriber.continuation.yield(element) }
        }
    }

    /// Sends a value to the sequences that select its context.
    func send(_ element: Element, from context: ManagedObjectContext) {
        // Predicates are code of the program, and are called without the lock.
        let selected = subscribers.withLock(\.byNumber).filter { $0.value.predicate?(context) ?? true }.keys
        subscribers.withLock { subscribers in
            for number in selected { subscribers.byNumber[number]?.continuation.yield(element) }
        }
    }
}
