import ChordataModel
import ChordataPredicate
import ChordataSQL
import ChordataTestStores
import ChordataTestSupport
import Foundation
import Testing

@testable import Chordata
@testable import NaivePredicates

/// SQL, the context's objects, and an evaluator that shares no code with either agree, on random predicates, sort
/// orders, rows and models.
///
/// The tests cover to-manys, aggregates, functions, subentities, object IDs, counts and limits (Q4–Q10, Q15, Q16, Q18).
/// In half of the cases, objects have unsaved changes. A pair is a predicate and random objects.
/// `CHORDATA_PREDICATE_PAIRS` sets the number of pairs, and `CHORDATA_SEED` the first seed.
struct SQLMatchesMemoryTests {
    /// Counts what a run has tested, so that a run that tests nothing fails.
    private struct Counts {
        var pairs = 0
        var rendered = 0
        var met = 0
        var answers = 0
        var differences = 0
    }

    @Test func storeContextAndNaiveEvaluatorAgree() throws {
        let wantedCount = setting("CHORDATA_PREDICATE_PAIRS", small: 400)
        var seed = setting("CHORDATA_SEED", small: UInt64(1))
        print("seed \(seed), \(wantedCount) pairs of a predicate and a store")
        var counts = Counts()
        while counts.pairs < wantedCount, counts.differences < 20 {
            let model = seed.isMultiple(of: 3) ? NaiveModel.model : RandomModel.make(seed: seed)
            let randomObjects = RandomObjects(seed: seed, model: model, isShared: seed.isMultiple(of: 2))
            let store = try FilledStore(randomObjects, model: model)
            let context = store.container.newContext()
            var random = RandomPredicate(seed: seed, model: model)
            if seed % 4 > 1 { store.edit(in: context, &random.random) }
            for _ in 0..<20 where counts.pairs < wantedCount {
                counts.pairs += 1
                let predicate = FetchPredicate(random.next())
                let sortKeys = store.sortKeys(&random.random)
                do {
                    try Self.compare(predicate, sortKeys, store, context, &random.random, &counts, "seed \(seed)")
                } catch {
                    counts.differences += 1
                    Issue.record("seed \(seed): \(error)\n\(predicate)")
                }
            }
            seed += 1
        }
        expectEqual(counts.differences, 0)
        #expect(counts.met > counts.answers / 10 && counts.met < counts.answers * 9 / 10)
        #expect(counts.rendered > counts.pairs * 2 / 3)
    }

    private static func compare(
        _ predicate: FetchPredicate,
        _ sortKeys: [SortKey],
        _ store: FilledStore,
        _ context: ManagedObjectContext,
        _ random: inout SplitMix64,
        _ counts: inout Counts,
        _ comment: String
    ) throws {
        let naive = NaiveEvaluator(model: store.model)
        let all = FetchRequest<ManagedObject>(entityName: "Animal")
        var request = all.where(predicate)
        request.sortKeys = sortKeys
        request.includesSubentities = !random.percent(15)
        let candidates = store.randomObjects.animals.filter { request.includesSubentities || $0.entityName == "Animal" }
        let expected = candidates.filter { naive.isMet(predicate.node, by: $0) }
        counts.answers += candidates.count
        counts.met += expected.count
        if try predicate.bind(to: "Animal", in: store.model).isRenderable { counts.rendered += 1 }
        let wanted = expected.sorted(by: store.areInOrder(sortKeys)).map(\.key)
        let found = try context.fetch(request).map(\.key)
        let met = try context.fetch(all)
            .filter { request.includesSubentities || $0.runtimeEntity.entity.name == "Animal" }
            .filter { try predicate.evaluate(with: $0) }
            .sorted(by: context.fetcher.areInOrder(try BoundFetchRequest(request, in: context.schema).sortTerms)).map(
                \.key
            )
        let ids = try context.fetch(request.objectIDs).map(\.key)
        let some = request.limit(random.below(6)).offset(random.below(4))
        let rest = wanted.dropFirst(some.fetchOffset)
        let slice = some.fetchLimit > 0 ? Array(rest.prefix(some.fetchLimit)) : Array(rest)
        let part = try context.fetch(some).map(\.key)
        let isRight =
            try found == wanted && met == wanted && ids == wanted && part == slice
            && context.count(for: request) == wanted.count && context.count(for: some) == slice.count
            && context.exists(request) == !wanted.isEmpty && context.fetchOne(request)?.key == wanted.first
        guard !isRight else { return }
        counts.differences += 1
        Issue.record(
            """
            \(comment): SQL \(found), memory \(met), naive \(wanted), identities \(ids), \(some.fetchOffset)+\(some.fetchLimit) \(part)
            \(predicate), sorted by \(sortKeys.map { "\($0.text) \($0.order) \($0.comparison)" })
            """
        )
    }
}

