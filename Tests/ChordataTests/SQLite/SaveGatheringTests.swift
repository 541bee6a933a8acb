import ChordataSQL
import ChordataTestSupport
import Synchronization
import Testing

@testable import Chordata

/// The wait of a save for others that share its flush of the disk.
struct SaveGatheringTests {
    /// The numbers of saves that were executed together.
    private final class Groups: Sendable {
        let counts = Mutex<[Int]>([])
    }

    private static let flushTime = Duration.microseconds(300)

    @Test func oneWriterNeverWaits() {
        var gathering = SaveGathering()
        for _ in 0..<3 {
            expectEqual(gathering.expectedCount, 1)
            gathering.didExecute(1, waitingCount: 0, flushTime: .milliseconds(1))
        }
    }

    /// Saves are expected that took part in both of the last transactions.
    @Test func expectedCount() {
        var gathering = SaveGathering()
        // Eight writers, one of which was the first.
        gathering.didExecute(1, waitingCount: 7, flushTime: Self.flushTime)
        expectEqual(gathering.expectedCount, 1)
        gathering.didExecute(7, waitingCount: 1, flushTime: Self.flushTime)
        expectEqual(gathering.expectedCount, 8)
        gathering.didExecute(8, waitingCount: 0, flushTime: Self.flushTime)
        expectEqual(gathering.expectedCount, 8)
        // Five writers have ended.
        gathering.didExecute(3, waitingCount: 0, flushTime: Self.flushTime)
        expectEqual(gathering.expectedCount, 3)
        gathering.didExecute(1, waitingCount: 0, flushTime: Self.flushTime)
        expectEqual(gathering.expectedCount, 1)
    }

    /// A wait is at most half as long as the last flush, and at most a millisecond.
    @Test func waits() {
        var gathering = SaveGathering()
        gathering.didExecute(2, waitingCount: 0, flushTime: Self.flushTime)
        expectEqual(gathering.wait, .microseconds(150))
        gathering.didExecute(1, waitingCount: 4, flushTime: .seconds(2))
        expectEqual(gathering.wait, .milliseconds(1))
        gathering.didExecute(1, waitingCount: 4, flushTime: .zero)
        expectEqual(gathering.wait, .zero)
    }

    /// The number of transactions without a wait doubles if two writers each save while the other one does not.
    @Test func unsuccessfulWaits() {
        var gathering = SaveGathering()
        var waits: [Int] = []
        for number in 0..<300 {
            if gathering.expectedCount > 1 {
                gathering.didWait(arrivedCount: 0, neededCount: 1)
                waits.append(number)
            }
            gathering.didExecute(1, waitingCount: 1, flushTime: Self.flushTime)
        }
        expectEqual(waits, [2, 4, 7, 12, 21, 38, 71, 136, 201, 266])
        // A successful wait ends this.
        while gathering.expectedCount == 1 { gathering.didExecute(1, waitingCount: 1, flushTime: Self.flushTime) }
        gathering.didWait(arrivedCount: 1, neededCount: 1)
        for _ in 0..<10 {
            gathering.didExecute(2, waitingCount: 0, flushTime: Self.flushTime)
            expectEqual(gathering.expectedCount, 2)
        }
    }

    /// A wait ends when the expected saves have arrived, and all of them share a transaction.
    @Test(.onlySQLite(.engine)) func expectedSavesShareATransaction() async throws {
        let model = LeagueModel.definition.model
        let schema = StoreSchema(
            model: model,
            mapping: makeSchemaMapping(of: model),
            classes: [],
            storeUUID: .zero,
            nonStrictTables: []
        )
        let queue = WriteQueue(gathering: SaveGathering(longestWait: .seconds(100)))
        let pool = StoreThreadPool()
        let groups = Groups()
        let start = ContinuousClock.now
        for round in 0..<4 {
            // In the first two rounds, the saves wait for another writer.
            if round < 2 { try await queue.takeTurn() }
            let saves = (0..<3).map { _ in
                Task {
                    await BackgroundExecutor.run(on: pool) { _ in
                        let save = QueuedSave(SavePlan(schema: schema)) { _ in }
                        queue.execute(save, groupLimit: 64, flushes: true) {
                            groups.counts.withLock { $0.append(1) }
                            return .seconds(400)
                        } group: { saves in
                            groups.counts.withLock { $0.append(saves.count) }
                            return .seconds(400)
                        }
                    }
                }
            }
            if round < 2 {
                while queue.waitingCount < 3 { try await Task.sleep(for: .milliseconds(1)) }
                queue.finishTurn()
            }
            for save in saves { await save.value }
        }
        expectEqual(groups.counts.withLock { $0 }, [3, 3, 3, 3])
        #expect(ContinuousClock.now - start < .seconds(100))
    }
}
