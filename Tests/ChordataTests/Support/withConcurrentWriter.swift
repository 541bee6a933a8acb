import Dispatch
import Testing

@testable import Chordata
@testable import ChordataPostgres
@testable import ChordataSQL

/// Runs a closure while another connection writes to the store, or while all connections to a server are in use, so
/// that the store cannot assign row keys.
func withConcurrentWriter<Result>(_ store: PersistentStore, _ body: () throws -> Result) throws -> Result {
    guard let sqlite = store.database else {
        let database = try #require(store.engine as? ServerEngine).database
        var connections: [any ServerConnection] = []
        defer { for connection in connections { database.release(connection) } }
        while database.isConnectionAvailable { connections.append(try database.take(for: "a test")) }
        return try body()
    }
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
