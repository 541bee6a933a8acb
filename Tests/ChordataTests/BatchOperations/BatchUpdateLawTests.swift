import ChordataModel
import ChordataPredicate
import ChordataSQL
import ChordataTestStores
import ChordataTestSupport
import Foundation
import Testing

@testable import Chordata
@testable import NaivePredicates

/// A batch update has the same result as setting the values of objects, for random conditions, expressions, rows and
/// models.
///
/// `CHORDATA_BATCH_UPDATES` sets the number of updates, and `CHORDATA_SEED` the first seed.
struct BatchUpdateLawTests {
    private typealias Rows = [Int64: [String: AttributeValue]]

    @Test func batchUpdatesAgreeWithObjectUpdates() throws {
        let wantedCount = setting("CHORDATA_BATCH_UPDATES", small: 120)
        var seed = setting("CHORDATA_SEED", small: UInt64(1))
        print("seed \(seed), \(wantedCount) batch updates")
        var (count, writtenCount, refusedCount) = (0, 0, 0)
        while count < wantedCount {
            let model = seed.isMultiple(of: 3) ? NaiveModel.model : RandomModel.make(seed: seed)
            let container = try FilledStore(RandomObjects(seed: seed, model: model), model: model).container
            // Every other store is accessed without SQLite, as with another database engine.
            let definition = ModelDefinition(name: "Naive", versionName: "Naive", model: model)
            let direct = seed.isMultiple(of: 2) || TestStore.isOnServer
            let engine = try direct ? container : CellEngine.container(definition, of: container)
            var random = RandomPredicate(seed: seed, model: model)
            for _ in 0..<10 {
                guard let request = try next(&random, model) else { continue }
                count += 1
                let before = try rows(container)
                let expected = try outcome(of: request, container)
                do {
                    let result = try engine.newContext().execute(request)
                    writtenCount += result.updatedObjectsCount
                    expectEqual(
                        Set(result.updatedObjectIDs.map(\.key)),
                        expected.keys,
                        "seed \(seed): \(request.propertiesToUpdate)"
                    )
                } catch is BatchUpdateError {
                    refusedCount += 1
                    #expect(expected.rows == nil, "seed \(seed): \(request)")
                }
                // A refused update leaves every row unchanged.
                expectEqual(try rows(container), expected.rows ?? before, "seed \(seed): \(request)")
            }
            seed += 1
        }
        // Enough cases of each kind occurred.
        #expect(writtenCount > wantedCount && refusedCount > 0 && refusedCount < wantedCount / 2)
    }

    /// The same law for to-ones, and for derived attributes, uniqueness constraints and a persistent history.
    @Test(arguments: ChangedModel.all) func updatesOfRelationshipsAgreeWithObjectUpdates(model: ChangedModel) throws {
        let count = setting("CHORDATA_BATCH_UPDATES", small: 120) / 10
        let first = setting("CHORDATA_SEED", small: UInt64(1))
        print("seed \(first), \(count) stores of batch updates, model \(model.testDescription)")
        var (writtenCount, refusedCount, relationshipCount) = (0, 0, 0)
        for seed in first..<first + UInt64(count) {
            try withStorePath { path in
                var changes = try model.changes(SeededGenerator(seed: seed))
                let stores = try model.equalStores(at: path, &changes)
                for _ in 0..<6 {
                    let (context, other) = (stores[0].newContext(), stores[1].newContext())
                    let (request, values) = try changes.nextUpdate(context)
                    var fetch = FetchRequest<ManagedObject>(entityName: request.entityName)
                    fetch.predicate = request.predicate
                    let objects = try other.fetch(fetch)
                    let result = Result { try context.execute(request) }
                    let expected = Result {
                        for object in objects { try object.setValues(values) }
                        try other.save()
                    }
                    let stored = try stores.map { try StoredObjects($0.store).without("changedAt") }
                    expectEqual(stored[0], stored[1], "seed \(seed): \(request) \(result) \(expected)")
                    switch (result, expected) {
                    case (.success(let result), .success):
                        writtenCount += result.updatedObjectsCount
                        if values.values.contains(where: { $0 is ManagedObjectID }) {
                            relationshipCount += result.updatedObjectsCount
                        }
                        expectEqual(result.updatedObjectsCount, objects.count, "seed \(seed)")
                        guard result.updatedObjectsCount > 0 else { continue }
                        let transaction = try #require(try context.execute(.fetchHistory(after: nil)).last)
                        expectEqual(transaction.objectIDChanges, result.changes, "seed \(seed)")
                    case (.failure, .failure): refusedCount += 1
                    // A constant is checked even if no row is updated.
                    case (.failure, .success): #expect(objects.isEmpty, "seed \(seed): \(request) \(result)")
                    case (.success, .failure(let error)): Issue.record("seed \(seed): \(request) \(error)")
                    }
                }
            }
        }
        // Enough cases of each kind occurred.
        #expect(writtenCount > count * 4 && relationshipCount > count / 4 && refusedCount < count * 3)
    }

