import Chordata
import Foundation
import Ledger

// A model, some of whose classes belong to another module: relationships reference them, and a class inherits from one
// of them.

let container = try StallModel.container(at: ":memory:")
let context = container.newContext()
let till = Account(context: context, title: "Till")
let receipt = Receipt(context: context)
receipt.number = 7
receipt.amount = 12
receipt.account = till
let sale = Sale(context: context, item: "Plums")
sale.currency = Currency(context: context, code: "EUR")
sale.receipt = receipt
try context.save()

let reader = container.newContext()
let entries = try reader.fetch(Entry.fetchRequest().where(\.account?.title == "Till"))
let sales = try reader.fetch(
    Sale.fetchRequest().where(\.currency?.code == "EUR" && \.receipt?.account?.title == "Till")
)
let same = try reader.fetch(Sale.inCurrency(currency: try reader.fetch(Currency.fetchRequest())[0]))
let values: [Receipt.Values] = try reader.fetchValues(Receipt.fetchRequest().where(\.amount > 10))
guard entries.first is Receipt, sales.map(\.item) == ["Plums"], same == sales, values.map(\.number) == [7],
    till.balance == 12, sales.first?.receipt?.label == "entry"
else {
    fatalError("\(entries), \(sales.map(\.item)), \(values)")
}
print("Stall: \(sales.map(\.item).joined(separator: ", "))")
