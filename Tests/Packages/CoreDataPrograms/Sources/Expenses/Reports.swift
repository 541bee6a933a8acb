import CoreData
import Foundation

/// A sum of expenses, which is independent of contexts.
struct Total {
    var name: String
    var amount: NSDecimalNumber
    var count: Int
}

/// Reports that the store computes, from dictionaries instead of objects.
struct Reports {
    let context: NSManagedObjectContext

    /// Returns a description of the result of a function for an attribute.
    private func column(
        _ name: String,
        _ function: String,
        of keyPath: String,
        type: NSAttributeType
    ) -> NSExpressionDescription {
        let description = NSExpressionDescription()
        description.name = name
        description.expression = NSExpression(forFunction: function, arguments: [NSExpression(forKeyPath: keyPath)])
        description.expressionResultType = type
        return description
    }

    private func dictionaryRequest() -> NSFetchRequest<NSDictionary> {
        let request = NSFetchRequest<NSDictionary>(entityName: "Expense")
        request.resultType = .dictionaryResultType
        return request
    }

    func totals(by keyPath: String, above minimum: NSDecimalNumber? = nil) async throws -> [Total] {
        try await context.perform {
            let request = dictionaryRequest()
            request.predicate = NSPredicate(format: "%K != nil", keyPath)
            request.propertiesToFetch = [
                keyPath,
                column("total", "sum:", of: "amount", type: .decimalAttributeType),
                column("number", "count:", of: "title", type: .integer64AttributeType),
            ]
            request.propertiesToGroupBy = [keyPath]
            request.sortDescriptors = [NSSortDescriptor(key: keyPath, ascending: true)]
            if let minimum = minimum {
                request.havingPredicate = NSPredicate(format: "%@ > %@", NSExpression(forVariable: "total"), minimum)
            }
            return try context.fetch(request).map { row in
                Total(
                    name: row[keyPath] as? String ?? "?",
                    amount: row["total"] as? NSDecimalNumber ?? .zero,
                    count: (row["number"] as? NSNumber)?.intValue ?? 0
                )
            }
        }
    }

    func totalsByMonthAndAccount() async throws -> [String] {
        try await context.perform {
            let request = dictionaryRequest()
            request.propertiesToFetch = [
                "month", "account.name", column("total", "sum:", of: "amount", type: .decimalAttributeType),
            ]
            request.propertiesToGroupBy = ["month", "account.name"]
            request.sortDescriptors = [
                NSSortDescriptor(key: "month", ascending: true), NSSortDescriptor(key: "account.name", ascending: true),
            ]
            return try context.fetch(request).map { row in
                let month = (row["month"] as? NSNumber)?.intValue ?? 0
                let total = row["total"] as? NSDecimalNumber ?? .zero
                return "\(month) \(row["account.name"] as? String ?? "?"): \(total)"
            }
        }
    }

    /// Returns one row for all expenses.
    func summary() async throws -> String {
        try await context.perform {
            let request = dictionaryRequest()
            request.propertiesToFetch = [
                column("total", "sum:", of: "amount", type: .decimalAttributeType),
                column("number", "count:", of: "title", type: .integer64AttributeType),
                column("smallest", "min:", of: "amount", type: .decimalAttributeType),
                column("largest", "max:", of: "amount", type: .decimalAttributeType),
            ]
            let rows = try context.fetch(request)
            guard rows.count == 1, let row = rows.first else { return "\(rows.count) rows" }
            let values = ["total", "number", "smallest", "largest"].map { key in
                "\(key) \((row[key] as? NSNumber)?.stringValue ?? "nil")"
            }
            return values.joined(separator: ", ")
        }
    }

    func averages() async throws -> [String] {
        try await context.perform {
            let request = dictionaryRequest()
            request.predicate = NSPredicate(format: "category != nil")
            request.propertiesToFetch = [
                "category.name", column("mean", "average:", of: "amount", type: .doubleAttributeType),
            ]
            request.propertiesToGroupBy = ["category.name"]
            request.sortDescriptors = [NSSortDescriptor(key: "category.name", ascending: true)]
            return try context.fetch(request).map { row in
                "\(row["category.name"] as? String ?? "?") \((row["mean"] as? NSNumber)?.doubleValue ?? 0)"
            }
        }
    }

    func accountNames() async throws -> [String] {
        try await context.perform {
            let request = dictionaryRequest()
            request.propertiesToFetch = ["account.name"]
            request.returnsDistinctResults = true
            return try context.fetch(request).compactMap { $0["account.name"] as? String }.sorted()
        }
    }

    /// Returns the object IDs and titles of large expenses.
    func largeExpenses(above amount: Int) async throws -> [(NSManagedObjectID, String)] {
        try await context.perform {
            let identifier = NSExpressionDescription()
            identifier.name = "objectID"
            identifier.expression = NSExpression.expressionForEvaluatedObject()
            identifier.expressionResultType = .objectIDAttributeType
            let request = dictionaryRequest()
            request.predicate = NSComparisonPredicate(
                leftExpression: NSExpression(forKeyPath: "amount"),
                rightExpression: NSExpression(forConstantValue: NSNumber(value: amount)),
                modifier: .direct,
                type: .greaterThan,
                options: []
            )
            request.propertiesToFetch = [identifier, "title"]
            request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
            return try context.fetch(request).compactMap { row in
                guard let objectID = row["objectID"] as? NSManagedObjectID, let title = row["title"] as? String else {
                    return nil
                }
                return (objectID, title)
            }
        }
    }

    /// Returns the number of expenses, as a result of the fetch request.
    func numberOfExpenses(matching predicate: NSPredicate?) throws -> Int {
        let request = NSFetchRequest<NSNumber>(entityName: "Expense")
        request.resultType = .countResultType
        request.predicate = predicate
        return try context.fetch(request).first?.intValue ?? 0
    }
}
