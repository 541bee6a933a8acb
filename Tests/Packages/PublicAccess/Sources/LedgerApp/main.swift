import Chordata
import Foundation
import Ledger
import Logging
import Synchronization

#if TRAITS
    import MetricsTestKit
#endif

// Uses the classes of another module, which are handwritten over generated storage, loggers of swift-log, and
// swift-metrics.

/// Records log messages.
struct Recorder: LogHandler {
    static let messages = Mutex<[String]>([])
    var metadata = Logger.Metadata()
    var logLevel = Logger.Level.debug

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let rows = event.metadata?["rows"].map { "\($0)" } ?? "?"
        Self.messages.withLock { $0.append("\(event.level), \(rows) rows: \(event.message)") }
    }
}

var options = StoreOptions()
#if TRAITS
    options.statementLogger = StatementLogger(Logger(label: "store") { _ in Recorder() })
    options.saveLogger = SaveLogger(Logger(label: "store") { _ in Recorder() }, level: .info)
#endif
let container = try PersistentContainer(model: LedgerModel.definition, path: ":memory:", options: options)
let context = container.newContext()
let account = Account(context: context, title: "Cash")
let entry = Entry(context: context)
entry.amount = 100
account.addToEntries(entry)
let payment = Payment(context: context, payee: "Baker")
payment.amount = -3
payment.account = account
let currency = Currency(context: context, code: "EUR")
try context.save()

let reader = container.newContext()
let found = try reader.fetch(
    Entry.fetchRequest().where(\.account?.title == "Cash" && \.amount < 200).sorted(by: \.amount)
)
let large = try reader.fetch(Entry.large(limit: 100))
let payees = try reader.fetch(Payment.fetchRequest().where(.contains(\.payee, "ak")))
let values: [Payment.Values] = try reader.fetchValues(Payment.fetchRequest())
guard found.map(\.label) == ["to Baker", "entry"], large.map(\.amount) == [100], payees.first?.account?.balance == 97,
    values.map(\.payee) == ["Baker"], values.first?.account?.key == account.objectID.key, currency.digits == 2
else {
    fatalError("\(found.map(\.label)), \(large.map(\.amount)), \(values)")
}
#if TRAITS
    let logged = Recorder.messages.withLock { $0 }
    guard let last = logged.last, last.hasPrefix("debug, 2 rows: SELECT"), last.contains("FROM \"Entry\"") else {
        fatalError("\(logged)")
    }
    guard logged.contains(where: { $0.hasPrefix("info, ? rows: committed in ") && $0.contains(" 4 inserted, ") }) else {
        fatalError("\(logged)")
    }
    try checkMetrics()
#endif
print("Ledger: \(found.map(\.label).joined(separator: ", "))")
