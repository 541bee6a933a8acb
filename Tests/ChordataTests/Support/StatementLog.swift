import Chordata
import Synchronization

/// The statements that a store has run since the last access.
final class StatementLog: Sendable {
    private let records = Mutex<[StatementLogger.Record]>([])

    func add(_ record: StatementLogger.Record) { records.withLock { $0.append(record) } }

    func take() -> [StatementLogger.Record] {
        records.withLock { all in
            defer { all = [] }
            return all
        }
    }
}
