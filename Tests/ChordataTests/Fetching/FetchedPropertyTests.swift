import ChordataModel
import ChordataTestStores
import ChordataTestSupport
import Foundation
import Testing

@testable import Chordata

/// Fetched properties of a model without generated classes.
struct FetchedPropertyTests {
    private func withShop(
        predicate: String,
        userInfo: [String: String],
        _ body: (_ context: ManagedObjectContext, _ source: ManagedObject) throws -> Void
    ) throws {
        let model = try ManagedObjectModel(entities: [
            EntityDescription(
                name: "Product",
                attributes: [
                    AttributeDescription(name: "name", attributeType: .string),
                    AttributeDescription(name: "price", attributeType: .integer64),
                ],
                fetchedProperties: [
                    FetchedPropertyDescription(
                        name: "similar",
                        fetchRequest: FetchRequestTemplate(
                            name: "fetchedPropertyFetchRequest",
                            entityName: "Product",
                            predicateFormat: predicate
                        ),
                        userInfo: userInfo
                    )
                ]
            )
        ])
        let container = try ModelDefinition(name: "Shop", versionName: "Shop", model: model).testContainer(
            at: ":memory:"
        )
        let context = container.newContext()
        let products = [("tea", 3), ("cup", 2), ("pot", 3), ("similar", 3)].map { name, price in
            let product = EntityDescription.insertNewObject(forEntityName: "Product", into: context)
            product.setValue(name, forKey: "name")
            product.setValue(price, forKey: "price")
            return product
        }
        try context.save()
        try body(context, products[0])
        #expect(context.readError == nil)
    }

    private func names(_ source: ManagedObject) throws -> [String] {
        try #require(source.value(forKey: "similar") as? [ManagedObject]).compactMap {
            $0.value(forKey: "name") as? String
        }
    }

    @Test(arguments: [("price, name", ["cup", "pot", "similar"]), ("name DESC", ["similar", "pot", "cup"])])
    func sortedByUserInfo(sort: String, expected: [String]) throws {
        try withShop(predicate: "SELF != $FETCH_SOURCE", userInfo: ["sortKeys": sort]) { _, source in
            let found = try names(source)
            expectEqual(found, expected)
        }
    }

    @Test func describedByThemselves() throws {
        try withShop(predicate: "name == $FETCHED_PROPERTY.name", userInfo: [:]) { _, source in
            let found = try names(source)
            expectEqual(found, ["similar"])
        }
        let format = "name == $FETCHED_PROPERTY.userInfo.wanted OR name == $FETCHED_PROPERTY.userInfo.also.this"
        try withShop(predicate: format, userInfo: ["wanted": "pot", "also.this": "cup", "sortKeys": "name"]) {
            _,
            source in
            let found = try names(source)
            expectEqual(found, ["cup", "pot"])
        }
    }
}
