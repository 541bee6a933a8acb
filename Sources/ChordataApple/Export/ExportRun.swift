internal import Chordata
internal import ChordataModel
internal import ChordataPredicate
internal import ChordataSQL
internal import Foundation

/// The number of objects that an export has written, by kind.
struct ExportCounts {
    var inserted = 0
    var updated = 0
    var deleted = 0
}

/// The export of one store into a database with Core Data's tables.
///
/// The database is a copy, which is discarded if the export fails.
struct ExportRun {
    let connection: SQLiteConnection
    let plan: ExportPlan
    /// A Boolean value that indicates whether the tables are empty.
    private let isNew: Bool
    let hasHistory: Bool
    private let path: String
    private let acceptedLosses: Set<String>
    private let progress: ((ExportProgress) -> Void)?
    private var completedCount = 0
    private(set) var counts = ExportCounts()

    /// - Parameters:
    ///   - connection: A connection to the copy, with the exported store attached as `source`.
    ///   - path: The path of the target, for errors.
    ///   - externalFolder: The folder with the values of the target that are in files.
    ///   - acceptedLosses: The names of the properties whose values may lose digits.
    init(
        _ connection: SQLiteConnection,
        _ plan: ExportPlan,
        isNew: Bool,
        hasHistory: Bool,
        path: String,
        externalFolder: String,
        acceptedLosses: Set<String>,
        progress: ((ExportProgress) -> Void)?
    ) throws(StoreError) {
        self.connection = connection
        self.plan = plan
        self.isNew = isNew
        self.hasHistory = hasHistory
        self.path = path
        self.acceptedLosses = acceptedLosses
        self.progress = progress
        try addImportFunctions(to: connection, externalFolder: externalFolder)
        try connection.addFunction(named: ExportPlan.Function.external) { argument in
            guard case .blob(let bytes) = argument else { return .null }
            // The byte 1 indicates that the bytes of the value follow.
            return .blob(Data([1]) + Data(bytes))
        }
    }

    /// The number of steps of ``run()``, each of which reads or writes one table.
    private var stepCount: Int {
        let (roots, pairs) = (plan.rootTables.count, plan.pairTables.count)
        return 1 + plan.preparations.count + (isNew ? roots + pairs : 4 * roots + 2 * pairs)
    }

    private mutating func step(_ body: (inout ExportRun) throws -> Void) throws {
        progress?(ExportProgress(completedStepCount: completedCount, totalStepCount: stepCount))
        try body(&self)
        completedCount += 1
    }

    mutating func run() throws {
        try step { try $0.checkValues() }
        for preparation in plan.preparations { try step { try $0.prepare(preparation) } }
        try checkReflexiveRelationships()
        // Triggers of derived attributes would change the values that are copied, and a UNIQUE index would reject rows
        // that swap their values.
        let droppedSQL = isNew ? [] : try dropTriggersAndConstraints()
        for (index, table) in plan.rootTables.enumerated() {
            try step { run in
                if run.isNew {
                    try run.insertAll(into: table)
                } else {
                    try run.requireSameObjects(table)
                    try run.findChanges(of: table, index)
                }
            }
        }
        if isNew {
            for table in plan.pairTables { try step { try $0.insertAll(into: table) } }
        } else {
            for (index, table) in plan.pairTables.enumerated() { try step { try $0.findChanges(of: table, index) } }
            // Objects are deleted last, because the condition that an import keeps a key depends on them.
            for (index, table) in plan.rootTables.enumerated() { try step { try $0.update(table, index) } }
            for (index, table) in plan.rootTables.enumerated() { try step { try $0.insert(table, index) } }
            for (index, table) in plan.rootTables.enumerated() { try step { try $0.delete(table, index) } }
            for (index, table) in plan.pairTables.enumerated() { try step { try $0.write(table, index) } }
        }
        for sql in droppedSQL { try connection.run(sql) }
        if hasHistory, counts.inserted + counts.updated + counts.deleted > 0 { try writeHistory() }
        progress?(ExportProgress(completedStepCount: completedCount, totalStepCount: stepCount))
    }

