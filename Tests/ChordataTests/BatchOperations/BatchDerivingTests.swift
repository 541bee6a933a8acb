import ChordataTestStores
import ChordataTestSupport
import Foundation
import Testing

@testable import Chordata

/// Batch updates recompute derived attributes of the updated rows and of other rows.
struct BatchDerivingTests {
    private struct Bookkeeping {
        let container: PersistentContainer
        let context: ManagedObjectContext
        let accounts: [ManagedObject]

        init(_ place: String) throws {
            container = try LedgerModel.definition().testContainer(at: place)
            context = container.newContext()
            let bank = EntityDescription.insertNewObject(forEntityName: "Bank", into: context)
            bank.setValue("Ulm", forKey: "name")
            var accounts: [ManagedObject] = []
            for title in ["A", "B"] {
                let account = EntityDescription.insertNewObject(forEntityName: "Account", into: context)
                account.setValue(title, forKey: "title")
                account.setValue(title == "A" ? bank : nil, forKey: "bank")
                for amount in [1, 2] {
                    let entry = EntityDescription.insertNewObject(forEntityName: "Entry", into: context)
                    entry.setValue(amount, forKey: "amount")
                    entry.setValue(account, forKey: "account")
                }
                accounts.append(account)
            }
            try context.save()
            self.accounts = accounts
        }

        func execute(_ request: BatchUpdateRequest<ManagedObject>) throws -> BatchUpdateResult {
            let result = try context.execute(request)
            context.mergeChanges(result.changes)
            return result
        }
    }

    @Test(arguments: [":memory:", "file"]) func derivedAttributesOfUpdatedRows(_ place: String) throws {
        try withStorePath { path in
            let books = try Bookkeeping(place == "file" ? path : place)
            let before = books.accounts.map { $0.value(forKey: "changedAt") as? Date }
            let start = Date.now
            let result = try books.execute(
                BatchUpdateRequest(entityName: "Account").where(format: "title == 'A'").setting("title", to: "Ägypten")
            )
            expectEqual(result.updatedObjectIDs, [books.accounts[0].objectID])
            #expect(books.accounts.map { $0.value(forKey: "searchTitle") as? String } == ["agypten", "b"])
            let changedAt = try #require(books.accounts[0].value(forKey: "changedAt") as? Date)
            #expect(changedAt >= start && changedAt <= .now)
            #expect(books.accounts[1].value(forKey: "changedAt") as? Date == before[1])
        }
    }

    @Test func derivedAttributesOfRelatedRows() throws {
        let books = try Bookkeeping(":memory:")
        let before = books.accounts.map { $0.value(forKey: "changedAt") as? Date }
        let amounts = try books.execute(
            BatchUpdateRequest(entityName: "Entry").where(format: "account.title == 'B'")
                .setting("amount", to: try FetchExpression(format: "amount * 10"))
        )
        expectEqual(amounts.updatedObjectsCount, 2)
        expectEqual(amounts.updatedObjectIDs.map(\.entityName), ["Account", "Entry", "Entry"])
        #expect(books.accounts.map { $0.value(forKey: "total") as? Int64 } == [3, 30])
        #expect(books.accounts[0].value(forKey: "changedAt") as? Date == before[0])
        #expect(books.accounts[1].value(forKey: "changedAt") as? Date != before[1])
        // A relationship on their path is reassigned.
        _ = try books.execute(
            BatchUpdateRequest(entityName: "Entry").where(format: "amount == 2").setting(
                "account",
                to: books.accounts[1]
            )
        )
        #expect(books.accounts.map { $0.value(forKey: "total") as? Int64 } == [1, 32])
        #expect(books.accounts.map { $0.value(forKey: "entryCount") as? Int16 } == [1, 3])
        // The derivation follows two relationships, one of which has no inverse.
        let bank = try books.execute(BatchUpdateRequest(entityName: "Bank").setting("name", to: "Jena"))
        expectEqual(bank.updatedObjectIDs.map(\.entityName), ["Account", "Entry", "Bank"])
        #expect(books.accounts.map { $0.value(forKey: "bankName") as? String } == ["Jena", nil])
        let entries = try books.context.fetch(
            FetchRequest<ManagedObject>(entityName: "Entry").sorted(by: "amount").dictionaries
        )
        #expect(entries.map { $0["bankTitle"] as? String } == ["JENA", nil, nil, nil])
    }

