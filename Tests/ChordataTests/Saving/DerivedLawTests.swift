import ChordataTestStores
import ChordataTestSupport
import Foundation
import Testing

@testable import Chordata

/// After each save of any context, with any merge policy, every derived attribute in the store has the value that its
/// expression has for the rows of the store.
struct DerivedLawTests {
    /// Customers have orders, and orders have lines and tags.
    ///
    /// There are sums of derived values, numbers of members, a value of a to-one's destination, and a value that is
    /// derived from a derived attribute of the same object.
    static func definition() throws -> ModelDefinition {
        func derived(_ name: String, _ type: AttributeType, _ expression: String) -> AttributeDescription {
            AttributeDescription(name: name, attributeType: type, isOptional: true, derivationExpression: expression)
        }
        func number(_ name: String) -> AttributeDescription {
            AttributeDescription(name: name, attributeType: .integer64, defaultValue: .integer(0))
        }
        func end(_ name: String, _ destination: String, _ inverse: String, many: Bool = false)
            -> RelationshipDescription
        {
            RelationshipDescription(
                name: name,
                destinationEntityName: destination,
                inverseName: inverse,
                isToMany: many,
                deleteRule: name == "lines" ? .cascade : .nullify
            )
        }
        let entities = [
            EntityDescription(
                name: "Customer",
                attributes: [
                    number("limit"), derived("spent", .integer64, "orders.@sum.total"),
                    derived("rest", .integer64, "limit - spent"),
                ],
                relationships: [end("orders", "Order", "customer", many: true)]
            ),
            EntityDescription(
                name: "Order",
                attributes: [
                    number("fee"), derived("total", .integer64, "lines.@sum.price"),
                    derived("count", .integer64, "lines.@count"), derived("tagCount", .integer64, "tags.@count"),
                    derived("limit", .integer64, "customer.limit"),
                ],
                relationships: [
                    end("customer", "Customer", "orders"), end("lines", "Line", "order", many: true),
                    end("tags", "Tag", "orders", many: true),
                ]
            ),
            EntityDescription(
                name: "Line",
                attributes: [number("single"), number("amount"), derived("price", .integer64, "single * amount")],
                relationships: [end("order", "Order", "lines")]
            ),
            EntityDescription(name: "Tag", relationships: [end("orders", "Order", "tags", many: true)]),
        ]
        return ModelDefinition(name: "Sums", versionName: "Sums", model: try ManagedObjectModel(entities: entities))
    }

    /// The rows with wrong derived attributes.
    private static let wrong = """
        SELECT 'Line ' || "_id" FROM "Line" WHERE "price" IS DISTINCT FROM "single" * "amount"
        UNION ALL SELECT 'total ' || "_id" FROM "Order" AS o WHERE "total" IS DISTINCT FROM
          (SELECT coalesce(sum("single" * "amount"), 0) FROM "Line" WHERE "order" = o."_id")
        UNION ALL SELECT 'count ' || "_id" FROM "Order" AS o
          WHERE "count" IS DISTINCT FROM (SELECT count(*) FROM "Line" WHERE "order" = o."_id")
        UNION ALL SELECT 'tagCount ' || "_id" FROM "Order" AS o
          WHERE "tagCount" IS DISTINCT FROM (SELECT count(*) FROM "Order_tags" WHERE "source" = o."_id")
        UNION ALL SELECT 'limit ' || "_id" FROM "Order" AS o
          WHERE "limit" IS DISTINCT FROM (SELECT "limit" FROM "Customer" WHERE "_id" = o."customer")
        UNION ALL SELECT 'spent ' || "_id" FROM "Customer" AS c WHERE "spent" IS DISTINCT FROM
          (SELECT coalesce(sum("total"), 0) FROM "Order" WHERE "customer" = c."_id")
        UNION ALL SELECT 'rest ' || "_id" FROM "Customer" WHERE "rest" IS DISTINCT FROM "limit" - "spent"
        """

