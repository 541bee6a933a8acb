import ChordataSQL
import ChordataTestStores
import ChordataTestSupport
import Synchronization
import Testing

@testable import Chordata

/// An engine that executes each plan with SQLite and then with dictionaries, and expects the same outcome.
final class TwoEngines: StoreEngine {
    let sqlite: SQLiteStore
    let dictionaries = DictionaryEngine()

    private let cells: CellEngine

    init(_ sqlite: SQLiteStore, hasCells: Bool) {
        self.sqlite = sqlite
        cells = CellEngine(sqlite, hasCells: hasCells)
    }

    /// A container whose saves both engines execute, or a container of a server, whose saves only the server executes.
    static func container(_ definition: ModelDefinition, path: String, hasCells: Bool = true) throws
        -> (PersistentContainer, TwoEngines?)
    {
        if TestStore.isOnServer { return (try definition.testContainer(at: path), nil) }
        let opened = PersistentStoreCoordinator(managedObjectModel: definition)
        let store = try opened.addPersistentStore(atPath: path, options: StoreOptions())
        let engines = TwoEngines(store.sqlite, hasCells: hasCells)
        return (CellEngine.container(definition, store, engines, hasCells: hasCells), engines)
    }

    func save(_ plan: SavePlan, didCommit: (SaveEffects) -> Void) throws -> SaveEffects {
        do {
            // No other save may be executed between the two.
            return try sqlite.save(plan) { effects in
                do {
                    let other = try dictionaries.save(plan) { _ in }
                    expectEqual(Self.versions(of: effects.nullifiedRows), Self.versions(of: other.nullifiedRows))
                } catch {
                    Issue.record("only SQLite executes the plan: \(error)")
                }
                didCommit(effects)
            }
        } catch {
            let kind = try #require(Self.kind(of: error), "\(error)")
            do {
                _ = try dictionaries.save(plan) { _ in }
                Issue.record("only SQLite refuses the plan: \(error)")
            } catch let other {
                expectEqual(Self.kind(of: other), kind)
            }
            throw error
        }
    }

    nonisolated(nonsending) func whenAvailable(_ body: () throws -> Void) async throws {
        try await sqlite.whenAvailable(body)
    }

    private static func versions(of rows: [ChangeSet.Row]) -> [Int64: Int64] {
        Dictionary(uniqueKeysWithValues: rows.map { ($0.key, $0.version) })
    }

    private static func kind(of error: any Error) -> String? {
        if error is RowVersionMismatch { return "version" }
        return switch (error as? StoreError)?.violation {
        case .uniqueness: "uniqueness"
        case .rowKey: "key"
        case .reference: "reference"
        case .mistypedValue, nil: nil
        }
    }

    // MARK: Reading, and writing in batches

    var commitCount: Int { cells.commitCount }
    func beginReading() throws -> StoreReader? { try cells.beginReading() }
    func endReading(_ connection: StoreReader) { cells.endReading(connection) }

    func checkVersion(of connection: StoreReader, hasFailed: Bool) throws(StoreError) {
        try cells.checkVersion(of: connection, hasFailed: hasFailed)
    }

    func withReader(_ body: (StoreReader) throws -> Void) throws { try cells.withReader(body) }

    func write(at places: [Int], _ body: (StoreTransaction) throws -> Void, didCommit: () -> Void) throws {
        preconditionFailure("the dictionaries execute saves only")
    }

    var counters: StoreCounters { cells.counters }
    var saveLogger: SaveLogger? { cells.saveLogger }
    func metadata() throws -> StoreMetadata { try cells.metadata() }
    func setNote(_ value: String?, forKey key: String) throws { try cells.setNote(value, forKey: key) }
    var hasSectionCaches: Bool { cells.hasSectionCaches }
    func contentsName(_ reader: StoreReader) throws -> String? { try cells.contentsName(reader) }
    func nameContents() throws { try cells.nameContents() }

    // MARK: Keys

    func reserveKeys(_ count: Int64) throws -> Range<Int64> { try sqlite.reserveKeys(count) }
    func reserveKeysIfAvailable(_ count: Int64) throws -> Range<Int64>? { try sqlite.reserveKeysIfAvailable(count) }

    // MARK: Comparing

