#if TRAITS
    import Chordata
    import Foundation
    import Ledger
    import MetricsTestKit

    /// Checks the label, the dimensions and the value of each metric of a store.
    func checkMetrics() throws {
        let test = TestMetrics()
        let metrics = StoreMetrics(storeName: "ledger", factory: test)
        let folder = FileManager.default.temporaryDirectory.appending(path: "ledger-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let container = try PersistentContainer(
            model: LedgerModel.definition,
            path: folder.appending(path: "ledger.sqlite").path,
            options: StoreOptions(statementLogger: metrics.statementLogger, saveLogger: metrics.saveLogger)
        )
        let context = container.newContext()
        let accounts = ["Cash", "Bank"].map { Account(context: context, title: $0) }
        try context.save()
        accounts[0].title = "Till"
        context.delete(accounts[1])
        try context.save()
        // A save with a conflict.
        let other = container.newContext()
        let account = try other.fetch(Account.fetchRequest())[0]
        accounts[0].title = "Purse"
        try context.save()
        account.title = "Safe"
        do {
            try other.save()
            fatalError("the save was not in conflict")
        } catch is SaveConflictError {}

        let store = [("store", "ledger")]
        let committed = try test.expectTimer("chordata.save.duration", store + [("outcome", "committed")])
        let conflicts = try test.expectTimer("chordata.save.duration", store + [("outcome", "conflict")])
        expect(committed.values.count == 3 && committed.values.allSatisfy { $0 > 0 }, "committed", committed.values)
        expect(conflicts.values.count == 1, "conflict", conflicts.values)
        expect(try test.expectTimer("chordata.save.waiting", store).values == [0, 0, 0, 0], "waiting", "")
        for (change, count) in [("inserted", 2), ("updated", 2), ("deleted", 1)] {
            let counter = try test.expectCounter("chordata.save.objects", store + [("change", change)])
            expect(counter.totalValue == count, change, counter.values)
        }
        let statements = try test.expectTimer("chordata.statement.duration", store).values
        let rows = try test.expectCounter("chordata.statement.rows", store).values
        expect(statements.count > 4 && statements.count == rows.count && rows.contains(2), "statements", rows)

        // A second report adds what was counted since the first one.
        metrics.report(container.statistics)
        accounts[0].title = "Box"
        try context.save()
        metrics.report(container.statistics)
        let transactions = try test.expectCounter("chordata.save.transactions", store)
        expect(transactions.values == [3, 1], "transactions", transactions.values)

        var statistics = StoreStatistics()
        statistics.saveTransactionCount = 10
        statistics.repeatedWriteCount = 2
        (statistics.saveQueue.waitingCount, statistics.saveQueue.rejectedCount) = (3, 4)
        (statistics.writeQueue.waitingCount, statistics.writeQueue.rejectedCount) = (5, 6)
        (statistics.readers.busyCount, statistics.readers.idleCount, statistics.readers.waitingCount) = (7, 8, 9)
        (statistics.readers.waitCount, statistics.readers.exhaustedCount) = (11, 12)
        statistics.logSize = 13
        metrics.report(statistics)
        let meters = [
            ("queue.waiting", [("queue", "save")], 3.0), ("queue.waiting", [("queue", "write")], 5),
            ("readers.busy", [], 7), ("readers.idle", [], 8), ("readers.waiting", [], 9), ("log.bytes", [], 13),
        ]
        for (label, dimensions, value) in meters {
            let meter = try test.expectMeter("chordata." + label, store + dimensions)
            expect(meter.lastValue == value, label, meter.values)
        }
        let counters = [
            ("save.transactions", [], 10), ("write.repetitions", [], 2),
            ("queue.rejections", [("queue", "save")], 4), ("queue.rejections", [("queue", "write")], 6),
            ("readers.waits", [], 11), ("readers.exhaustions", [], 12),
        ]
        for (label, dimensions, value) in counters {
            let counter = try test.expectCounter("chordata." + label, store + dimensions)
            expect(counter.totalValue == value, label, counter.values)
        }
        try FileManager.default.removeItem(at: folder)
    }

    private func expect(_ condition: Bool, _ name: String, _ values: Any) {
        if !condition { fatalError("\(name): \(values)") }
    }
#endif
