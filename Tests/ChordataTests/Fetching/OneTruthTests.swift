import ChordataModel
import ChordataPredicate
import ChordataSQL
import Foundation
import Testing

@testable import Chordata

/// Random predicates and orders over random rows of a store: what SQL gives, what the context says of the objects, and what an evaluator
/// says that shares no code with either.
///
/// A pair is a predicate and a world. `CHORDATA_PREDICATE_PAIRS` sets how many pairs, `CHORDATA_SEED` where they begin.
struct OneTruthTests {
    private static func setting(_ name: String) -> Int? {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
    }

    @Test func storeContextAndNaiveEvaluatorAgree() throws {
        let wantedCount = Self.setting("CHORDATA_PREDICATE_PAIRS") ?? 3_000
        var seed = UInt64(Self.setting("CHORDATA_SEED") ?? 1)
        print("seed \(seed), \(wantedCount) pairs of a predicate and a store")
        let naive = NaiveEvaluator(model: NaiveModel.model)
        var pairCount = 0
        var renderedCount = 0
        var (metCount, answerCount) = (0, 0)
        var differenceCount = 0
        while pairCount < wantedCount, differenceCount < 20 {
            let store = try StoredWorld(
                RandomWorld(seed: seed, model: NaiveModel.model, isShared: seed.isMultiple(of: 2))
            )
            let context = store.container.newContext()
            var random = RandomPredicate(seed: seed, model: NaiveModel.model)
            for _ in 0..<20 where pairCount < wantedCount {
                pairCount += 1
                let predicate = FetchPredicate(random.next())
                let sortKeys = store.sortKeys(&random.random)
                let expected = store.world.animals.filter { naive.isMet(predicate.node, by: $0) }
                answerCount += store.world.animals.count
                metCount += expected.count
                var request = FetchRequest<ManagedObject>(entityName: "Animal").where(predicate)
                request.sortKeys = sortKeys
                do {
                    if try predicate.bind(to: "Animal", in: NaiveModel.model).isRenderable { renderedCount += 1 }
                    let wanted = expected.sorted(by: store.areInOrder(sortKeys)).map(\.key)
                    let found = try context.fetch(request)
                    let met = try context.fetch(FetchRequest<ManagedObject>(entityName: "Animal"))
                        .filter { try predicate.evaluate(with: $0) }
                        .sorted(by: context.areInOrder(try BoundFetchRequest(request, in: context.schema).sortTerms))
                    let count = try context.count(for: request)
                    if found.map(\.key) != wanted || met.map(\.key) != wanted || count != wanted.count {
                        differenceCount += 1
                        Issue.record(
                            """
                            seed \(seed): SQL \(found.map(\.key)), memory \(met.map(\.key)), naive \(wanted)
                            \(predicate), sorted by \(sortKeys.map { "\($0.text) \($0.order) \($0.comparison)" })
                            """
                        )
                    }
                } catch {
                    differenceCount += 1
                    Issue.record("seed \(seed): \(error)\n\(predicate)")
                }
            }
            seed += 1
        }
        #expect(differenceCount == 0)
        #expect(metCount > answerCount / 10 && metCount < answerCount * 9 / 10)
        #expect(renderedCount > pairCount * 2 / 3)
    }
}

/// A random world in a store, written by SQL of the tests' own.
private struct StoredWorld {
    let world: RandomWorld
    let container: PersistentContainer

    init(_ world: RandomWorld) throws {
        self.world = world
        container = try PersistentContainer(
            model: ModelDefinition(name: "Naive", versionName: "Naive", model: NaiveModel.model),
            path: ":memory:"
        )
        guard let store = container.persistentStoreCoordinator.persistentStores.first else {
            preconditionFailure("there is no store")
        }
        let objects = world.cities + world.shops + world.owners + world.toys + world.animals
        try store.sqlite.write { connection in
            for object in objects { try Self.insert(object, store.schema.mapping, connection) }
        }
    }

    private static func insert(_ object: NaiveObject, _ mapping: SchemaMapping, _ connection: SQLiteConnection) throws {
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
                    + "VALUES (\(names.map { _ in "?" }.joined(separator: ", ")))"
                for (place, member) in (object.toMany[relationship.name] ?? []).enumerated() {
                    pairs.append((sql, [object.key, member.key] + (order == nil ? [] : [Int64(place)])))
                }
            }
        }
        let sql =
            "INSERT INTO \(quoteIdentifier(entity.tableName)) "
            + "(\(columns.map { quoteIdentifier($0.name) }.joined(separator: ", "))) "
            + "VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))"
        try run(sql, columns.map(\.value), connection)
        for pair in pairs { try run(pair.sql, pair.values.map { .attribute(.integer($0)) }, connection) }
    }

    private static func run(_ sql: String, _ values: [PredicateValue], _ connection: SQLiteConnection) throws {
        let statement = try connection.statement(sql)
        defer { statement.reset() }
        for (index, value) in values.enumerated() { bindPredicateValue(value, to: statement, at: Int32(index + 1)) }
        _ = try statement.step()
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

    /// Missing values first, then by value; equal ones by their keys.
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

    /// Without regard to case, by the naive evaluator's own tables.
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