/// Random objects in a store, written by the tests' own SQL.
struct FilledStore {
    let randomObjects: RandomObjects
    let model: ManagedObjectModel
    let container: PersistentContainer

    init(_ randomObjects: RandomObjects, model: ManagedObjectModel) throws {
        self.randomObjects = randomObjects
        self.model = model
        container = try ModelDefinition(name: "Naive", versionName: "Naive", model: model).testContainer(at: ":memory:")
        guard let store = container.persistentStoreCoordinator.persistentStores.first else {
            preconditionFailure("there is no store")
        }
        var objects =
            randomObjects.cities + randomObjects.shops + randomObjects.owners + randomObjects.toys
            + randomObjects.animals
        // Rows of other entities in the same tables.
        for name in ["AnimalSibling", "CitySibling"] {
            guard let entity = model.entity(named: name) else { continue }
            let object = NaiveObject(entityName: name, key: 1_000)
            for (keys, type) in entity.askable where type == .string {
                object.values[keys.joined(separator: ".")] = .string("a")
            }
            objects.append(object)
        }
        let dialect = store.schema.dialect
        try store.engine.write(at: [0]) { transaction in
            for object in objects { try Self.insert(object, store.schema.mapping, dialect, transaction) }
            try transaction.run(StoreQuery("UPDATE \"_sequence\" SET \"next\" = 2000"))
        } didCommit: {
        }
    }

    // MARK: Unsaved changes

    /// Changes objects in a context and in `randomObjects`, without saving.
    func edit(in context: ManagedObjectContext, _ random: inout SplitMix64) {
        for animal in randomObjects.animals + randomObjects.owners + randomObjects.toys where random.percent(40) {
            let object = self.object(of: animal, in: context)
            for (keys, type) in model.entity(named: animal.entityName)?.askable ?? [] where random.percent(25) {
                let path = keys.joined(separator: ".")
                let value = random.percent(25) ? nil : RandomAlphabet.value(of: type, isNarrow: true, &random)
                animal.values[path] = value
                object.setValue(value.map { swiftValue($0, type) }, forKey: path)
            }
        }
        for animal in randomObjects.animals where random.percent(25) {
            let object = self.object(of: animal, in: context)
            let (owner, friend) = (random.pick(randomObjects.owners), random.pick(randomObjects.animals))
            animal.toOne["owner"]?.toMany["animals"]?.removeAll { $0 === animal }
            animal.toOne["owner"] = owner
            owner.toMany["animals", default: []].append(animal)
            animal.toOne["friend"] = friend
            object.setValue(self.object(of: owner, in: context), forKey: "owner")
            object.setValue(self.object(of: friend, in: context), forKey: "friend")
        }
    }

    private func object(of naive: NaiveObject, in context: ManagedObjectContext) -> ManagedObject {
        guard let type = context.schema.runtimeEntity(named: naive.entityName) else {
            preconditionFailure(naive.entityName)
        }
        return context.object(with: ManagedObjectID(runtimeEntity: type, key: naive.key))
    }

    private func swiftValue(_ value: AttributeValue, _ type: AttributeType) -> Any {
        switch value {
        case .integer(let number): number
        case .double(let number): type == .float ? Float(number) : number
        case .boolean(let value): value
        case .decimal(let number): number
        case .string(let text): text
        case .date(let date): date
        case .data(let data): data
        case .uuid(let uuid): uuid
        case .url(let url): url
        }
    }