    /// Nothing is updated if a derived value is out of range.
    @Test func derivedValuesMustBeInRange() throws {
        let books = try Bookkeeping(":memory:")
        let most = BatchUpdateRequest<ManagedObject>(entityName: "Entry").setting("amount", to: Int64.max)
        let error = #expect(throws: ValidationError.self) { try books.execute(most) }
        expectEqual(error?.failures.map(\.propertyName), ["total"])
        expectEqual(error?.failures.map(\.entityName), ["Account"])
        expectEqual(
            try books.context.count(for: FetchRequest<ManagedObject>(entityName: "Entry").where(format: "amount < 3")),
            4
        )
    }

    /// Conditions, filters, to-one relationships of members, and attributes derived from other derived attributes of
    /// the row, in any order.
    ///
    /// Changing objects and batch updates have the same result.
    @Test(arguments: [true, false]) func everyDerivationIsUpdated(isBatch: Bool) throws {
        let shop = try Shop(isBatch: isBatch)
        let (orders, shops, products) = (shop.orders, shop.shops, shop.products)
        func check(_ key: String, _ values: [AnyHashable?], _ comment: Comment) {
            #expect(orders.map { $0.value(forKey: key) as? AnyHashable } == values, comment)
        }
        check("label", ["ULM", "JENA"], "before")
        try shop.set(shops[1], "name", "Ulm")
        check("label", ["ULM", "ULM"], "a derived attribute of a derived one")
        check("isDear", [true, true], "a condition")
        try shop.set(products[0], "price", Decimal(12))
        check("sum", [Decimal(22), Decimal(22)], "members' own to-ones")
        check("share", [Float(22) / 3, Float(22) / 3], "a derived attribute of a derived one")
        try shop.set(products[1], "name", "red")
        check("reds", [Int16(2), Int16(2)], "a filter")
        try shop.set(orders[1], "shop", shops[0])
        try shop.set(shops[1], "name", "Bonn")
        check("label", ["ULM", "ULM"], "a relationship")
        let ofFirst = try FetchRequest<ManagedObject>(entityName: "Item").where(format: "order == %@", orders[0])
        try shop.set(try #require(try shop.context.fetchOne(ofFirst)), "order", orders[1])
        check("reds", [Int16(1), Int16(3)], "both orders")
    }

    /// A chain of derivations is followed as long as each step changes another row.
    @Test(arguments: [true, false]) func longChains(isBatch: Bool) throws {
        let count = derived("count", .integer64, "TERNARY(before == nil, start, before.count + 1)")
        let one = EntityDescription(
            name: "Link",
            attributes: [AttributeDescription(name: "start", attributeType: .integer64, isOptional: true), count],
            relationships: [
                RelationshipDescription(name: "before", destinationEntityName: "Link", inverseName: "next"),
                RelationshipDescription(name: "next", destinationEntityName: "Link", inverseName: "before"),
            ]
        )
        let context = try makeContext([one])
        var links: [ManagedObject] = []
        for _ in 0..<(ChangeLimitExceededError.limit + 100) {
            let link = EntityDescription.insertNewObject(forEntityName: "Link", into: context)
            link.setValue(links.last, forKey: "before")
            links.append(link)
        }
        links[0].setValue(0, forKey: "start")
        try context.save()
        #expect(links.last?.value(forKey: "count") as? Int64 == Int64(links.count - 1))
        if isBatch {
            let request = try BatchUpdateRequest<ManagedObject>(entityName: "Link").where(format: "before == nil")
            context.mergeChanges(try context.execute(request.setting("start", to: 5)).changes)
        } else {
            links[0].setValue(5, forKey: "start")
            try context.save()
        }
        #expect(links.last?.value(forKey: "count") as? Int64 == Int64(links.count + 4))
    }

    /// A derived attribute that SQL cannot compute does not prevent an update that does not affect it.
    @Test func derivationsWithoutSQL() throws {
        let one = EntityDescription(
            name: "File",
            attributes: [
                AttributeDescription(name: "title", attributeType: .string),
                AttributeDescription(name: "note", attributeType: .string, isOptional: true),
                AttributeDescription(name: "place", attributeType: .integer16),
                derived("letter", .string, "{title, 'b'}[place]"),
            ]
        )
        let context = try makeContext([one])
        let file = EntityDescription.insertNewObject(forEntityName: "File", into: context)
        file.setValue("a", forKey: "title")
        file.setValue(0, forKey: "place")
        try context.save()
        let files = BatchUpdateRequest<ManagedObject>(entityName: "File")
        let error = #expect(throws: BatchUpdateError.self) { try context.execute(files.setting("title", to: "t")) }
        #expect(
            "\(try #require(error))".contains(
                "'title' of 'File' cannot be updated, because this requires a new value of the derived attribute 'letter'"
            )
        )
        let result = try context.execute(files.setting("note", to: "n"))
        context.mergeChanges(result.changes)
        #expect(file.value(forKey: "note") as? String == "n")
        #expect(file.value(forKey: "letter") as? String == "a")
    }
}

