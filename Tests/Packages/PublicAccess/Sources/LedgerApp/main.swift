import Chordata
import Foundation
import Ledger

// Uses classes that another module has written over generated storage.

let container = try LedgerModel.container(at: ":memory:")
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
print("Ledger: \(found.map(\.label).joined(separator: ", "))")
