internal import ChordataModel
internal import ChordataPredicate
internal import ChordataSQL

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The context that a ``MigrationStage`` receives; it gives access to the objects of one model version, and runs SQL
/// statements on the store.
///
/// All changes are part of the transaction that migrates the store from one version to the next (the step).
///
/// The context and its objects are valid only inside the closure that the context is passed to.
public final class MigrationContext {
    /// The managed object context with the objects of the version.
    ///
    /// The objects have no generated classes; access properties by name, with ``ManagedObject/value(forKey:)`` and
    /// ``ManagedObject/setValue(_:forKey:)``.
    ///
    /// Unsaved changes are saved when the closure returns. With many objects, call `save()` and `reset()` from time to
    /// time. A save validates objects by the rules of the version.
    public let objects: ManagedObjectContext
    private let version: MigratingVersion
    private let previous: PreviousValues?
    /// A Boolean value that indicates whether SQL of the stage may have changed rows.
    private(set) var hasWritten = false

    init(_ version: MigratingVersion, previous: PreviousValues?) {
        self.version = version
        self.previous = previous
        objects = version.context
    }

    // MARK: SQL

    /// Runs SQL statements on the store, separated by semicolons; a single statement can have parameters.
    ///
    /// ```swift
    /// try migration.execute("UPDATE \"Person\" SET \"kind\" = ? WHERE \"kind\" IS NULL", arguments: ["guest"])
    /// ```
    ///
    /// Objects that were read before are not updated. If a statement deletes rows, to-one references to these rows are
    /// then set to NULL, and the join rows and the external data of the deleted rows are deleted too; delete rules are
    /// not applied. The statements must not begin or end a transaction.
    ///
    /// The statements are in the SQL of the store: for a store on a PostgreSQL server, the parameters are `$1`, `$2`
    /// and so on, and a text in dollar quotes must not contain a semicolon.
    /// - Parameters:
    ///   - sql: The statements.
    ///   - arguments: A value for each parameter, such as `?`: integers, `Double`, `Bool`, `String`, `Data`, `Date`,
    ///     `UUID`, `URL`, `Decimal`, a ``ManagedObjectID`` for its [row key](doc:Glossary#Store), or `nil`. A value is
    ///     converted to the form in which stores keep values of its type.
    /// - Throws: ``StoreError`` when a statement fails or is not allowed in a migration, such as `BEGIN` or `PRAGMA`,
    ///   when the arguments do not match its parameters, are passed with several statements, or are of a type that
    ///   stores cannot keep, and when the stage has ended.
    public func execute(_ sql: String, arguments: [(any Sendable)?] = []) throws {
        let statements = MigrationScript(sql).statements
        guard arguments.isEmpty || statements.count == 1 else {
            throw version.store.error(
                "arguments can be passed to one statement only, but the SQL has \(statements.count) statements; run each "
                    + "statement with its own arguments"
            )
        }
        for statement in statements { try run(statement.sql, arguments) { _ in } }
    }

    /// Runs an SQL statement and returns its rows.
    ///
    /// - Parameters:
    ///   - sql: One statement.
    ///   - arguments: A value for each parameter, of the types that ``execute(_:arguments:)`` lists.
    /// - Returns: For each row a dictionary with the columns' names as keys and values of type `Int64`, `Double`,
    ///   `String` or `Data`. NULL values are left out. For a store on a server, a Boolean is 0 or 1, a UUID its 16
    ///   bytes and a decimal its text; cast values of other types, such as `timestamp` and `jsonb`, to `text`.
    /// - Throws: ``StoreError`` when the statement fails, is not allowed in a migration, such as `BEGIN` or `PRAGMA`,
    ///   or returns values of a type that cannot be read, when the arguments do not match its parameters or are of a
    ///   type that stores cannot keep, and when the stage has ended.
    public func rows(_ sql: String, arguments: [(any Sendable)?] = []) throws -> [[String: any Sendable]] {
        var rows: [[String: any Sendable]] = []
        try run(sql, arguments) { rows.append($0) }
        return rows
    }

    /// Removes objects from the store without applying delete rules, and clears references to them.
    ///
    /// A migration removes the objects of a deleted entity in the same manner.
    ///
    /// Pass all objects in one call, because each call searches the whole store for references. Do not use the objects
    /// afterwards.
    /// - Parameter objects: All objects to remove.
    /// - Throws: ``StoreError`` when the rows cannot be removed, and when the stage has ended.
    public func discard(_ objects: [ManagedObject]) throws {
        let keys = Dictionary(grouping: objects.map(\.objectID)) { $0.runtimeEntity.mapping.tableName }
        for (table, keys) in keys.orderedByKey {
            try run(
                "DELETE FROM \(quoteIdentifier(table)) WHERE " + version.store.dialect.isAmongKeys("\"_id\"", at: 1),
                .keys(keys.map(\.key))
            ) { _ in }
        }
    }