    private func prepare(_ preparation: ExportPlan.Preparation) throws {
        if let check = preparation.check {
            let count = try integer(check.sql)
            guard count == 0 else {
                throw conflict("\(check.name): \(count) \(check.problem)", .unrepresentableValues)
            }
        }
        for sql in preparation.sql { try connection.run(sql) }
    }

    private func checkReflexiveRelationships() throws {
        for relationship in plan.reflexiveRelationships {
            let (source, target) = (relationship.source, relationship.target)
            let differences =
                "SELECT * FROM (\(source) EXCEPT \(target)) UNION ALL SELECT * FROM (\(target) EXCEPT \(source))"
            guard try integer("SELECT count(*) FROM (\(differences))") == 0 else {
                throw conflict(
                    "\(relationship.name): the store that you export has other members in this relationship than this file, but "
                        + "the relationship is its own inverse, and how Core Data stores its members is not known; revert the "
                        + "changes of this relationship in the store that you export, and export it again",
                    .unrepresentableValues
                )
            }
        }
    }

    // MARK: Parts

    func integer(_ sql: String) throws -> Int64 { try connection.rows(sql).first?.first?.integer ?? 0 }

    func changes() throws -> Int { Int(try integer("SELECT changes()")) }

    func conflict(_ message: String, _ code: CoreDataStoreError.Code) -> CoreDataStoreError {
        CoreDataStoreError(code, message, path: path)
    }

    func requireNotCancelled() throws(CoreDataStoreError) {
        guard Task.isCancelled else { return }
        throw CoreDataStoreError(.cancelled, "the export was cancelled; nothing was written", path: path)
    }

    /// Throws an error if values lose digits, unless the caller accepts that.
    private func checkValues() throws {
        if let unknown = acceptedLosses.subtracting(plan.checks.map(\.name)).min() {
            throw conflict(
                "'\(unknown)' is accepted as a loss, but is not a decimal attribute of the model; write 'Entity.attribute'",
                .unrepresentableValues
            )
        }
        var problems: [String] = []
        for check in plan.checks {
            let count = try integer(check.sql)
            if count > 0, !acceptedLosses.contains(check.name) {
                problems.append("\(check.name): \(count) \(check.problem)")
            }
        }
        guard problems.isEmpty else {
            throw conflict(
                "cannot represent values of the exported store: \(problems.joined(separator: "; ")); correct them, or list "
                    + "these names in 'acceptedLosses' (option '--accept' of 'chordata export') to round the values",
                .unrepresentableValues
            )
        }
    }

    private func dropTriggersAndConstraints() throws -> [String] {
        let rows = try connection.rows(
            "SELECT \"type\", \"name\", \"sql\" FROM main.sqlite_schema WHERE \"sql\" IS NOT NULL "
                + "AND (\"type\" = 'trigger' AND \"name\" GLOB 'Z_DA_*' OR \"type\" = 'index' AND \"sql\" LIKE 'CREATE UNIQUE%') "
                + "ORDER BY rowid"
        )
        var dropped: [String] = []
        for row in rows {
            guard let type = row[0].text, let name = row[1].text, let sql = row[2].text else { continue }
            try connection.execute("DROP \(type == "trigger" ? "TRIGGER" : "INDEX") main.\(quoteIdentifier(name))")
            dropped.append(sql)
        }
        return dropped
    }

    /// Returns the value of a column in an existing row; a value that is not different is kept.
    private func updatedValue(_ column: ExportPlan.Column) -> String {
        "CASE WHEN \(condition(column)) THEN \(column.value) ELSE a.\(quoteIdentifier(column.name)) END"
    }

    private func condition(_ column: ExportPlan.Column) -> String {
        // A value that the import left out is kept.
        let name = "a." + quoteIdentifier(column.name)
        let isDifferent =
            "\(column.isDifferent) AND NOT (\(column.value) IS NULL AND \(name) IS NOT NULL AND NOT (\(column.isValid)))"
        guard let entityName = column.entityName else { return "(\(isDifferent))" }
        // Rows of other entities may have leftover values in the column.
        let numbers = plan.schema.numbers(below: entityName).map(String.init).joined(separator: ",")
        return "(a.\"Z_ENT\" IN (\(numbers)) AND \(isDifferent))"
    }