    private static func insert(
        _ object: NaiveObject,
        _ mapping: SchemaMapping,
        _ dialect: any SQLDialect,
        _ transaction: StoreTransaction
    ) throws {
        guard let entity = mapping.entity(named: object.entityName) else { preconditionFailure(object.entityName) }
        var columns: [(name: String, value: PredicateValue)] = [
            ("_id", .attribute(.integer(object.key))), ("_version", .attribute(.integer(1))),
        ]
        if entity.isInHierarchy { columns.append(("_entity", .attribute(.string(object.entityName)))) }
        for attribute in entity.attributes {
            guard let value = object.values[attribute.path.joined(separator: ".")] else { continue }
            // A store has no -0.0.
            if case .double(let number) = value {
                object.values[attribute.path.joined(separator: ".")] = .double(number + 0.0)
            }
            columns.append((attribute.columnName, .attribute(value)))
        }
        var pairs: [(sql: String, values: [Int64])] = []
        for relationship in entity.relationships {
            switch relationship.storage {
            case .column(let name):
                guard let target = object.toOne[relationship.name] else { continue }
                columns.append((name, .attribute(.integer(target.key))))
            case .inverseColumn: break
            case .joinTable(let table, let source, let destination, let order):
                let names = [source, destination] + (order.map { [$0] } ?? [])
                let sql =
                    "INSERT INTO \(quoteIdentifier(table)) (\(names.map(quoteIdentifier).joined(separator: ", "))) "
                    + "VALUES (\(dialect.parameters(1...names.count)))"
                for (place, member) in (object.toMany[relationship.name] ?? []).enumerated() {
                    pairs.append((sql, [object.key, member.key] + (order == nil ? [] : [Int64(place)])))
                }
            }
        }
        let sql =
            "INSERT INTO \(quoteIdentifier(entity.tableName)) "
            + "(\(columns.map { quoteIdentifier($0.name) }.joined(separator: ", "))) "
            + "VALUES (\(dialect.parameters(1...columns.count)))"
        try transaction.run(StoreQuery(sql, .values(columns.map(\.value))))
        for pair in pairs {
            try transaction.run(StoreQuery(pair.sql, .values(pair.values.map { .attribute(.integer($0)) })))
        }
    }

    // MARK: Orders

    private static let paths = [
        "name", "age", "chip", "weight", "height", "price", "tame", "born", "photo", "uuid", "page", "home.street",
        "owner.name", "owner.city.name", "friend.price", "friend.owner.years",
    ]

    private static let strings: Set = ["name", "home.street", "owner.name", "owner.city.name"]

    func sortKeys(_ random: inout SplitMix64) -> [SortKey] {
        (0..<random.below(3)).map { _ in
            let path = random.pick(Self.paths)
            let isCompared = Self.strings.contains(path) && random.percent(60)
            return SortKey(
                path,
                order: random.percent(50) ? .ascending : .descending,
                comparison: isCompared ? random.pick(StringComparison.allCases) : .literal
            )
        }
    }

    /// Sorts objects with missing values first, then by value, and objects with equal values by their row keys.
    func areInOrder(_ keys: [SortKey]) -> (NaiveObject, NaiveObject) -> Bool {
        { left, right in
            for key in keys {
                let (a, b) = (Self.value(key.text, of: left), Self.value(key.text, of: right))
                if Self.precedes(a, b, key.comparison) { return key.order == .ascending }
                if Self.precedes(b, a, key.comparison) { return key.order == .descending }
            }
            return left.key < right.key
        }
    }

    /// Folds the case of a text with the naive evaluator's own tables.
    private static func folded(_ text: String) -> String { NaiveText.folded(text, .caseInsensitive) }

    private static func value(_ path: String, of object: NaiveObject) -> AttributeValue? {
        if let value = object.values[path] { return value }
        guard let dot = path.firstIndex(of: "."), let next = object.toOne[String(path[..<dot])] else { return nil }
        return value(String(path[path.index(after: dot)...]), of: next)
    }

    private static func precedes(
        _ left: AttributeValue?,
        _ right: AttributeValue?,
        _ comparison: StringComparison
    ) -> Bool {
        guard let right else { return false }
        guard let left else { return true }
        if case .string(let a) = left, case .string(let b) = right {
            switch comparison {
            case .literal: break
            case .caseInsensitive: return folded(a).utf8.lexicographicallyPrecedes(folded(b).utf8)
            case .localized: return a.localizedCompare(b) == .orderedAscending
            case .localizedCaseInsensitive: return a.localizedCaseInsensitiveCompare(b) == .orderedAscending
            case .localizedStandard: return a.localizedStandardCompare(b) == .orderedAscending
            }
        }
        return switch (left, right) {
        case (.integer(let a), .integer(let b)): a < b
        case (.boolean(let a), .boolean(let b)): !a && b
        case (.double(let a), .double(let b)): a < b
        case (.decimal(let a), .decimal(let b)): a < b
        case (.date(let a), .date(let b)): a < b
        case (.string(let a), .string(let b)): a.utf8.lexicographicallyPrecedes(b.utf8)
        case (.url(let a), .url(let b)): a.absoluteString.utf8.lexicographicallyPrecedes(b.absoluteString.utf8)
        case (.data(let a), .data(let b)): a.lexicographicallyPrecedes(b)
        case (.uuid(let a), .uuid(let b)): a.uuidString < b.uuidString
        default: preconditionFailure("two values of one attribute have two types")
        }
    }
}
