import Chordata
import Foundation
import Testing

/// Derived attributes at save (5B step 4).
struct DerivedAttributeTests {
    private static func definition() throws -> ModelDefinition {
        func derived(_ name: String, _ type: AttributeType, _ expression: String)
            -> AttributeDescription
        {
            AttributeDescription(name: name, attributeType: type, derivationExpression: expression)
        }
        return ModelDefinition(
            name: "Ledger",
            versionName: "Ledger",
            model: try ManagedObjectModel(entities: [
                EntityDescription(
                    name: "Account",
                    attributes: [
                        AttributeDescription(name: "title", attributeType: .string),
                        derived("searchTitle", .string, "canonical:(title)"),
                        derived("changedAt", .date, "now()"),
                        derived("entryCount", .integer16, "entries.@count"),
                        derived("total", .integer64, "entries.@sum.amount"),
                        derived("bankName", .string, "bank.name"),
                    ],
                    relationships: [
                        RelationshipDescription(
                            name: "entries",
                            destinationEntityName: "Entry",
                            inverseName: "account",
                            isToMany: true,
                            deleteRule: .cascade
                        ),
                        RelationshipDescription(name: "bank", destinationEntityName: "Bank"),
                    ]
                ),
                EntityDescription(
                    name: "Entry",
                    attributes: [
                        AttributeDescription(name: "amount", attributeType: .integer64),
                        derived("bankTitle", .string, "uppercase:(account.bank.name)"),
                    ],
                    relationships: [
                        RelationshipDescription(
                            name: "account",
                            destinationEntityName: "Account",
                            inverseName: "entries"
                        )
                    ]
                ),
                EntityDescription(
                    name: "Bank",
                    attributes: [AttributeDescription(name: "name", attributeType: .string)]
                ),
            ])
        )
    }

    private func object(_ name: String, in context: ManagedObjectContext, _ values: [String: Any]) -> ManagedObject {
        let object = EntityDescription.insertNewObject(forEntityName: name, into: context)
        for (key, value) in values { object.setValue(value, forKey: key) }
        return object
    }

    @Test func theyFollowAtEachSave() throws {
        try withStorePath { path in
            let container = try PersistentContainer(model: try Self.definition(), path: path)
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

            // In another context, which has read nothing of it: an entry, and the bank.
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
        let context = try PersistentContainer(model: model, path: ":memory:").newContext()
        let sum = object("Sum", in: context, ["number": 20_000])
        let error = #expect(throws: ValidationError.self) { try context.save() }
        #expect(error?.failures.map(\.propertyName) == ["double"])
        #expect(error?.failures.map(\.code) == [.managedObjectValidation])
        #expect(sum.isInserted)
        sum.setValue(10_000, forKey: "number")
        try context.save()
        #expect(sum.value(forKey: "double") as? Int16 == 20_000)
    }
}
