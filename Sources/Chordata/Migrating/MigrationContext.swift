internal import ChordataModel
internal import ChordataSQL

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// What a stage works with: objects of one version, and the store's SQL, within the one transaction of the migration.
///
/// It is good until the closure returns that it was given to, and so are its objects.
public final class MigrationContext {
    /// Objects of the version, without classes of their own: properties go by their names.
    ///
    /// What it has is saved when the closure returns. Save and `reset()` now and then where there are many objects. What is saved is
    /// validated by the rules of the version.
    public let objects: ManagedObjectContext
    private let version: MigratingVersion
    private let touches: MigrationTouches
    /// The version before, as far as the step keeps something of it.
    private let previous: MigratingVersion?

    init(_ version: MigratingVersion, _ touches: MigrationTouches, previous: MigratingVersion?) {
        self.version = version
        self.touches = touches
        self.previous = previous
        objects = version.context
    }

    // MARK: SQL

    /// Runs statements on the store, separated by semicolons.
    ///
    /// Objects that were read before do not follow. References to rows that are deleted are cleared, as always. A transaction is not to
    /// be begun or ended.
    /// - Throws: ``StoreError``.
    public func execute(_ sql: String) throws {
        for statement in MigrationScript(sql).statements {
            let prepared = try touches.prepare(statement.sql)
            let removesRows = touches.removesRows
            while try prepared.step() {}
            if removesRows { try version.connection.applyReferenceActions() }
        }
    }

    /// The rows of a query: values by column, as `Int64`, `Double`, `String` or `Data`, without those that are NULL.
    /// - Throws: ``StoreError``.
    public func rows(_ sql: String) throws -> [[String: any Sendable]] {
        let statement = try touches.prepare(sql)
        var rows: [[String: any Sendable]] = []
        while try statement.step() {
            var row: [String: any Sendable] = [:]
            for column in 0..<statement.columnCount {
                row[statement.columnName(at: column)] = statement.values.argument(at: column).swiftValue
            }
            rows.append(row)
        }
        return rows
    }

    // MARK: What was

    /// What an object of the destination version had in a property that it has no longer, or as another type.
    ///
    /// The step keeps what it drops, and what it cannot convert, until the stage is over. A composite's element goes by `"address.city"`;
    /// a relationship gives ``ManagedObjectID``s of the destination version, a to-many an array of them.
    /// - Returns: `nil` for an object that had none, or is new.
    /// - Throws: ``StoreError`` where the step keeps nothing of that name.
    public func previousValue(forKey key: String, of object: ManagedObject) throws -> Any? {
        guard let previous else {
            throw version.error("before a step there are no previous values; read the objects themselves")
        }
        return try previous.keptValue(forKey: key, of: object.objectID, in: version)
    }
}

/// A version of the model while a store of it is migrated: its objects go by the connection that migrates.
final class MigratingVersion {
    let schema: StoreSchema
    let context: ManagedObjectContext
    let versionName: String
    let connection: SQLiteConnection
    private var placesByKey: [String: [Kept]] = [:]

    init(_ model: ManagedObjectModel, _ versionName: String, _ metadata: StoreMetadata, _ connection: SQLiteConnection)
        throws(StoreError)
    {
        self.versionName = versionName
        self.connection = connection
        schema = StoreSchema(
            model: model,
            mapping: makeSchemaMapping(of: model),
            classes: [],
            storeUUID: metadata.storeUUID,
            looseTables: []
        )
        let store = PersistentStore(
            identifier: metadata.storeUUID,
            sqlite: SQLiteStore(migrating: connection),
            schema: schema
        )
        let definition = ModelDefinition(name: metadata.modelName, versionName: versionName, model: model)
        let coordinator = PersistentStoreCoordinator(managedObjectModel: definition, store: store)
        context = ManagedObjectContext(isolation: nil)
        context.persistentStoreCoordinator = coordinator
    }

    func error(_ message: String) -> StoreError { StoreError(.migrationFailed, message, path: connection.path) }

    /// Where the step keeps a property.
    private struct Kept: Hashable {
        var table: String
        var column: String
        var keyColumn = "_id"
        var order: String?
        var attribute: AttributeDescription?
        var isRelationship = false
        var isToMany = false
    }