    private func run(
        _ sql: String,
        _ arguments: [(any Sendable)?],
        _ onRow: ([String: any Sendable]) -> Void
    ) throws {
        let values = try arguments.map { argument in
            guard let value = PredicateValue(argument: argument) else {
                throw version.store.error(
                    "a stage passes a \(type(of: argument)) to a statement, which a store cannot keep; convert it, for "
                        + "example to String or Data"
                )
            }
            return value
        }
        try run(sql, .values(values), onRow)
    }

    private func run(
        _ sql: String,
        _ arguments: StoreQuery.Arguments,
        _ onRow: ([String: any Sendable]) -> Void
    ) throws {
        try version.requireNotEnded()
        if try version.store.run(sql, arguments, version.schema.mapping, onRow) { hasWritten = true }
    }

    // MARK: Previous values

    /// Returns the value that an object of the destination version had in a property of the source version.
    ///
    /// The migration step keeps dropped data, and data that it cannot convert, until the stage ends. Data that the step
    /// carries over is read from the object, so it includes changes that the stage made. A key path can traverse
    /// relationships (`"continent.code"`) and composite attributes. The value of a to-one relationship is a
    /// ``ManagedObjectID`` of the destination version; the value of a to-many relationship is an array of them. Deleted
    /// objects are omitted.
    /// - Parameters:
    ///   - key: The name of a property of the source version, or a key path.
    ///   - object: An object of ``objects``.
    /// - Returns: The value; `nil` when the object had no value or is new.
    /// - Throws: ``StoreError`` when the source version has no property of that name, another program wrote a value of
    ///   another type, the method is called before the step (in `willMigrate`), or the stage has ended; if the step
    ///   carries the value over, also any error that ``ManagedObjectContext/existingObject(with:)-(ManagedObjectID)``
    ///   throws.
    public func previousValue(forKey key: String, of object: ManagedObject) throws -> Any? {
        try requirePrevious().value(forKey: key, of: object.objectID)
    }

    /// Returns the properties of the objects of an entity that exists only in the source version.
    /// - Parameter name: The name of the entity in the source version.
    /// - Returns: For each object a dictionary of its properties, keyed by name, with values as
    ///   ``previousValue(forKey:of:)`` returns them.
    /// - Throws: ``StoreError`` when the source version has no such entity, the step carries its objects over, another
    ///   program wrote a value of another type, the method is called before the step (in `willMigrate`), or the stage
    ///   has ended.
    public func previousObjects(ofEntity name: String) throws -> [[String: Any]] {
        try requirePrevious().objects(ofEntity: name)
    }

    private func requirePrevious() throws(StoreError) -> PreviousValues {
        try version.requireNotEnded()
        if let previous { return previous }
        throw version.store.error(
            "previous values are not available in willMigrate, because the objects still have their old values; read the values of the objects"
        )
    }
}

@available(*, unavailable, message: "a migration context can only be used in the closure that receives it")
extension MigrationContext: Sendable {}

extension PredicateValue {
    /// Creates a value that the program passes to a statement; `nil` if stores cannot keep values of its type.
    fileprivate init?(argument: (any Sendable)?) {
        switch argument {
        case nil: self = .null
        case let integer as any BinaryInteger:
            guard let integer = Int64(exactly: integer) else { return nil }
            self = .attribute(.integer(integer))
        case let boolean as Bool: self = .attribute(.boolean(boolean))
        case let double as Double: self = .attribute(.double(double))
        case let float as Float: self = .attribute(.double(Double(float)))
        case let string as String: self = .attribute(.string(string))
        case let data as Data: self = .attribute(.data(data))
        case let date as Date: self = .attribute(.date(date))
        case let uuid as UUID: self = .attribute(.uuid(uuid))
        case let url as URL: self = .attribute(.url(url))
        case let decimal as Decimal: self = .attribute(.decimal(decimal))
        case let object as ManagedObjectID: self = .attribute(.integer(object.key))
        default: return nil  // Any other type can be passed.
        }
    }
}

extension SQLArgument {
    /// The value that a statement of a stage returns to the program.
    package var swiftValue: (any Sendable)? {
        switch self {
        case .null: nil
        case .integer(let integer): integer
        case .real(let real): real
        case .text(let bytes): String(decoding: bytes, as: UTF8.self)
        case .blob(let bytes): Data(bytes)
        }
    }
}