    private func insertedValue(_ column: ExportPlan.Column, _ table: ExportPlan.RootTable) -> String {
        guard let name = column.entityName, table.isInHierarchy else { return column.value }
        let names = plan.schema.closure(of: name).map { sqlLiteral(text: $0) }.joined(separator: ",")
        return "CASE WHEN n.\"_entity\" IN (\(names)) THEN \(column.value) END"
    }

    private func insertion(into table: ExportPlan.RootTable) -> String {
        let names = ["Z_PK", "Z_ENT", "Z_OPT"] + table.columns.map(\.name)
        let values =
            ["n.\"_id\"", table.entityNumber, "n.\"_version\""] + table.columns.map { insertedValue($0, table) }
        return "INSERT INTO \(table.target) (\(names.map(quoteIdentifier).joined(separator: ", "))) "
            + "SELECT \(values.joined(separator: ", ")) FROM \(table.source) AS n"
    }

    // MARK: Objects

    private mutating func insertAll(into table: ExportPlan.RootTable) throws {
        try requireNotCancelled()
        try connection.run(insertion(into: table) + " ORDER BY n.\"_id\"")
        counts.inserted += try changes()
        let maximum = try integer("SELECT ifnull(max(\"Z_PK\"), 0) FROM \(table.target)")
        try raiseMaximum(of: table.number, from: 0, to: maximum)
    }

    /// Sets the largest used primary key of a table (`Z_MAX`), if it still has its old value.
    func raiseMaximum(of number: Int, from old: Int64, to new: Int64) throws {
        guard new > old else { return }
        try connection.run(
            "UPDATE OR FAIL \"Z_PRIMARYKEY\" SET \"Z_MAX\" = ? WHERE \"Z_ENT\" = ? AND \"Z_MAX\" = ?",
            [.integer(new), .integer(Int64(number)), .integer(old)]
        )
        guard try changes() == 1 else {
            throw conflict(
                "'Z_MAX' of entity number \(number) in 'Z_PRIMARYKEY' was changed during the export; export again",
                .cannotWrite
            )
        }
    }

    func maximum(of number: Int) throws -> Int64 {
        try integer("SELECT \"Z_MAX\" FROM \"Z_PRIMARYKEY\" WHERE \"Z_ENT\" = \(number)")
    }

    private func requireSameObjects(_ table: ExportPlan.RootTable) throws {
        let others = try integer(
            "SELECT count(*) FROM \(table.source) AS n JOIN \(table.target) AS a ON a.\"Z_PK\" = n.\"_id\" "
                + "WHERE a.\"Z_ENT\" IS NOT \(table.entityNumber)"
        )
        guard others == 0 else {
            throw conflict(
                "\(others) objects of '\(table.entityName)' in the store that you export have the primary keys of objects of "
                    + "other entities in the destination; export into a copy of the store of Core Data that was imported",
                .incompatibleModel
            )
        }
        let used = try integer(
            "SELECT count(*) FROM \(table.source) AS n WHERE n.\"_id\" <= \(try maximum(of: table.number)) "
                + "AND NOT EXISTS (SELECT 1 FROM \(table.target) AS a WHERE a.\"Z_PK\" = n.\"_id\")"
        )
        guard used == 0 else {
            throw conflict(
                "\(used) objects of '\(table.entityName)' in the store that you export have primary keys of objects that were "
                    + "deleted from this file; export into a copy of the store of Core Data that was imported",
                .incompatibleModel
            )
        }
    }

