import Chordata
import Contest
import Foundation

// W15: a program of the newer version opens a store of an older version, compared with handwritten statements.

/// Adds an optional attribute.
func benchmarkAddingColumns(_ stores: Stores) throws {
    try benchmarkMigrating(
        stores,
        "W15-column",
        "a column more",
        LedgerColumnModel.definition,
        ["ALTER TABLE Entry ADD COLUMN memo TEXT"]
    )
}

/// Adds a required attribute with a default.
func benchmarkAddingDefaults(_ stores: Stores) throws {
    try benchmarkMigrating(
        stores,
        "W15-default",
        "a column more, with a default",
        LedgerDefaultModel.definition,
        ["ALTER TABLE Entry ADD COLUMN kind TEXT DEFAULT 'plain'"]
    )
}

/// Changes the type of an attribute, for which a table is rebuilt: SQLite's twelve steps, with the checks that Chordata
/// makes.
func benchmarkRebuilding(_ stores: Stores) throws {
    try benchmarkMigrating(
        stores,
        "W15-rebuild",
        "a type changes",
        LedgerTypeModel.definition,
        [
            """
            CREATE TABLE new_Entry (
                _id INTEGER PRIMARY KEY, _version INTEGER NOT NULL, amount REAL, code INTEGER, title TEXT,
                account INTEGER REFERENCES Account (_id) ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED
            ) STRICT
            """,
            """
            INSERT INTO new_Entry (_id, _version, amount, code, title, account)
            SELECT _id, _version, CAST(amount AS REAL), code, title, account FROM Entry
            """,
            """
            CREATE TEMP TABLE checks (
                isWrong INTEGER CHECK (NOT isWrong)
            )
            """,
            "INSERT INTO checks SELECT (SELECT count(*) FROM new_Entry) <> (SELECT count(*) FROM Entry)",
            "DROP TABLE checks",
            "DROP TABLE Entry",
            "ALTER TABLE new_Entry RENAME TO Entry",
            "CREATE INDEX Entry_byCode ON Entry (code)",
            "CREATE INDEX Entry_account ON Entry (account)",
            "PRAGMA foreign_key_check(Entry)",
        ]
    )
}

private func benchmarkMigrating(
    _ stores: Stores,
    _ workload: String,
    _ title: String,
    _ definition: ModelDefinition,
    _ statements: [String]
) throws {
    let count = stores.sample.players.count
    let ledgers = try Ledgers(definition, count)
    func work(_ migrate: @escaping (String) throws -> AnyObject) -> () throws -> Contest.Contestant.Work {
        {
            let path = try ledgers.copy()
            return {
                let held = try migrate(path)
                return { try withExtendedLifetime(held) { try ledgers.finish(path) } }
            }
        }
    }
    try Contest(
        workload,
        title: title,
        unit: "rows",
        count: count,
        contestants: [
            Contest.Contestant(
                name: "by hand",
                prepare: work { path in
                    let connection = try RawConnection(path: path)
                    try connection.execute("PRAGMA foreign_keys=OFF")
                    try connection.execute("BEGIN EXCLUSIVE")
                    for statement in statements { try connection.execute(statement) }
                    try connection.execute("COMMIT")
                    try connection.execute("PRAGMA foreign_keys=ON")
                    return connection
                }
            ),
            Contest.Contestant(
                name: "Chordata",
                prepare: work { path in
                    try PersistentContainer(model: definition, path: path, options: StoreOptions(synchronous: .normal))
                }
            ),
        ]
    ).run(rounds: rounds)
}

/// Stores of the older version, with entries.
private final class Ledgers {
    private let folder: URL
    private let full: String
    private var copies = 0

    init(_ definition: ModelDefinition, _ count: Int) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "chordata-benchmark-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        full = folder.appending(path: "full.sqlite").path
        let old = ModelDefinition(name: definition.name, versionName: definition.name, model: try Self.oldModel())
        _ = try PersistentContainer(model: old, path: full)
        let connection = try RawConnection(path: full)
        try connection.execute(
            """
            BEGIN;
            INSERT INTO Account (_id, _version, name) SELECT value, 1, 'Account ' || value
            FROM json_each('[' || (WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100)
                SELECT group_concat(i) FROM n) || ']');
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
            INSERT INTO Entry (_id, _version, amount, code, title, account)
            SELECT 100 + i, 1, i % 10007, (i * 7919) % \(count), 'Entry number ' || i, 1 + i % 100 FROM n;
            UPDATE _sequence SET next = \(count + 101);
            COMMIT;
            PRAGMA wal_checkpoint(TRUNCATE);
            """
        )
    }

    deinit { try? FileManager.default.removeItem(at: folder) }  // A folder for temporary files; nothing depends on it.

    /// Returns the model of the older versions of all ledgers.
    private static func oldModel() throws -> ManagedObjectModel {
        func attribute(_ name: String, _ type: AttributeType) -> AttributeDescription {
            AttributeDescription(name: name, attributeType: type, isOptional: true)
        }
        return try ManagedObjectModel(entities: [
            EntityDescription(
                name: "Account",
                attributes: [AttributeDescription(name: "name", attributeType: .string)],
                relationships: [
                    RelationshipDescription(
                        name: "entries",
                        destinationEntityName: "Entry",
                        inverseName: "account",
                        isToMany: true
                    )
                ]
            ),
            EntityDescription(
                name: "Entry",
                attributes: [
                    attribute("amount", .integer32), attribute("code", .integer64), attribute("title", .string),
                ],
                relationships: [
                    RelationshipDescription(
                        name: "account",
                        destinationEntityName: "Account",
                        inverseName: "entries"
                    )
                ],
                indexes: [FetchIndexDescription(name: "byCode", elements: [.init(propertyName: "code")])]
            ),
        ])
    }

    func copy() throws -> String {
        copies += 1
        let path = folder.appending(path: "copy\(copies).sqlite").path
        try FileManager.default.copyItem(atPath: full, toPath: path)
        // Pending writes to the disk would be paid for by the next contestant.
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        try file.synchronize()
        try file.close()
        return path
    }

    /// Returns a number that depends on the values of all rows.
    ///
    /// Removes the copy.
    func finish(_ path: String) throws -> Int {
        let connection = try RawConnection(path: path)
        let columns = try connection.integers("SELECT count(*) FROM pragma_table_info('Entry')")[0]
        let sums = try connection.integers(
            "SELECT CAST(count(*) + total(amount) + 3 * total(length(title)) + 7 * total(account) AS INTEGER) FROM Entry"
        )
        for suffix in ["", "-wal", "-shm"] where FileManager.default.fileExists(atPath: path + suffix) {
            try FileManager.default.removeItem(atPath: path + suffix)
        }
        return Int(columns * 1_000_003 + sums[0])
    }
}
