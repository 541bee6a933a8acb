internal import Synchronization

/// Gives values to any number of asynchronous sequences; all end with it.
final class Broadcast<Element: Sendable>: Sendable {
    private struct Streams {
        var continuations: [Int: AsyncStream<Element>.Continuation] = [:]
        var created = 0
    }

    private let streams = Mutex(Streams())

    deinit { finish() }

    /// A Boolean value that indicates whether there is a subscriber.
    var hasSubscribers: Bool { streams.withLock { !$0.continuations.isEmpty } }

    /// A sequence of all values from now on, none of which is lost; it is forgotten when its consumer lets go of it.
    func makeStream() -> AsyncStream<Element> {
        let (stream, continuation) = AsyncStream.makeStream(of: Element.self, bufferingPolicy: .unbounded)
        let number = streams.withLock { streams in
            streams.created += 1
            streams.continuations[streams.created] = continuation
            return streams.created
        }
        continuation.onTermination = { [weak self] _ in
            _ = self?.streams.withLock { $0.continuations.removeValue(forKey: number) }
        }
        return stream
    }

    /// Ends the sequences that there are.
    func finish() {
        let continuations = streams.withLock { streams in
            defer { streams.continuations = [:] }
            return streams.continuations.values
        }
        for continuation in continuations { continuation.finish() }
    }

    /// Gives a value to all.
    func send(_ element: Element) {
        // Under the lock, so that all get the values in one order; no foreign code runs here.
        streams.withLock { streams in
            for continuation in streams.continuations.values { continuation.yield(element) }
        }
    }
}
