internal import ChordataModel
internal import ChordataSQL

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// What a stage works with: objects of one version, and the store's SQL, within the one transaction of the migration.
///
/// It is valid, as are its objects, only inside the closure it is passed to.
public final class MigrationContext {
    /// Objects of the version, without classes of their own: properties go by their names.
    ///
    /// What it has is saved when the closure returns. Save and `reset()` now and then where there are many objects. What is saved is
    /// validated by the rules of the version.
    public let objects: ManagedObjectContext
    private let version: MigratingVersion
    private let touches: MigrationTouches
    private let previous: PreviousValues?
    /// Whether SQL of the stage may have changed rows.
    private(set) var hasWritten = false

    init(_ version: MigratingVersion, _ touches: MigrationTouches, previous: PreviousValues?) {
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
        for statement in MigrationScript(sql).statements { try run(statement.sql) { _ in } }
    }

    /// The rows of a statement: values by column, as `Int64`, `Double`, `String` or `Data`, without those that are NULL.
    /// - Throws: ``StoreError``.
    public func rows(_ sql: String) throws -> [[String: any Sendable]] {
        var rows: [[String: any Sendable]] = []
        try run(sql) { statement in
            var row: [String: any Sendable] = [:]
            for column in 0..<statement.columnCount {
                row[statement.columnName(at: column)] = statement.values.argument(at: column).swiftValue
            }
            rows.append(row)
        }
        return rows
    }

    private func run(_ sql: String, _ body: (SQLiteStatement) -> Void) throws {
        let statement = try touches.prepare(sql)
        let (writes, removes) = (touches.writesRows, touches.removesRows)
        while try statement.step() { body(statement) }
        hasWritten = hasWritten || writes || removes
        if removes { try version.connection.clearBrokenReferences(of: version.schema.mapping) }
    }

    // MARK: What was

    /// What an object of the destination version had in a property of the source version.
    ///
    /// The step keeps what it drops, and what it cannot convert, until the stage is over. What it carries over is read from the object, so
    /// it is what the stage has made of it by then. Key paths go over relationships (`"continent.code"`) and into composites. A relationship
    /// gives ``ManagedObjectID``s of the destination version, a to-many an array of them, without those of objects that are gone.
    /// - Returns: `nil` for an object that had none, or is new.
    /// - Throws: ``StoreError`` where the source version has no property of that name.
    public func previousValue(forKey key: String, of object: ManagedObject) throws -> Any? {
        try requirePrevious().value(forKey: key, of: object.objectID)
    }

    /// The objects that the source version had of an entity which the destination version does not have: their properties by name, as
    /// ``previousValue(forKey:of:)`` gives them.
    /// - Throws: ``StoreError`` where the source version has no such entity, or the step carries its objects over.
    public func previousObjects(ofEntity name: String) throws -> [[String: Any]] {
        try requirePrevious().objects(ofEntity: name)
    }

    private func requirePrevious() throws(StoreError) -> PreviousValues {
        if let previous { return previous }
        throw version.error("before a step there is nothing previous; read the objects themselves")
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
