internal import Synchronization

/// Gives values to any number of asynchronous sequences; all end with it.
final class AsyncBroadcast<Element: Sendable>: Sendable {
    private struct Subscriber: Sendable {
        let continuation: AsyncStream<Element>.Continuation
        /// Selects the contexts whose values the sequence gets; `nil` for all values.
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

    /// A sequence of all values from now on, none of which is lost; it is removed when its consumer releases it.
    /// - Parameter predicate: Selects the contexts whose values the sequence gets, in their isolation; `nil` for all.
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

    /// Ends the sequences that there are.
    func finish() {
        let finished = subscribers.withLock { subscribers in
            defer { subscribers.byNumber = [:] }
            return subscribers.byNumber.values
        }
        for subscriber in finished { subscriber.continuation.finish() }
    }

    /// Gives a value to all sequences.
    func send(_ element: Element) {
        // Under the lock, so that all get the values in one order; no foreign code runs here.
        subscribers.withLock { subscribers in
            for subscriber in subscribers.byNumber.values { subscriber.continuation.yield(element) }
        }
    }

    /// Gives a value to the sequences that select its context.
    func send(_ element: Element, from context: ManagedObjectContext) {
        // Predicates are code of the program, and run without the lock.
        let selected = subscribers.withLock(\.byNumber).filter { $0.value.predicate?(context) ?? true }.keys
        subscribers.withLock { subscribers in
            for number in selected { subscribers.byNumber[number]?.continuation.yield(element) }
        }
    }
}
