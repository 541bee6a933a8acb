import CoreData
import Foundation

let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("Expenses-\(ProcessInfo.processInfo.processIdentifier)", isDirectory: true)
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
let store = ExpenseStore(url: folder.appendingPathComponent("Expenses.sqlite"))
let viewContext = store.viewContext
let reports = Reports(context: store.container.newBackgroundContext())

func show(_ totals: [Total]) {
    for total in totals { print("  \(total.name): \(total.amount) in \(total.count)") }
}

print("== Import")
let file = """
    Bakery,12.5,1,Food,Cash
    Market,30.25,2,Food,Card
    Train,80,2,Travel,Card
    Hotel,150.5,3,Travel,Card
    Lamp,45,34,Home,Card
    not a line
    Snacks,7.25,35,Food,Cash
    Café Lumière,20,36,Food,Card
    Donation,10,36,,Cash
    """
print("imported: \(try await store.importLines(file))")

print("== By category")
show(try await reports.totals(by: "category.name"))
print("== By category, above 60")
show(try await reports.totals(by: "category.name", above: NSDecimalNumber(value: 60)))
print("== By account")
show(try await reports.totals(by: "account.name"))
print("== By month and account")
for line in try await reports.totalsByMonthAndAccount() { print("  \(line)") }
print("== Averages")
print(try await reports.averages())
print("== Summary")
print(try await reports.summary())
print("accounts: \(try await reports.accountNames())")

print("== Large expenses")
for (objectID, title) in try await reports.largeExpenses(above: 100) {
    let expense = try viewContext.existingObject(with: objectID) as? Expense
    print("\(title): \(expense?.amount ?? .zero), \(expense?.account?.name ?? "nil")")
}

print("== Limits")
let overLimit = NSPredicate(format: "expenses.@sum.amount > limit")
print("over the limit: \(try store.categories(matching: overLimit).map { $0.name ?? "" })")
let paidByCard = NSPredicate(
    format: "SUBQUERY(expenses, $expense, $expense.account.name == %@ AND $expense.amount > %d).@count > 1",
    "Card",
    40
)
print("several by card: \(try store.categories(matching: paidByCard).map { $0.name ?? "" })")
let noLimit = NSCompoundPredicate(notPredicateWithSubpredicate: NSPredicate(format: "limit != nil"))
print("without a limit: \(try store.categories(matching: noLimit).map { $0.name ?? "" })")

print("== Values by key path")
let food = try store.category(named: "Food")
for path in ["expenses.@count", "expenses.@sum.amount", "expenses.@min.amount", "expenses.@max.amount"] {
    print("\(path): \((food.value(forKeyPath: path) as? NSNumber)?.stringValue ?? "nil")")
}

print("== Derived attributes")
for category in try store.categories(matching: nil) { print("\(category.name ?? ""): \(category.expenseCount)") }
let search: NSFetchRequest<Expense> = Expense.fetchRequest()
search.predicate = NSPredicate(format: "searchTitle CONTAINS %@", "lumiere")
print(try viewContext.fetch(search).map { $0.title ?? "" })

print("== Pages")
let page: NSFetchRequest<Expense> = Expense.fetchRequest()
page.sortDescriptors = [NSSortDescriptor(keyPath: \Expense.amount, ascending: false)]
page.fetchLimit = 3
page.fetchOffset = 2
print(try viewContext.fetch(page).map { $0.title ?? "" })

print("== Pending changes")
let car = Expense(context: viewContext)
car.title = "Car"
car.amount = NSDecimalNumber(value: 1000)
car.category = food
let viewReports = Reports(context: viewContext)
print("objects: \(try viewContext.count(for: Expense.fetchRequest() as NSFetchRequest<Expense>))")
print(try await viewReports.summary())
let cars: NSFetchRequest<Expense> = Expense.fetchRequest()
cars.predicate = NSPredicate(format: "amount >= %@", NSDecimalNumber(string: "1000"))
print("found: \(try viewContext.fetch(cars).first === car)")
cars.includesPendingChanges = false
print("in the store: \(try viewContext.fetch(cars).count)")
viewContext.rollback()
print("expenses of Food: \(food.expenses?.count ?? 0)")

print("== Values that are not valid")
let wrong = Expense(context: viewContext)
for amount in [nil, NSDecimalNumber(string: "-5")] {
    wrong.amount = amount
    do {
        try wrong.validateForInsert()
        print("valid")
    } catch {
        print("code \((error as NSError).code)")
    }
}
viewContext.rollback()
print("changes: \(viewContext.hasChanges)")

print("== Delete")
viewContext.delete(try store.category(named: "Home"))
try viewContext.save()
print("expenses: \(try viewReports.numberOfExpenses(matching: nil))")
print("without a category: \(try viewReports.numberOfExpenses(matching: NSPredicate(format: "category == nil")))")
show(try await reports.totals(by: "category.name"))

try? FileManager.default.removeItem(at: folder)
