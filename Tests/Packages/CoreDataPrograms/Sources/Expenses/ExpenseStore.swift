import CoreData
import Foundation

final class ExpenseStore {
    let container: NSPersistentContainer

    init(url: URL) {
        container = NSPersistentContainer(name: "Expenses")
        container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: url)]
        container.loadPersistentStores { description, error in
            guard let error = error else { return }
            fatalError("Cannot load \(description): \(error.localizedDescription)")
        }
        container.viewContext.mergePolicy = NSMergePolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType)
    }

    var viewContext: NSManagedObjectContext { container.viewContext }

    /// Adds the expenses of the file, whose lines have the title, amount, day, category and account.
    func importLines(_ text: String) async throws -> Int {
        try await container.performBackgroundTask { context in
            var categories: [String: ExpenseCategory] = [:]
            var accounts: [String: Account] = [:]
            var count = 0
            for line in text.split(separator: "\n") {
                let fields = line.components(separatedBy: ",")
                guard fields.count == 5, let day = Int(fields[2]) else { continue }
                let expense = Expense(context: context)
                expense.title = fields[0]
                expense.amount = NSDecimalNumber(string: fields[1])
                expense.paidAt = Date(timeIntervalSince1970: 1_619_827_200 + Double(day) * 86_400)
                expense.month = day < 31 ? 202_105 : 202_106
                if !fields[3].isEmpty {
                    let category = categories[fields[3]] ?? ExpenseCategory(context: context)
                    category.name = fields[3]
                    categories[fields[3]] = category
                    expense.category = category
                }
                let account = accounts[fields[4]] ?? Account(context: context)
                account.name = fields[4]
                accounts[fields[4]] = account
                account.addToExpenses(expense)
                count += 1
            }
            categories["Food"]?.limit = NSDecimalNumber(value: 60)
            categories["Travel"]?.limit = NSDecimalNumber(value: 200)
            try context.save()
            return count
        }
    }

    func category(named name: String) throws -> ExpenseCategory {
        let request: NSFetchRequest<ExpenseCategory> = ExpenseCategory.fetchRequest()
        request.predicate = NSPredicate(format: "name == %@", name)
        guard let category = try viewContext.fetch(request).first else { fatalError("No category '\(name)'") }
        return category
    }

    func categories(matching predicate: NSPredicate?) throws -> [ExpenseCategory] {
        let request: NSFetchRequest<ExpenseCategory> = ExpenseCategory.fetchRequest()
        request.predicate = predicate
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        return try viewContext.fetch(request)
    }
}