private func derived(_ name: String, _ type: AttributeType, _ expression: String) -> AttributeDescription {
    AttributeDescription(name: name, attributeType: type, isOptional: true, derivationExpression: expression)
}

private func makeContext(_ entities: [EntityDescription]) throws -> ManagedObjectContext {
    let model = ModelDefinition(
        name: "Derived",
        versionName: "Derived",
        model: try ManagedObjectModel(entities: entities)
    )
    return try model.testContainer(at: ":memory:").newContext()
}

/// Orders with attributes that are derived from their shop, their items and the products of the items.
private struct Shop {
    let isBatch: Bool
    let context: ManagedObjectContext
    let shops: [ManagedObject]
    let products: [ManagedObject]
    let orders: [ManagedObject]

    private static let entities = [
        EntityDescription(
            name: "Order",
            attributes: [
                derived("label", .string, "uppercase:(shopName)"), derived("shopName", .string, "shop.name"),
                derived("share", .float, "sum / 3"), derived("sum", .decimal, "items.@sum.product.price"),
                derived("isDear", .boolean, "TERNARY(shop.name == 'Ulm', 1, 0)"),
                derived("reds", .integer16, "SUBQUERY(items, $i, $i.product.name == 'red').@count"),
            ],
            relationships: [
                RelationshipDescription(
                    name: "items",
                    destinationEntityName: "Item",
                    inverseName: "order",
                    isToMany: true
                ),
                RelationshipDescription(name: "shop", destinationEntityName: "Shop"),
            ]
        ),
        EntityDescription(
            name: "Item",
            relationships: [
                RelationshipDescription(name: "order", destinationEntityName: "Order", inverseName: "items"),
                RelationshipDescription(name: "product", destinationEntityName: "Product"),
            ]
        ),
        EntityDescription(
            name: "Product",
            attributes: [
                AttributeDescription(name: "name", attributeType: .string),
                AttributeDescription(name: "price", attributeType: .decimal),
            ]
        ),
        EntityDescription(name: "Shop", attributes: [AttributeDescription(name: "name", attributeType: .string)]),
    ]

    init(isBatch: Bool) throws {
        let context = try makeContext(Self.entities)
        func insert(_ name: String, _ values: [String: Any]) -> ManagedObject {
            let object = EntityDescription.insertNewObject(forEntityName: name, into: context)
            for (key, value) in values { object.setValue(value, forKey: key) }
            return object
        }
        shops = ["Ulm", "Jena"].map { insert("Shop", ["name": $0]) }
        products = ["red", "blue"].map { insert("Product", ["name": $0, "price": 10]) }
        orders = shops.map { insert("Order", ["shop": $0]) }
        for order in orders { for product in products { _ = insert("Item", ["order": order, "product": product]) } }
        try context.save()
        (self.context, self.isBatch) = (context, isBatch)
    }

    func set(_ object: ManagedObject, _ key: String, _ value: any PredicateArgument) throws {
        guard isBatch else {
            object.setValue(value, forKey: key)
            return try context.save()
        }
        let request = try BatchUpdateRequest<ManagedObject>(entityName: object.runtimeEntity.entity.name)
            .where(format: "SELF == %@", object).setting(key, to: value)
        context.mergeChanges(try context.execute(request).changes)
    }
}
