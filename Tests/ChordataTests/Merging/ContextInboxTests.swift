import ChordataTestStores
import ChordataTestSupport
import Foundation
import Testing

@testable import Chordata

struct ContextInboxTests {
    /// The stack must not grow with each notification: 50,000 of them run on a stack of 512 KiB.
    @Test func notificationsDoNotNest() async {
        await #expect(processExitsWith: .success) {
            let count = await withCheckedContinuation { (done: CheckedContinuation<Int, Never>) in
                let thread = Thread {
                    let inbox = ContextInbox()
                    nonisolated(unsafe) var count = 0
                    inbox.setNotification { count += 1 }
                    for _ in 0..<50_000 { inbox.post(ChangeSet(rows: [])) }
                    done.resume(returning: count)
                }
                thread.stackSize = 512 << 10
                thread.start()
            }
            expectEqual(count, 50_000)
        }
    }

    /// Repeated saves of the same rows, large or small, do not use more memory, and are merged once.
    @Test(arguments: [12_000, 3])
    func savesOfTheSameRowsAreKeptOnce(count: Int64) throws {
        let container = try LeagueModel.definition.testContainer(at: ":memory:")
        let type = container.persistentStoreCoordinator.persistentStores[0].schema.runtimeEntities[0]
        let inbox = ContextInbox()
        for version in 1...60 {
            let rows = (1...count).map { key in
                ChangeSet.Row(kind: .updated, type: type, key: key, version: Int64(version), values: nil)
            }
            inbox.post(ChangeSet(rows: rows))
            #expect(inbox.keptRowCount <= 6 * max(Int(count), ContextInbox.valueLimit))
        }
        let rows = inbox.drain()
        #expect(rows.count == Int(count) && rows.allSatisfy { $0.version == 60 })
        #expect(inbox.isEmpty)
    }
}