    /// A request that the store can compute.
    private func next(_ random: inout RandomPredicate, _ model: ManagedObjectModel) throws
        -> BatchUpdateRequest<ManagedObject>?
    {
        var request = BatchUpdateRequest<ManagedObject>(entityName: "Animal")
        let predicate = FetchPredicate(random.next())
        guard try predicate.bind(to: "Animal", in: model).isRenderable else { return nil }
        request.predicate = predicate
        request.includesSubentities = !random.random.percent(15)
        for (keys, type) in model.entity(named: "Animal")?.askable ?? [] where random.random.percent(15) {
            let name = keys.joined(separator: ".")
            if random.random.percent(20) {
                request = request.setting(name, to: nil)
                continue
            }
            let names = RandomPredicate.Names()
            let node: ExpressionNode
            switch type {
            case .integer16, .integer32, .integer64, .double, .float, .decimal: node = random.number(1, names)
            case .string: node = random.text(1, names)
            case .date: node = random.date(1, names)
            default: node = .value(.attribute(RandomAlphabet.value(of: type, isNarrow: true, &random.random)))
            }
            let expression = FetchExpression(node)
            guard try expression.bind(to: "Animal", in: model).expression.isRenderable else { continue }
            request.propertiesToUpdate[name] = expression
        }
        return request.propertiesToUpdate.isEmpty ? nil : request
    }

    /// Returns the keys of the rows that an update should write, and the expected values of all rows, which are `nil`
    /// if a value does not fit.
    private func outcome(of request: BatchUpdateRequest<ManagedObject>, _ container: PersistentContainer) throws
        -> (keys: Set<Int64>, rows: Rows?)
    {
        let context = container.newContext()
        var fetch = FetchRequest<ManagedObject>(entityName: "Animal")
        fetch.predicate = request.predicate
        fetch.includesSubentities = request.includesSubentities
        let objects = try context.fetch(fetch)
        var all = try rows(container)
        for (name, expression) in request.propertiesToUpdate {
            let isConstant = if case .value = expression.node { true } else { false }
            for object in objects {
                guard let field = object.runtimeEntity.field(named: name) else { preconditionFailure(name) }
                let value = try expression.value(with: object)
                guard let value else {
                    all[object.key]?[name] = nil
                    continue
                }
                let converted = isConstant ? value : convert(value, to: field.kind.base)
                guard let fitting = converted.flatMap({ Self.stored($0, field) }) else { return ([], nil) }
                all[object.key]?[name] = fitting
            }
            // A constant is checked even if there is no row.
            if isConstant, objects.isEmpty, let type = context.schema.runtimeEntity(named: "Animal"),
                let field = type.field(named: name), case .value(.attribute(let value)) = expression.node,
                Self.stored(value, field) == nil
            {
                return ([], nil)
            }
        }
        return (Set(objects.map(\.key)), all)
    }

    /// Returns the value as a saved object stores it.
    private static func stored(_ value: AttributeValue, _ field: Field) -> AttributeValue? {
        let block = UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 16)
        defer { block.deallocate() }
        block.initializeMemory(as: UInt8.self, repeating: 0, count: 64)
        guard setAttributeValue(value, field.kind, at: block) else { return nil }
        let kept = attributeValue(field.kind, at: block)
        _ = setAttributeValue(nil, field.kind, at: block)
        if case .double(let number)? = kept { return number.isNaN ? nil : .double(number + 0.0) }
        if case .date(let date)? = kept, date.timeIntervalSinceReferenceDate.isNaN { return nil }
        if case .decimal(let number)? = kept, number.isNaN { return nil }
        return kept
    }

    private func rows(_ container: PersistentContainer) throws -> Rows {
        let context = container.newContext()
        var rows: Rows = [:]
        for object in try context.fetch(FetchRequest<ManagedObject>(entityName: "Animal")) {
            var values: [String: AttributeValue] = [:]
            object.readRowOfFault()
            for field in object.runtimeEntity.columnFields where field.attribute?.attributeType != .transformable {
                values[field.name] = attributeValue(field.kind, at: object.address(of: field))
            }
            rows[object.key] = values
        }
        return rows
    }
}
