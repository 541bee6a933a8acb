import ChordataModel
import ChordataSQL
import ChordataTestStores
import ChordataTestSupport
import Foundation
import OrderedCollections
import Testing

@testable import Chordata

/// A batch deletion has the same result as deleting the objects, for random delete rules, graphs and selections.
///
/// A batch deletion without validation has the same result as deleting the objects with a model that does not require
/// related objects. Some models have derived attributes, and some stores have a persistent history.
///
/// `CHORDATA_BATCH_DELETIONS` sets the number of batch deletions, and `CHORDATA_SEED` the first seed.
struct BatchDeleteLawTests {
    @Test func batchDeletionsAgreeWithDeletionsOfObjects() throws {
        let count = setting("CHORDATA_BATCH_DELETIONS", small: 60)
        let first = setting("CHORDATA_SEED", small: UInt64(1))
        print("seed \(first), \(count) batch deletions")
        var (deletedCount, refusedCount, unvalidatedCount) = (0, 0, 0)
        for seed in first..<first + UInt64(count) {
            var random = SeededGenerator(seed: seed)
            let validates = Bool.random(using: &random)
            let hasDerivations = Bool.random(using: &random)
            let tracksHistory = Bool.random(using: &random)
            var sameRandom = random
            let definition = try Self.definition(hasDerivations: hasDerivations, &random)
            let other = try Self.definition(hasDerivations: hasDerivations, isRelaxed: !validates, &sameRandom)
            try withStorePath { path in
                let options = StoreOptions(tracksPersistentHistory: tracksHistory)
                let container = try definition.testContainer(at: path, options: options)
                guard try Self.fill(container, definition.model, &random) else { return }
                let byObjects = try other.testContainer(at: path + ".objects", options: options)
                #expect(try Self.fill(byObjects, definition.model, &sameRandom), "seed \(seed)")
                let names = (0..<Int.random(in: 1...4, using: &random)).map { _ in
                    "\(Int.random(in: 0..<Self.size, using: &random))"
                }
                let request = try FetchRequest<ManagedObject>(
                    entityName: ["Node", "Thing"].randomElement(using: &random)!
                )
                .where(format: "name IN %@", names)
                let before = try Self.contents(container)
                try #require(try Self.contents(byObjects) == before, "seed \(seed)")
                let context = byObjects.newContext()
                for object in try context.fetch(request) { context.delete(object) }
                let expected = Result { try context.save() }
                var batch = BatchDeleteRequest(fetchRequest: request)
                batch.validatesRelationships = validates
                do {
                    // Every other batch deletion runs without direct access to SQLite, as with another database engine.
                    let direct = seed.isMultiple(of: 2) || TestStore.isOnServer
                    let engine = try direct ? container : CellEngine.container(definition, of: container)
                    let result = try engine.newContext().execute(batch)
                    deletedCount += result.deletedObjectsCount
                    if !validates { unvalidatedCount += result.deletedObjectsCount }
                    let after = try Self.contents(container)
                    if case .failure(let error) = expected {
                        Issue.record("seed \(seed): the objects were not deleted: \(error)")
                    }
                    let objectsAfter = try Self.contents(byObjects)
                    expectEqual(after, objectsAfter, "seed \(seed)")
                    expectEqual(
                        Set(before.rows.keys).subtracting(after.rows.keys),
                        Set(result.deletedObjectIDs.map(\.key))
                    )
                    let changed = after.rows.filter { before.rows[$0.key] != $0.value }.map(\.key)
                    expectEqual(Set(changed), Set(result.updatedObjectIDs.map(\.key)), "seed \(seed)")
                    if tracksHistory, result.deletedObjectsCount > 0 {
                        let transaction = try #require(
                            try container.newContext().execute(.fetchHistory(after: nil)).last
                        )
                        expectEqual(transaction.objectIDChanges, result.changes, "seed \(seed)")
                    }
                } catch let error as ValidationError {
                    refusedCount += 1
                    let codes = Set(error.failures.map { Failed($0) })
                    #expect(throws: ValidationError.self, "seed \(seed): \(error)") { try expected.get() }
                    if case .failure(let other as ValidationError) = expected {
                        // Denials are found first; a save reports all failures together.
                        #expect(codes.isSubset(of: Set(other.failures.map { Failed($0) })), "seed \(seed)")
                    }
                    expectEqual(try Self.contents(container), before, "seed \(seed)")
                }
            }
        }
        // Enough cases of each kind occurred.
        print("\(deletedCount) rows deleted, \(unvalidatedCount) of them without validation, \(refusedCount) refusals")
        #expect(deletedCount > count && unvalidatedCount > count / 6 && refusedCount > count / 15)
    }

    private struct Failed: Hashable {
        let code: ValidationError.Failure.Code
        let objectID: Int64
        let propertyName: String

        init(_ failure: ValidationError.Failure) {
            (code, objectID, propertyName) = (failure.code, failure.objectID.key, failure.propertyName)
        }
    }

    // MARK: Models and graphs

    private static let size = 14

    /// Two entities with relationships of all kinds, and random rules.
    /// - Parameter isRelaxed: Whether the model does not require related objects.
    private static func definition(
        hasDerivations: Bool,
        isRelaxed: Bool = false,
        _ random: inout SeededGenerator
    ) throws -> ModelDefinition {
        func relationship(
            _ name: String,
            _ destination: String,
            _ inverse: String?,
            isToMany: Bool = false,
            _ random: inout SeededGenerator
        ) -> RelationshipDescription {
            let rules: [DeleteRule] = [.nullify, .nullify, .nullify, .cascade, .noAction, .deny]
            let rule = rules.randomElement(using: &random)!
            let isRequired = Int.random(in: 0..<8, using: &random) == 0
            let minimumCount = Int.random(in: 1...2, using: &random)
            return RelationshipDescription(
                name: name,
                destinationEntityName: destination,
                inverseName: inverse,
                isToMany: isToMany,
                isOrdered: isToMany && inverse != nil && Int.random(in: 0..<4, using: &random) == 0,
                isOptional: isRelaxed || !isRequired,
                minimumCount: isToMany && isRequired && !isRelaxed ? minimumCount : 0,
                deleteRule: rule
            )
        }
        func derived(_ name: String, _ type: AttributeType, _ expression: String) -> AttributeDescription {
            AttributeDescription(name: name, attributeType: type, isOptional: true, derivationExpression: expression)
        }
        let name = AttributeDescription(name: "name", attributeType: .string, isOptional: true)
        let ofNode = [
            derived("childCount", .integer16, "children.@count"), derived("parentName", .string, "parent.name"),
        ]
        let ofThing = [derived("markCount", .integer16, "markedNodes.@count")]
        let node = EntityDescription(
            name: "Node",
            attributes: [name] + (hasDerivations ? ofNode : []),
            relationships: [
                relationship("next", "Node", "previous", &random), relationship("previous", "Node", "next", &random),
                relationship("children", "Node", "parent", isToMany: true, &random),
                relationship("parent", "Node", "children", &random), relationship("oneWay", "Node", nil, &random),
                relationship("things", "Thing", "node", isToMany: true, &random),
                relationship("marks", "Thing", "markedNodes", isToMany: true, &random),
                relationship("loose", "Thing", nil, isToMany: true, &random),
            ]
        )
        let thing = EntityDescription(
            name: "Thing",
            attributes: [name] + (hasDerivations ? ofThing : []),
            relationships: [
                relationship("node", "Node", "things", &random),
                relationship("markedNodes", "Node", "marks", isToMany: true, &random),
                relationship("partner", "Thing", "partner", &random),
            ]
        )
        // The rows of leaves are in the table of nodes.
        let leaf = EntityDescription(
            name: "Leaf",
            superentityName: "Node",
            attributes: [],
            relationships: [relationship("twin", "Thing", nil, &random)]
        )
        return ModelDefinition(
            name: "Nodes",
            versionName: "1",
            model: try ManagedObjectModel(entities: [node, thing, leaf])
        )
    }

    /// - Parameter model: The model that determines how likely references are.
    /// - Returns: Whether the graph is valid.
    private static func fill(
        _ container: PersistentContainer,
        _ model: ManagedObjectModel,
        _ random: inout SeededGenerator
    ) throws -> Bool {
        let context = container.newContext()
        var objects: [String: [ManagedObject]] = [:]
        for number in 0..<size {
            for (entity, list) in [("Node", "Node"), ("Thing", "Thing"), ("Leaf", "Node")] {
                let object = EntityDescription.insertNewObject(forEntityName: entity, into: context)
                object.setValue("\(number)", forKey: "name")
                objects[list, default: []].append(object)
            }
        }
        for object in objects.orderedByKey.flatMap(\.value) {
            let entity = model.entity(named: object.entity.name) ?? object.entity
            for relationship in entity.relationshipsByName.orderedByKey.map(\.value) {
                guard let all = objects[relationship.destinationEntityName] else { continue }
                let chance = relationship.isOptional ? 35 : 100
                guard Int.random(in: 0..<100, using: &random) < chance, let one = all.randomElement(using: &random)
                else { continue }
                if !relationship.isToMany {
                    object.setValue(one, forKey: relationship.name)
                } else {
                    let members = (0..<3).compactMap { _ in all.randomElement(using: &random) } + [one]
                    object.setValue(
                        relationship.isOrdered ? OrderedSet(members) as Any : Set(members) as Any,
                        forKey: relationship.name
                    )
                }
            }
        }
        do {
            try context.save()
            return true
        } catch is ValidationError {
            return false
        }
    }

    private struct Contents: Equatable {
        /// The values of all columns except the row version and the order columns, by row key.
        var rows: [Int64: [String]] = [:]
        var pairs: Set<[String]> = []
    }

    private static func contents(_ container: PersistentContainer) throws -> Contents {
        var contents = Contents()
        let store = container.persistentStoreCoordinator.persistentStores[0]
        for table in store.schema.mapping.tables where table.kind != .system {
            let columns = table.columns.map(\.name).filter { $0 != "_version" && !$0.contains("_order") }
            let list = columns.map { "coalesce(CAST(\"\($0)\" AS text), 'NULL')" }.joined(separator: ", ")
            for values in try store.texts("SELECT \(list) FROM \"\(table.name)\"", columnCount: columns.count) {
                if columns.first == "_id" {
                    contents.rows[try #require(Int64(values[0]))] = values
                } else {
                    contents.pairs.insert([table.name] + values)
                }
            }
        }
        return contents
    }
}
