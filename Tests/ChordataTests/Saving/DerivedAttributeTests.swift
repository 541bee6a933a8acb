import Chordata
import ChordataTestStores
import ChordataTestSupport
import Foundation
import Testing

/// Derived attributes in saves (5B step 4).
struct DerivedAttributeTests {
    private func object(_ name: String, in context: ManagedObjectContext, _ values: [String: Any]) -> ManagedObject {
        let object = EntityDescription.insertNewObject(forEntityName: name, into: context)
        for (key, value) in values { object.setValue(value, forKey: key) }
        return object
    }

    @Test func derivedAttributesAreUpdatedByEachSave() throws {
        try withStorePath { path in
            let container = try LedgerModel.definition().testContainer(at: path)
            let context = container.newContext()
            let bank = object("Bank", in: context, ["name": "Ulm"])
            let account = object("Account", in: context, ["title": "Café", "bank": bank])
            let first = object("Entry", in: context, ["amount": 3, "account": account])
            _ = object("Entry", in: context, ["amount": 4, "account": account])
            let before = Date.now
            try context.save()
            #expect(account.value(forKey: "searchTitle") as? String == "cafe")
            #expect(account.value(forKey: "entryCount") as? Int16 == 2)
            #expect(account.value(forKey: "total") as? Int64 == 7)
            #expect(account.value(forKey: "bankName") as? String == "Ulm")
            #expect(first.value(forKey: "bankTitle") as? String == "ULM")
            let changedAt = try #require(account.value(forKey: "changedAt") as? Date)
            #expect(changedAt >= before && changedAt <= Date.now)
            #expect(!context.hasChanges)

            // Another context, which has not read the account, changes an entry and the bank.
            let other = container.newContext()
            let entry = try other.existingObject(with: first.objectID)
            entry.setValue(10, forKey: "amount")
            try other.existingObject(with: bank.objectID).setValue("Jena", forKey: "name")
            try other.save()
            let stored = try container.newContext().existingObject(with: account.objectID)
            #expect(stored.value(forKey: "total") as? Int64 == 14)
            #expect(stored.value(forKey: "bankName") as? String == "Jena", "the relationship has no inverse")
            #expect(entry.value(forKey: "bankTitle") as? String == "JENA")

            other.delete(entry)
            try other.save()
            let last = try container.newContext().existingObject(with: account.objectID)
            #expect(last.value(forKey: "entryCount") as? Int16 == 1)
            #expect(last.value(forKey: "total") as? Int64 == 4)
        }
    }

    private func pairs(_ attributes: [AttributeDescription]) throws -> ManagedObjectContext {
        let one = EntityDescription(
            name: "Pair",
            attributes: attributes,
            relationships: [RelationshipDescription(name: "other", destinationEntityName: "Pair")]
        )
        let model = try ManagedObjectModel(entities: [one])
        return try ModelDefinition(name: "Pairs", versionName: "Pairs", model: model).testContainer(at: ":memory:")
            .newContext()
    }

    @Test func requiredDerivedAttributesNeedAValue() throws {
        let context = try pairs([
            AttributeDescription(name: "name", attributeType: .string, isOptional: true),
            AttributeDescription(name: "title", attributeType: .string, derivationExpression: "uppercase:(other.name)"),
        ])
        let pair = object("Pair", in: context, ["name": "a"])
        let error = #expect(throws: ValidationError.self) { try context.save() }
        expectEqual(error?.failures.map(\.code), [.missingMandatoryProperty])
        expectEqual(error?.failures.map(\.propertyName), ["title"])
        pair.setValue(pair, forKey: "other")
        try context.save()
        #expect(pair.value(forKey: "title") as? String == "A")
    }

    @Test func derivedValueThatIsNotANumberFails() throws {
        let context = try pairs([
            AttributeDescription(name: "size", attributeType: .double),
            AttributeDescription(name: "difference", attributeType: .double, derivationExpression: "size - other.size"),
        ])
        let pair = object("Pair", in: context, ["size": Double.infinity])
        pair.setValue(pair, forKey: "other")
        let error = #expect(throws: ValidationError.self) { try context.save() }
        expectEqual(error?.failures.map(\.propertyName), ["difference"])
        pair.setValue(1.5, forKey: "size")
        try context.save()
        #expect(pair.value(forKey: "difference") as? Double == 0)
    }

    /// Each value is derived from the other value, plus one.
    @Test func circularDerivationsAreLimited() throws {
        let context = try pairs([
            AttributeDescription(name: "name", attributeType: .string),
            AttributeDescription(
                name: "count",
                attributeType: .double,
                isOptional: true,
                derivationExpression: "TERNARY(other.count == nil, 0, other.count + 1)"
            ),
        ])
        let (first, second) = (object("Pair", in: context, ["name": "a"]), object("Pair", in: context, ["name": "b"]))
        first.setValue(second, forKey: "other")
        try context.save()
        second.setValue(first, forKey: "other")
        let error = #expect(throws: ChangeLimitExceededError.self) { try context.save() }
        expectEqual(error?.entityNames, ["Pair"])
        second.setValue(nil, forKey: "other")
        try context.save()
        try context.execute(BatchUpdateRequest<ManagedObject>(entityName: "Pair").setting("name", to: "c"))
        let circle = BatchUpdateRequest<ManagedObject>(entityName: "Pair").setting("other", to: first)
        #expect(throws: ChangeLimitExceededError.self) { try context.execute(circle) }
    }

    @Test func aValueThatDoesNotFitMakesTheSaveFail() throws {
        let model = ModelDefinition(
            name: "Small",
            versionName: "Small",
            model: try ManagedObjectModel(entities: [
                EntityDescription(
                    name: "Sum",
                    attributes: [
                        AttributeDescription(name: "number", attributeType: .integer64),
                        AttributeDescription(
                            name: "double",
                            attributeType: .integer16,
                            derivationExpression: "number * 2"
                        ),
                    ]
                )
            ])
        )
        let context = try model.testContainer(at: ":memory:").newContext()
        let sum = object("Sum", in: context, ["number": 20_000])
        let error = #expect(throws: ValidationError.self) { try context.save() }
        expectEqual(error?.failures.map(\.propertyName), ["double"])
        expectEqual(error?.failures.map(\.code), [.managedObjectValidation])
        #expect(sum.isInserted)
        sum.setValue(10_000, forKey: "number")
        try context.save()
        #expect(sum.value(forKey: "double") as? Int16 == 20_000)
    }
}