    /// Expects that both engines have the same rows.
    /// - Parameter comparesOrders: Whether orders are compared, too; if several contexts change one order, the engines
    ///   may merge the changes differently.
    func check(_ schema: StoreSchema, comparesOrders: Bool = false, _ comment: Comment = "") throws {
        let contents = dictionaries.contents.withLock { $0 }
        try sqlite.read { connection in
            for table in schema.mapping.tables {
                switch table.kind {
                case .entity(let root):
                    let type = try #require(schema.runtimeEntity(named: root))
                    let keys = try Self.integers("SELECT \"_id\" FROM \(quoteIdentifier(table.name))", connection)
                    let rows = try readRowSnapshots(
                        of: keys.map { $0[0] },
                        inTableOf: type,
                        schema,
                        .sqlite(connection)
                    )
                    let stored = Dictionary(uniqueKeysWithValues: rows.map { ($0.key, DictionaryEngine.Row($0)) })
                    #expect(stored == contents.rows[table.name] ?? [:], comment)
                case .join(_, _):
                    let columns = table.primaryKey
                    let names = columns.map(quoteIdentifier).joined(separator: ", ")
                    let rows = try Self.integers("SELECT \(names) FROM \(quoteIdentifier(table.name))", connection)
                    let stored = rows.map { Dictionary(uniqueKeysWithValues: zip(columns, $0)) }
                    #expect(Set(stored) == contents.pairs[table.name] ?? [], comment)
                case .external(let owner, let column):
                    let rows = try Self.integers(
                        "SELECT \"_id\", length(\"bytes\") FROM \(quoteIdentifier(table.name))",
                        connection
                    )
                    let stored = Dictionary(uniqueKeysWithValues: rows.map { ($0[0], Int($0[1])) })
                    expectEqual(stored, (contents.bytes["\(owner).\(column)"] ?? [:]).mapValues(\.count), comment)
                case .system: continue
                }
            }
            guard comparesOrders else { return }
            for type in schema.runtimeEntities {
                for relationship in type.writtenToManys { try check(relationship, contents, connection, comment) }
            }
        }
    }

    private func check(
        _ relationship: RuntimeEntity.Relationship,
        _ contents: DictionaryEngine.Contents,
        _ connection: SQLiteConnection,
        _ comment: Comment
    ) throws {
        let columns: OrderColumns
        switch relationship.storage {
        case .inverseColumn(let table, let column, let order?):
            columns = OrderColumns(table: table, owner: column, member: "_id", order: order)
        case .joinTable(let table, let source, let destination, let order?):
            columns = OrderColumns(table: table, owner: source, member: destination, order: order)
        default: return  // No other relationship is ordered.
        }
        let (owner, member, order) = (
            quoteIdentifier(columns.owner), quoteIdentifier(columns.member), quoteIdentifier(columns.order)
        )
        let rows = try Self.integers(
            "SELECT \(owner), \(member) FROM \(quoteIdentifier(columns.table)) WHERE \(owner) IS NOT NULL ORDER BY \(order)",
            connection
        )
        for (owner, members) in Dictionary(grouping: rows, by: { $0[0] }) {
            let stored = members.map { $0[1] }
            let place = DictionaryEngine.Order(table: columns.table, column: columns.order, owner: owner)
            let known = (contents.orders[place] ?? []).filter(stored.contains)
            expectEqual(known, stored, "\(comment): '\(relationship.description.name)' of \(owner)")
        }
    }

    private static func integers(_ sql: String, _ connection: SQLiteConnection) throws -> [[Int64]] {
        let statement = try connection.prepare(sql)
        var rows: [[Int64]] = []
        while try statement.step() { rows.append((0..<statement.columnCount).map { statement.integer(at: $0) }) }
        return rows
    }
}

extension DictionaryEngine.Row {
    init(_ row: RowSnapshot) {
        let type = row.values.runtimeEntity
        var values: [String: UniqueValue] = [:]
        for field in type.columnFields {
            guard let column = field.columnName else { continue }
            if field.kind.base == .toOne {
                let key = row.values.key(of: field)
                if key != 0 { values[column] = .key(key) }
            } else if let value = attributeValue(field.kind, at: row.values.address(of: field)) {
                values[column] = UniqueValue(value)
            }
        }
        self.init(entityName: type.entity.name, version: row.version, values: values)
    }
}
