import Dispatch
import Testing

@testable import Chordata
@testable import ChordataSQL

/// Runs a closure while another connection writes to the store, so that it assigns no keys.
func withConcurrentWriter<Result>(_ sqlite: SQLiteStore, _ body: () throws -> Result) throws -> Result {
    let (isWriting, mayEnd, hasEnded) = (
        DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
    )
    DispatchQueue.global().async {
        do {
            try sqlite.write { _ in
                isWriting.signal()
                mayEnd.wait()
            }
        } catch {
            Issue.record(error)
        }
        hasEnded.signal()
    }
    isWriting.wait()
    defer {
        mayEnd.signal()
        hasEnded.wait()
    }
    return try body()
}
