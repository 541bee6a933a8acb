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
            #expect(count == 50_000)
        }
    }
}
