internal import Foundation
internal import Synchronization

/// Runs a closure on a thread whose stack is large enough for deeply nested trees.
///
/// A chain of 100,000 members, such as `a.b.c`, is a tree of that depth, and its functions recurse.
/// - Parameter limit: The seconds after which the result is `nil`. The thread then still runs until the closure returns
///   or the program ends.
func withLargeStack<Result: Sendable>(limit: Double, _ body: @escaping @Sendable () -> Result) -> Result? {
    let state = Shared<Result>()
    let thread = Thread {
        let value = body()
        state.result.withLock { $0 = value }
        state.done.signal()
    }
    // Pages that are not used need no memory.
    thread.stackSize = 1 << 29
    thread.start()
    _ = state.done.wait(timeout: limit == .infinity ? .distantFuture : .now() + limit)
    return state.result.withLock { $0 }
}

/// Runs a closure without a time limit.
func withLargeStack<Result: Sendable>(_ body: @escaping @Sendable () -> Result) -> Result {
    guard let result = withLargeStack(limit: .infinity, body) else {
        preconditionFailure("the closure has returned, so there is a result")
    }
    return result
}

/// The result of a thread.
private final class Shared<Result: Sendable>: Sendable {
    let result = Mutex<Result?>(nil)
    let done = DispatchSemaphore(value: 0)
}
