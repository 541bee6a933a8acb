#if Metrics
    public import CoreMetrics
    internal import Synchronization

    /// The metrics of a store for swift-metrics.
    ///
    /// This type is available to packages that depend on Chordata with the trait `Metrics`. Other packages do not
    /// compile swift-metrics.
    ///
    /// ```swift
    /// let metrics = StoreMetrics(storeName: "shop")
    /// let options = StoreOptions(statementLogger: metrics.statementLogger, saveLogger: metrics.saveLogger)
    /// let container = try ShopModel.container(at: path, options: options)
    /// let reporting = Task { try await metrics.report(every: .seconds(10)) { container.statistics } }
    /// ```
    /// Create the metrics after `MetricsSystem.bootstrap`, and use them for one store. The loggers record the timers
    /// and the counters of rows and objects; ``report(_:)`` records the meters and all other counters. All metrics have
    /// the dimension `store`:
    ///
    /// | label | kind | value |
    /// |---|---|---|
    /// | `chordata.statement.duration` | timer | duration of a statement |
    /// | `chordata.statement.rows` | counter | rows that statements returned or wrote |
    /// | `chordata.save.duration` | timer | duration of a save; dimension `outcome` |
    /// | `chordata.save.waiting` | timer | time that a save waited in the queue |
    /// | `chordata.save.objects` | counter | objects of committed saves; dimension `change` |
    /// | `chordata.save.transactions` | counter | transactions with saves |
    /// | `chordata.write.repetitions` | counter | closures of `write` that ran again after a conflict |
    /// | `chordata.queue.waiting` | meter | waiting callers; dimension `queue` |
    /// | `chordata.queue.rejections` | counter | callers that a full queue rejected; dimension `queue` |
    /// | `chordata.readers.busy` | meter | connections that are in use for reading |
    /// | `chordata.readers.idle` | meter | open connections for reading that are not in use |
    /// | `chordata.readers.waiting` | meter | callers that wait for a connection |
    /// | `chordata.readers.waits` | counter | callers that waited for a connection |
    /// | `chordata.readers.exhaustions` | counter | callers that gave up waiting for a connection |
    /// | `chordata.log.bytes` | meter | size of the write-ahead log |
    ///
    /// `outcome` is `committed`, `conflict`, `uniqueness_conflict`, `cancelled` or `failed`; `change` is `inserted`,
    /// `updated` or `deleted`; `queue` is `save` or `write`. SQL texts are not among the dimensions, because each text
    /// would be a separate metric.
    public final class StoreMetrics: Sendable {
        /// The logger that records the metrics of statements.
        ///
        /// It slows down each statement by some microseconds.
        public let statementLogger: StatementLogger
        /// The logger that records the metrics of saves.
        public let saveLogger: SaveLogger
        private let gauges: Gauges
        /// The statistics that were reported last.
        private let reported = Mutex(StoreStatistics())

        /// Creates metrics.
        /// - Parameters:
        ///   - storeName: The value of the dimension `store`.
        ///   - factory: The factory of the metrics; the default is the factory of `MetricsSystem`.
        public init(storeName: String, factory: any MetricsFactory = MetricsSystem.factory) {
            let source = Source(storeName: storeName, factory: factory)
            let (duration, rows) = (source.timer("statement.duration"), source.counter("statement.rows"))
            statementLogger = StatementLogger { record in
                duration.recordNanoseconds(record.duration.nanoseconds)
                rows.increment(by: record.rowCount)
            }
            let timers = ["committed", "conflict", "uniqueness_conflict", "cancelled", "failed"].map {
                source.timer("save.duration", ("outcome", $0))
            }
            let waiting = source.timer("save.waiting")
            let objects = ["inserted", "updated", "deleted"].map { source.counter("save.objects", ("change", $0)) }
            saveLogger = SaveLogger { record in
                let place =
                    switch record.outcome {
                    case .committed: 0
                    case .conflict: 1
                    case .uniquenessConflict: 2
                    case .cancelled: 3
                    case .failed: 4
                    }
                timers[place].recordNanoseconds(record.duration.nanoseconds)
                waiting.recordNanoseconds(record.waitingTime.nanoseconds)
                guard record.outcome == .committed else { return }
                for (counter, count) in zip(objects, [record.insertedCount, record.updatedCount, record.deletedCount]) {
                    counter.increment(by: count)
                }
            }
            gauges = Gauges(source)
        }

        /// Records the statistics of the store: the values of the meters, and the increases of counters since the last
        /// call.
        /// - Parameter statistics: The statistics, such as ``PersistentContainer/statistics``.
        public func report(_ statistics: StoreStatistics) {
            reported.withLock { reported in
                gauges.record(statistics, since: reported)
                reported = statistics
            }
        }

        /// Records the statistics of the store periodically, until the task is cancelled.
        /// - Parameters:
        ///   - interval: The time between two reports.
        ///   - statistics: A closure that returns the statistics, such as ``PersistentContainer/statistics``.
        /// - Throws: `CancellationError` when the task is cancelled.
        public func report(
            every interval: Duration,
            _ statistics: @Sendable () -> StoreStatistics
        ) async throws {
            while true {
                report(statistics())
                try await Task.sleep(for: interval)
            }
        }
    }

    extension Duration {
        fileprivate var nanoseconds: Int64 {
            let (seconds, attoseconds) = components
            return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
        }
    }

    /// Creates the metrics of a store.
    private struct Source {
        let storeName: String
        let factory: any MetricsFactory

        private func dimensions(_ more: [(String, String)]) -> [(String, String)] { [("store", storeName)] + more }

        func timer(_ label: String, _ more: (String, String)...) -> Timer {
            Timer(label: "chordata." + label, dimensions: dimensions(more), factory: factory)
        }

        func counter(_ label: String, _ more: (String, String)...) -> Counter {
            Counter(label: "chordata." + label, dimensions: dimensions(more), factory: factory)
        }

        func meter(_ label: String, _ more: (String, String)...) -> Meter {
            Meter(label: "chordata." + label, dimensions: dimensions(more), factory: factory)
        }
    }

    /// The metrics of the statistics of a store.
    private struct Gauges: Sendable {
        private struct Queue: Sendable {
            let waiting: Meter
            let rejections: Counter

            init(_ source: Source, _ name: String) {
                waiting = source.meter("queue.waiting", ("queue", name))
                rejections = source.counter("queue.rejections", ("queue", name))
            }

            func record(_ new: StoreStatistics.Queue, since old: StoreStatistics.Queue) {
                waiting.set(new.waitingCount)
                rejections.increment(by: new.rejectedCount - old.rejectedCount)
            }
        }

        private let saveQueue, writeQueue: Queue
        private let transactions, repetitions, waits, exhaustions: Counter
        private let busy, idle, waiting, log: Meter

        init(_ source: Source) {
            saveQueue = Queue(source, "save")
            writeQueue = Queue(source, "write")
            transactions = source.counter("save.transactions")
            repetitions = source.counter("write.repetitions")
            waits = source.counter("readers.waits")
            exhaustions = source.counter("readers.exhaustions")
            busy = source.meter("readers.busy")
            idle = source.meter("readers.idle")
            waiting = source.meter("readers.waiting")
            log = source.meter("log.bytes")
        }

        func record(_ new: StoreStatistics, since old: StoreStatistics) {
            saveQueue.record(new.saveQueue, since: old.saveQueue)
            writeQueue.record(new.writeQueue, since: old.writeQueue)
            transactions.increment(by: new.saveTransactionCount - old.saveTransactionCount)
            repetitions.increment(by: new.repeatedWriteCount - old.repeatedWriteCount)
            waits.increment(by: new.readers.waitCount - old.readers.waitCount)
            exhaustions.increment(by: new.readers.exhaustedCount - old.readers.exhaustedCount)
            busy.set(new.readers.busyCount)
            idle.set(new.readers.idleCount)
            waiting.set(new.readers.waitingCount)
            log.set(new.logSize)
        }
    }
#endif