    /// What the step keeps of a property that an object had in this version.
    func keptValue(forKey key: String, of object: ManagedObjectID, in later: MigratingVersion) throws(StoreError)
        -> Any?
    {
        let places = try places(of: key)
        guard !places.isEmpty else {
            throw error(
                "the step to '\(later.versionName)' keeps no '\(key)' of '\(versionName)': it carries it over, or there was none; "
                    + "'CREATE TEMP TABLE \"_old_…\"' in its SQL tells what it keeps"
            )
        }
        // No two rows of a store have one key, so it tells the entity that the object was of.
        for kept in places {
            let statement = try connection.statement(
                "SELECT \(quoteIdentifier(kept.column)) FROM temp.\(quoteIdentifier(kept.table)) "
                    + "WHERE \(quoteIdentifier(kept.keyColumn)) = ?"
                    + (kept.order.map { " ORDER BY \(quoteIdentifier($0))" } ?? "")
            )
            defer { statement.reset() }
            statement.bind(object.key, at: 1)
            var found: [Any] = []
            while try statement.step() {
                guard !statement.isNull(at: 0) else { continue }
                if kept.isRelationship {
                    if let id = try later.objectID(ofRow: statement.integer(at: 0)) { found.append(id) }
                } else if let attribute = kept.attribute, let value = statement.values.attribute(attribute, at: 0) {
                    found.append(value)
                } else {
                    statement.forgetUnreadable()
                    let type = kept.attribute?.attributeType.rawValue ?? "value"
                    throw error("'\(key)' of \(object) had a value that is no \(type)")
                }
            }
            if let first = found.first { return kept.isToMany ? found : first }
        }
        return nil
    }

    private func places(of key: String) throws(StoreError) -> [Kept] {
        if let known = placesByKey[key] { return known }
        var found: [Kept] = []
        for type in schema.entityTypes {
            guard var kept = place(of: key, type) else { continue }
            let columns = try connection.prepare("SELECT \"name\" FROM pragma_table_info(?, 'temp')")
            columns.bind(kept.table, at: 1)
            var names: Set<String> = []
            while try columns.step() { if let name = columns.text(at: 0) { names.insert(name) } }
            if let order = kept.order, !names.contains(order) { kept.order = nil }
            if names.isSuperset(of: [kept.column, kept.keyColumn]), !found.contains(kept) { found.append(kept) }
        }
        placesByKey[key] = found
        return found
    }

    private func place(of key: String, _ type: EntityType) -> Kept? {
        let path = key.split(separator: ".").map(String.init)
        if let attribute = type.mapping.attribute(at: path) {
            let table = attribute.externalTableName ?? type.mapping.tableName
            return Kept(
                table: asideTableName(of: table),
                column: attribute.externalTableName == nil ? attribute.columnName : "bytes",
                attribute: attribute.attribute
            )
        }
        guard let relationship = type.mapping.relationship(named: key) else { return nil }
        var kept = Kept(table: "", column: "", isRelationship: true, isToMany: relationship.relationship.isToMany)
        switch relationship.storage {
        case .column(let name):
            (kept.table, kept.column) = (asideTableName(of: type.mapping.tableName), name)
        case .inverseColumn(let table, let name, _):
            (kept.table, kept.column, kept.keyColumn) = (asideTableName(of: table), "_id", name)
            kept.order = "_order_" + name
        case .joinTable(let table, let sourceColumn, _, _):
            kept.table = asideTableName(of: table)
            kept.keyColumn = sourceColumn
            kept.column = sourceColumn == "source" ? "destination" : "source"
            kept.order = sourceColumn == "source" ? "_order" : "_inverse_order"
        }
        return kept
    }

    /// The identity of a row, whatever its entity; `nil` if it is gone.
    private func objectID(ofRow key: Int64) throws(StoreError) -> ManagedObjectID? {
        for table in schema.mapping.tables {
            guard case .entity = table.kind else { continue }
            let types = schema.entityTypes.filter { $0.mapping.tableName == table.name }
            guard let root = types.first else { continue }
            let entity = root.mapping.isInHierarchy ? "\"_entity\"" : sqlLiteral(text: root.entity.name)
            let statement = try connection.statement(
                "SELECT \(entity) FROM \(quoteIdentifier(table.name)) WHERE \"_id\" = ?"
            )
            defer { statement.reset() }
            statement.bind(key, at: 1)
            guard try statement.step(), let name = statement.text(at: 0),
                let type = types.first(where: { $0.entity.name == name })
            else { continue }
            return ManagedObjectID(entityType: type, key: key)
        }
        return nil
    }
}

extension SQLArgument {
    fileprivate var swiftValue: (any Sendable)? {
        switch self {
        case .null: nil
        case .integer(let integer): integer
        case .real(let real): real
        case .text(let bytes): String(decoding: bytes, as: UTF8.self)
        case .blob(let bytes): Data(bytes)
        }
    }
}