    /// Lists the objects that differ, before the first one is written.
    private func findChanges(of table: ExportPlan.RootTable, _ index: Int) throws {
        try requireNotCancelled()
        try connection.run(
            "CREATE TABLE temp.\"inserted_\(index)\" AS SELECT n.\"_id\" AS \"key\", \(table.entityNumber) AS \"entity\" "
                + "FROM \(table.source) AS n WHERE NOT EXISTS (SELECT 1 FROM \(table.target) AS a WHERE a.\"Z_PK\" = n.\"_id\")"
        )
        let numbers = table.entities.filter { plan.schema.model.entity(named: $0.name)?.isAbstract == false }
            .map { "\($0.number)" }.joined(separator: ",")
        try connection.run(
            "CREATE TABLE temp.\"deleted_\(index)\" AS SELECT a.\"Z_PK\" AS \"key\", a.\"Z_ENT\" AS \"entity\" "
                + "FROM \(table.target) AS a WHERE a.\"Z_ENT\" IN (\(numbers)) "
                + "AND NOT EXISTS (SELECT 1 FROM \(table.source) AS n WHERE n.\"_id\" = a.\"Z_PK\")"
        )
        let isDifferent = table.columns.isEmpty ? "0" : table.columns.map(condition).joined(separator: " OR ")
        try connection.run(
            "CREATE TABLE temp.\"updated_\(index)\" (\"key\" INTEGER PRIMARY KEY, \"entity\" INTEGER, \"columns\" TEXT)"
        )
        try connection.run(
            "INSERT INTO temp.\"updated_\(index)\" SELECT n.\"_id\", a.\"Z_ENT\", \(changedProperties(of: table)) "
                + "FROM \(table.source) AS n JOIN \(table.target) AS a ON a.\"Z_PK\" = n.\"_id\" WHERE \(isDifferent)"
        )
    }

    /// Returns an expression for the history: a digit for each property of a row's entity, sorted by name, which is 1
    /// if the property has changed.
    private func changedProperties(of table: ExportPlan.RootTable) -> String {
        guard hasHistory else { return "NULL" }
        let columns = Dictionary(grouping: table.columns, by: \.property)
        let cases = table.entities.map { number, name -> String in
            let digits = propertyNames(of: name).map { property in
                let conditions = columns[property]?.filter { $0.entityName.map { isKind(name, of: $0) } ?? true } ?? []
                return conditions.isEmpty ? "0" : "(\(conditions.map(\.isDifferent).joined(separator: " OR ")))"
            }
            return "WHEN \(number) THEN \(digits.isEmpty ? "''" : digits.joined(separator: " || "))"
        }
        return "CASE a.\"Z_ENT\" \(cases.joined(separator: " ")) END"
    }

    private func isKind(_ name: String, of ancestor: String) -> Bool {
        plan.schema.model.entity(name, isKindOf: ancestor)
    }

    /// Returns the stored properties of an entity, including inherited ones, sorted by name.
    func propertyNames(of entityName: String) -> [String] {
        guard let entity = plan.schema.model.entity(named: entityName) else { return [] }
        return
            (entity.attributes.filter { !$0.isTransient }.map(\.name)
            + entity.relationships.filter { !$0.isTransient }.map(\.name)).sorted()
    }

    private mutating func update(_ table: ExportPlan.RootTable, _ index: Int) throws {
        try requireNotCancelled()
        let assignments =
            table.columns.map { "\(quoteIdentifier($0.name)) = \(updatedValue($0))" }
            + ["\"Z_OPT\" = max(n.\"_version\", ifnull(a.\"Z_OPT\", 0) + 1)"]
        try connection.run(
            "UPDATE \(table.target) AS a SET \(assignments.joined(separator: ", ")) FROM \(table.source) AS n "
                + "WHERE n.\"_id\" = a.\"Z_PK\" AND a.\"Z_PK\" IN (SELECT \"key\" FROM temp.\"updated_\(index)\")"
        )
        counts.updated += try changes()
    }

    private mutating func insert(_ table: ExportPlan.RootTable, _ index: Int) throws {
        try requireNotCancelled()
        // The keys are reserved before the rows are inserted.
        let last = try integer("SELECT ifnull(max(\"key\"), 0) FROM temp.\"inserted_\(index)\"")
        try raiseMaximum(of: table.number, from: try maximum(of: table.number), to: last)
        try connection.run(
            insertion(into: table)
                + " WHERE n.\"_id\" IN (SELECT \"key\" FROM temp.\"inserted_\(index)\") ORDER BY n.\"_id\""
        )
        counts.inserted += try changes()
    }

    private mutating func delete(_ table: ExportPlan.RootTable, _ index: Int) throws {
        try requireNotCancelled()
        try connection.run(
            "DELETE FROM \(table.target) WHERE \"Z_PK\" IN (SELECT \"key\" FROM temp.\"deleted_\(index)\")"
        )
        counts.deleted += try changes()
    }
}
