import ChordataTestStores
import Foundation
import Testing

@testable import Chordata

/// Attributes that are derived from values that a merge policy has merged (5B step 4, 5C).
struct DerivedConflictTests {
    private static func definition() throws -> ModelDefinition {
        ModelDefinition(
            name: "Sums",
            versionName: "Sums",
            model: try ManagedObjectModel(entities: [
                EntityDescription(
                    name: "Sum",
                    attributes: [
                        AttributeDescription(name: "a", attributeType: .integer64),
                        AttributeDescription(name: "b", attributeType: .integer64),
                        AttributeDescription(
                            name: "total",
                            attributeType: .integer64,
                            derivationExpression: "a + b"
                        ),
                        AttributeDescription(
                            name: "partTotal",
                            attributeType: .integer64,
                            derivationExpression: "parts.@sum.total"
                        ),
                    ],
                    relationships: [
                        RelationshipDescription(name: "whole", destinationEntityName: "Sum", inverseName: "parts"),
                        RelationshipDescription(
                            name: "parts",
                            destinationEntityName: "Sum",
                            inverseName: "whole",
                            isToMany: true
                        ),
                    ]
                )
            ])
        )
    }

    /// Two contexts add members to one object, or change different members: only its derived attribute is changed by
    /// both, so there is no conflict, and the value counts all members.
    @Test(arguments: [false, true], MergePolicyTests.all) func sumsAreNoConflict(isFault: Bool, type: MergePolicyType)
        throws
    {
        try withStorePath { path in
            let container = try Self.definition().testContainer(at: path)
            let (here, there) = (container.newContext(), container.newContext())
            here.mergePolicy = MergePolicy(merge: type)
            func insert(_ a: Int64, in context: ManagedObjectContext, _ whole: ManagedObject?) -> ManagedObject {
                let object = EntityDescription.insertNewObject(forEntityName: "Sum", into: context)
                object.setValue(a, forKey: "a")
                object.setValue(0, forKey: "b")
                object.setValue(whole, forKey: "whole")
                return object
            }
            let whole = insert(0, in: here, nil)
            let parts = [1, 2].map { insert($0, in: here, whole) }
            try here.save()
            if isFault {
                here.refreshAllObjects()
            } else {
                #expect(whole.value(forKey: "partTotal") as? Int64 == 3)
            }
            let other = try there.existingObject(with: whole.objectID)
            // The other context adds a member, and changes a value of a member that was read here.
            _ = insert(10, in: there, other)
            try there.existingObject(with: parts[0].objectID).setValue(100, forKey: "a")
            try there.save()
            #expect(other.value(forKey: "partTotal") as? Int64 == 112)
            _ = insert(1000, in: here, whole)
            parts[1].setValue(20, forKey: "a")
            try here.save()
            // Sets another attribute of an object of which this context changed only the derived attribute.
            other.setValue(5, forKey: "b")
            try there.save()
            for context in [here, there, container.newContext()] {
                context.refreshAllObjects()
                let object = try context.existingObject(with: whole.objectID)
                #expect(object.value(forKey: "partTotal") as? Int64 == 1130)
                #expect(object.value(forKey: "b") as? Int64 == 5)
            }
        }
    }

    /// A change of the same attribute that is not derived is a conflict, regardless of the derived attributes.
    @Test func otherAttributesAreAConflict() throws {
        try withStorePath { path in
            let container = try Self.definition().testContainer(at: path)
            let (here, there) = (container.newContext(), container.newContext())
            let sum = EntityDescription.insertNewObject(forEntityName: "Sum", into: here)
            for key in ["a", "b"] { sum.setValue(1, forKey: key) }
            try here.save()
            try there.existingObject(with: sum.objectID).setValue(2, forKey: "b")
            try there.save()
            sum.setValue(3, forKey: "a")
            #expect(throws: SaveConflictError.self) { try here.save() }
            #expect(sum.value(forKey: "a") as? Int64 == 3 && here.hasChanges)
        }
    }

    /// Each side has its own addend and a matching total; the total of the merged object differs from both.
    @Test(arguments: MergePolicyTests.resolving)
    func totalsAreComputedFromMergedAddends(type: MergePolicyType) throws {
        try withStorePath { path in
            let container = try Self.definition().testContainer(at: path)
            let (here, there) = (container.newContext(), container.newContext())
            here.mergePolicy = MergePolicy(merge: type)
            let whole = EntityDescription.insertNewObject(forEntityName: "Sum", into: here)
            let sum = EntityDescription.insertNewObject(forEntityName: "Sum", into: here)
            for object in [whole, sum] {
                for key in ["a", "b"] { object.setValue(0, forKey: key) }
            }
            sum.setValue(whole, forKey: "whole")
            try here.save()
            #expect(sum.value(forKey: "total") as? Int64 == 0)

            sum.setValue(1, forKey: "a")
            let other = try there.existingObject(with: sum.objectID)
            other.setValue(20, forKey: "b")
            try there.save()
            #expect(other.value(forKey: "total") as? Int64 == 20)
            try here.save()

            let (a, b): (Int64, Int64) =
                switch type {
                case .error: (0, 0)
                case .mergeByPropertyStoreTrump, .mergeByPropertyObjectTrump: (1, 20)
                case .overwrite: (1, 0)
                case .rollback: (0, 20)
                }
            // With the policy rollback, nothing is saved here, so only a refresh merges the saves of the other context.
            here.refreshAllObjects()
            for context in [here, container.newContext()] {
                let object = try context.existingObject(with: sum.objectID)
                #expect(object.value(forKey: "a") as? Int64 == a && object.value(forKey: "b") as? Int64 == b)
                #expect(object.value(forKey: "total") as? Int64 == a + b)
                let holder = try context.existingObject(with: whole.objectID)
                #expect(holder.value(forKey: "partTotal") as? Int64 == a + b)
            }
            #expect(!here.hasChanges)
        }
    }
}