    @Test(arguments: 1...setting("CHORDATA_DERIVED_SEEDS", small: UInt64(2)), MergePolicyTests.all)
    func storedValuesAreTheirExpressions(seed: UInt64, type: MergePolicyType) throws {
        try withStorePath { path in
            let container = try Self.definition().testContainer(at: path)
            var random = SeededGenerator(seed: seed)
            let contexts = (0..<3).map { index in
                let context = container.newContext()
                context.mergePolicy = MergePolicy(merge: type)
                context.automaticallyMergesChangesFromParent = index == 0
                return context
            }
            for step in 0..<60 {
                let context = contexts[Int.random(in: 0..<3, using: &random)]
                for _ in 0..<Int.random(in: 1...4, using: &random) { try change(in: context, &random) }
                do {
                    try context.save()
                } catch is SaveConflictError {
                    context.rollback()
                    context.refreshAllObjects()
                }
                let found = try container.store.texts(Self.wrong, columnCount: 1)
                try #require(found.isEmpty, "seed \(seed), step \(step): \(found)")
            }
            // The objects have the values that a new context fetches.
            for context in contexts {
                context.refreshAllObjects()
                for name in ["Customer", "Order", "Line"] {
                    for object in try context.fetch(FetchRequest<ManagedObject>(entityName: name)) {
                        let fresh = try container.newContext().existingObject(with: object.objectID)
                        for key in object.entity.attributesByName.keys {
                            #expect(object.value(forKey: key) as? Int64 == fresh.value(forKey: key) as? Int64)
                        }
                    }
                }
            }
        }
    }

    private func change(in context: ManagedObjectContext, _ random: inout SeededGenerator) throws {
        func any(_ name: String) throws -> ManagedObject? {
            let all = try context.fetch(FetchRequest<ManagedObject>(entityName: name).sorted(by: SortKey("objectID")))
            return all.filter { !$0.isDeleted }.randomElement(using: &random)
        }
        let number = Int64.random(in: 0..<50, using: &random)
        switch Int.random(in: 0..<11, using: &random) {
        case 0:
            let object = EntityDescription.insertNewObject(forEntityName: "Customer", into: context)
            object.setValue(number, forKey: "limit")
        case 1:
            let object = EntityDescription.insertNewObject(forEntityName: "Order", into: context)
            object.setValue(try any("Customer"), forKey: "customer")
        case 2, 3:
            let object = EntityDescription.insertNewObject(forEntityName: "Line", into: context)
            object.setValue(number, forKey: "single")
            object.setValue(Int64(2), forKey: "amount")
            object.setValue(try any("Order"), forKey: "order")
        case 4: try any("Line")?.setValue(number, forKey: "single")
        case 5: try any("Line")?.setValue(try any("Order"), forKey: "order")
        case 6: try any("Order")?.setValue(try any("Customer"), forKey: "customer")
        case 7: try any("Customer")?.setValue(number, forKey: "limit")
        case 8:
            let tag = try any("Tag") ?? EntityDescription.insertNewObject(forEntityName: "Tag", into: context)
            guard let order = try any("Order") else { return }
            let tags = order.mutableSetValue(forKey: "tags")
            if tags.contains(tag) { tags.remove(tag) } else { tags.add(tag) }
        case 9: try any("Order")?.setValue(number, forKey: "fee")
        default:
            let name = ["Customer", "Order", "Line", "Tag"].randomElement(using: &random) ?? "Line"
            if let object = try any(name) { context.delete(object) }
        }
    }

    /// A save reads no members of an owner whose derived attributes count them, and a change of another attribute
    /// computes nothing.
    @Test(.onlySQLite(.statements)) func savesReadNoMembers() throws {
        try withStorePath { path in
            let log = StatementLog()
            let options = StoreOptions(statementLogger: StatementLogger { log.add($0) })
            let container = try Self.definition().testContainer(at: path, options: options)
            let context = container.newContext()
            let order = EntityDescription.insertNewObject(forEntityName: "Order", into: context)
            for _ in 0..<200 {
                EntityDescription.insertNewObject(forEntityName: "Line", into: context).setValue(order, forKey: "order")
            }
            try context.save()
            #expect(order.value(forKey: "count") as? Int64 == 200)
            context.refreshAllObjects()
            _ = log.take()
            order.setValue(5, forKey: "fee")
            try context.save()
            #expect(!log.take().contains { $0.sql.contains("\"Line\"") })
            let line = EntityDescription.insertNewObject(forEntityName: "Line", into: context)
            line.setValue(order, forKey: "order")
            line.setValue(7, forKey: "single")
            line.setValue(1, forKey: "amount")
            _ = log.take()
            try context.save()
            #expect(log.take().allSatisfy { $0.rowCount <= 2 })
            expectEqual(context.registeredObjects.count, 2)
            #expect(order.value(forKey: "count") as? Int64 == 201 && order.value(forKey: "total") as? Int64 == 7)
            #expect(!order.hasChanges && !context.hasChanges)
            order.setValue(6, forKey: "fee")
            try context.save()
            #expect(try container.newContext().existingObject(with: order.objectID).value(forKey: "fee") as? Int64 == 6)
        }
    }
}
