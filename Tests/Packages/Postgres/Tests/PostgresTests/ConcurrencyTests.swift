import ChordataModel
import Dispatch
import Foundation
import Testing

@testable import Chordata
@testable import ChordataPostgres
@testable import ChordataPredicate

/// Concurrent writers that compute values from the values that they have read.
struct ConcurrencyTests {
    /// Orders count their lines.
    private static func container() throws -> PersistentContainer {
        let model = try ManagedObjectModel(entities: [
            EntityDescription(
                name: "Order",
                attributes: [
                    AttributeDescription(name: "number", attributeType: .integer64, defaultValue: .integer(0)),
                    AttributeDescription(
                        name: "count",
                        attributeType: .integer64,
                        isOptional: true,
                        derivationExpression: "lines.@count"
                    ),
                    AttributeDescription(
                        name: "total",
                        attributeType: .integer64,
                        isOptional: true,
                        derivationExpression: "lines.@sum.amount"
                    ),
                ],
                relationships: [
                    RelationshipDescription(
                        name: "lines",
                        destinationEntityName: "Line",
                        inverseName: "order",
                        isToMany: true
                    )
                ]
            ),
            EntityDescription(
                name: "Line",
                attributes: [
                    AttributeDescription(name: "amount", attributeType: .integer64, defaultValue: .integer(0))
                ],
                relationships: [
                    RelationshipDescription(name: "order", destinationEntityName: "Order", inverseName: "lines")
                ]
            ),
        ])
        return try PersistentContainer(
            model: ModelDefinition(name: "Orders", versionName: "Orders", model: model),
            postgres: PostgresConfiguration(TestServer.string, schema: "store_\(UUID().uuidString)")
        )
    }

    /// Runs a closure on four threads, ten times on each.
    private func run(_ body: @Sendable (_ number: Int64) throws -> Void) {
        DispatchQueue.concurrentPerform(iterations: 4) { thread in
            for step in 0..<10 {
                do { try body(Int64(thread * 10 + step)) } catch { Issue.record(error) }
            }
        }
    }

    private func makeOrder(_ container: PersistentContainer) throws -> ManagedObjectID {
        let context = container.newContext()
        let order = EntityDescription.insertNewObject(forEntityName: "Order", into: context)
        try context.save()
        return order.objectID
    }

    /// Each of two saves that insert lines of one order would not see the line of the other.
    @Test func derivedAttributes() throws {
        let container = try Self.container()
        let id = try makeOrder(container)
        run { number in
            let context = container.newContext()
            let line = EntityDescription.insertNewObject(forEntityName: "Line", into: context)
            line.setValue(number, forKey: "amount")
            line.setValue(context.object(with: id), forKey: "order")
            try context.save()
        }
        let order = try container.newContext().existingObject(with: id)
        #expect(order.value(forKey: "count") as? Int64 == 40)
        #expect(order.value(forKey: "total") as? Int64 == (0..<40).reduce(0, +))
    }

    /// A batch update that computes in memory does not overwrite the value of another batch update.
    @Test func batchUpdates() throws {
        let container = try Self.container()
        let id = try makeOrder(container)
        run { _ in
            var update = BatchUpdateRequest<ManagedObject>(entityName: "Order")
            update.propertiesToUpdate = ["number": try FetchExpression(format: "number + 1")]
            while true {
                do {
                    _ = try container.newContext().execute(update)
                    return
                } catch let error as StoreError where error.sqlState == "40001" {
                    // The update fails after some attempts.
                }
            }
        }
        let order = try container.newContext().existingObject(with: id)
        #expect(order.value(forKey: "number") as? Int64 == 40)
    }
}
