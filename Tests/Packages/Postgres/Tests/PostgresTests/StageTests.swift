import Foundation
import Synchronization
import Testing

@testable @_spi(Generated) import Chordata
@testable import ChordataMigration
@testable import ChordataModel
@testable import ChordataPostgres

/// Stages of migrations of stores on the server.
struct StageTests {
    private func container(
        _ pair: MigrationPair,
        _ version: MigrationPair.Version,
        _ schema: String,
        _ database: TestDatabase = TestDatabase(TestServer.configuration())
    ) throws -> PersistentContainer {
        var options = ServerOptions()
        options.migrationStages = pair.stages
        let definition = pair.definition(version)
        return try PersistentContainer(model: definition, database: database, schemaName: schema, options: options)
    }

    private func filled(_ pair: MigrationPair) throws -> String {
        let schema = newSchemaName()
        try pair.fill(try container(pair, .old, schema).newContext())
        return schema
    }

    /// Migrates a store, and lets the server end the connection at some statements first.
    ///
    /// `CHORDATA_TEST_KILL_STRIDE` sets the distance between these statements.
    /// - Parameter afterKill: A closure that is called after each lost connection.
    private func migrateWithKills(
        _ migrate: (TestDatabase) throws -> PersistentContainer,
        afterKill: () throws -> Void
    ) throws {
        let stride = ProcessInfo.processInfo.environment["CHORDATA_TEST_KILL_STRIDE"].flatMap { Int($0) } ?? 11
        let seed = SeededGenerator.seed
        var statementCount = Int(seed % UInt64(stride))
        while statementCount < 500 {
            let database = TestDatabase(TestServer.configuration())
            database.remainingStatements.withLock { $0 = statementCount }
            do {
                _ = try migrate(database)
                break
            } catch let error as StoreError {
                #expect(error.code == .connectionLost, "\(error), seed \(seed)")
            }
            statementCount += stride
            try afterKill()
        }
        #expect((20..<500).contains(statementCount), "seed \(seed)")
    }

    private func version(of schema: String) throws -> String? {
        try TestServer.connection()
            .rows("SELECT \"value\" FROM \"\(schema)\".\"_metadata\" WHERE \"key\" = 'versionHash'")[0][0]
    }

    /// Law: a store that was migrated with stages has the tables of a fresh one, and the objects of a store in SQLite
    /// that was migrated with the same stages.
    @Test(arguments: MigrationPair.allStaged.indices) func stagesAreSame(index: Int) throws {
        let pair = MigrationPair.allStaged[index]
        let schema = try filled(pair)
        let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).sqlite").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let options = StoreOptions(migrationStages: pair.stages)
        try pair.fill(try PersistentContainer(model: pair.definition(.old), path: path, options: options).newContext())
        let server = try container(pair, .new, schema)
        let sqlite = try PersistentContainer(model: pair.definition(.new), path: path, options: options)
        let migrated = try contents(of: server, pair.new)
        #expect(try migrated == contents(of: sqlite, pair.new), "\(pair.name)")
        #expect(!migrated.isEmpty)
        // The connections of the container execute the queries of the newer version.
        for _ in 0..<3 { #expect(try contents(of: server, pair.new) == migrated) }
        let fresh = newSchemaName()
        _ = try container(pair, .new, fresh)
        #expect(try tables(in: schema) == tables(in: fresh), "\(pair.name)")
        let keys = try TestServer.connection()
            .rows("SELECT \"key\" FROM \"\(schema)\".\"_metadata\" WHERE \"key\" LIKE 'stage.%'")
        #expect(keys.isEmpty)
    }

    @Test func statements() throws {
        let pair = MigrationPair.splitNames.staged(
            by: MigrationPair.custom(
                willMigrate: { migration in
                    for (sql, keyword) in [
                        ("COMMIT", "COMMIT"), ("/* a */ rollback", "ROLLBACK"), ("SELECT 1; SAVEPOINT a", "SAVEPOINT"),
                        ("SET search_path = x", "SET"), ("SET LOCAL ROLE postgres", "SET"),
                        ("PREPARE TRANSACTION 'a'", "PREPARE"),
                    ] {
                        let error = #expect(throws: StoreError.self) { try migration.execute(sql) }
                        #expect(error?.message.contains("remove \(keyword) from its SQL") == true)
                    }
                    let copy = #expect(throws: StoreError.self) { try migration.execute("COPY \"Team\" TO STDOUT") }
                    #expect(copy?.message.contains("COPY from STDIN or to STDOUT cannot") == true)
                    let missing = #expect(throws: StoreError.self) { try migration.execute("DELETE FROM \"Town\"") }
                    #expect(missing?.message.contains("relation \"Town\" does not exist") == true)
                    for arguments: [(any Sendable)?] in [[], [1], [1, 2, 3]] {
                        let error = #expect(throws: StoreError.self) {
                            try migration.rows("SELECT $1::bigint + $2::bigint, '$3' /* $4 */", arguments: arguments)
                        }
                        #expect(error?.message.contains("has 2 parameters, but got \(arguments.count)") == true)
                    }
                    for sql in ["SELECT 1; SELECT 2", "/* /* */ */ COMMIT", "", "; ; COMMIT"] {
                        #expect(throws: StoreError.self) { try migration.rows(sql) }
                    }
                    try migration.execute("SET LOCAL search_path = pg_catalog; CREATE TEMP TABLE t (a bigint)")
                    #expect(throws: StoreError.self) { try migration.rows("SELECT 1 / 0 AS n") }
                    #expect(throws: StoreError.self) {
                        try migration.execute("DELETE FROM \"Team\" WHERE $1", arguments: [[1]])
                    }
                    // The transaction continues after each of these errors.
                    let id = UUID()
                    let row = try migration.rows(
                        """
                        SELECT $1 AS "a b", $2::text AS t, $3::bytea AS d, $4::uuid = '\(id)' AS u, $4::uuid AS i, \
                        NULL AS n, count(*) AS c FROM "Person"
                        """,
                        arguments: [2.5, "x", Data([7]), id]
                    )[0]
                    #expect(row["a b"] as? Double == 2.5 && row["t"] as? String == "x")
                    #expect(row["d"] as? Data == Data([7]))
                    #expect(row["u"] as? Int64 == 1 && row["n"] == nil && row["c"] as? Int64 == 4)
                    #expect((row["i"] as? Data)?.count == 16)
                    try migration.execute(
                        "UPDATE \"Person\" SET \"age\" = '99' WHERE \"title\" = $1",
                        arguments: ["Cy Young"]
                    )
                    try migration.execute("SET LOCAL work_mem = '1MB'; SET CONSTRAINTS ALL IMMEDIATE")
                    try migration.execute("DELETE FROM \"Team\" WHERE \"title\" = 'a'; SELECT 1")
                    let people = try migration.objects.fetch(FetchRequest<ManagedObject>(entityName: "Person"))
                    try migration.discard(people.filter { $0.value(forKey: "title") as? String == "Di Zorn" })
                },
                didMigrate: { migration in
                    for person in try migration.objects.fetch(FetchRequest<ManagedObject>(entityName: "Person")) {
                        let age = try migration.previousValue(forKey: "age", of: person) as? String
                        person.setValue(age.flatMap { Int16($0) }, forKey: "age")
                        person.setValue(person.value(forKey: "title"), forKey: "lastName")
                    }
                }
            )
        )
        let schema = try filled(pair)
        let database = TestDatabase(TestServer.configuration())
        let found = try contents(of: container(pair, .new, schema, database), pair.new)
        #expect(found.count == 4)
        // The connection of the migration has other users now.
        let connection = try database.pool.takeConnection(for: "a test")
        defer { database.pool.release(connection) }
        let sql = "SELECT count(*) FROM pg_class WHERE relnamespace = pg_my_temp_schema() AND relkind = 'r'"
        #expect(try connection.rows(sql) == [["0"]])
        #expect(found.contains { $0.contains("lastName=Cy Young") && $0.contains("age=99") })
        #expect(found.contains { $0.contains("title=b") && $0.contains("captain=[]") })
    }

    /// A migration that is killed at any of its statements leaves the store at the old version, or at the new one; the
    /// next one continues.
    @Test(arguments: MigrationPair.allStaged.indices) func kills(index: Int) throws {
        let pair = MigrationPair.allStaged[index]
        let schema = try filled(pair)
        let before = try tables(in: schema)
        try migrateWithKills {
            try container(pair, .new, schema, $0)
        } afterKill: {
            if try version(of: schema) == pair.old.versionHash {
                #expect(try tables(in: schema).filter { !$0.contains("_stage_") } == before)
            } else {
                #expect(try version(of: schema) == pair.new.versionHash)
            }
        }
        let expected = try contents(of: container(pair, .new, try filled(pair)), pair.new)
        #expect(try contents(of: container(pair, .new, schema), pair.new) == expected)
        let fresh = newSchemaName()
        _ = try container(pair, .new, fresh)
        #expect(try tables(in: schema) == tables(in: fresh))
    }

    /// A stage that fails leaves nothing behind.
    @Test func failures() throws {
        struct Failure: Error {}
        let stages: [(stage: MigrationStage, part: String)] = [
            (MigrationPair.custom(willMigrate: { _ in throw Failure() }), "the stage from 'M 1' to 'M 2' failed"),
            (
                MigrationPair.custom(didMigrate: { migration in
                    let people = try migration.objects.fetch(FetchRequest<ManagedObject>(entityName: "Person"))
                    for person in people { person.setValue("same", forKey: "lastName") }
                }), "must be unique"
            ),
            (MigrationPair.custom(didMigrate: { _ in }), "attribute 'lastName' of 'Person' is required"),
        ]
        for (stage, part) in stages {
            let pair = MigrationPair.splitNames.staged(by: stage)
            let schema = try filled(pair)
            let before = try tables(in: schema)
            let error = #expect(throws: StoreError.self) { try container(pair, .new, schema) }
            #expect(error?.code == .migrationFailed)
            #expect(error?.message.contains(part) == true, "\(error?.message ?? "")")
            #expect(try tables(in: schema) == before)
            #expect(try version(of: schema) == pair.old.versionHash)
        }
    }

    /// A stage that continues after an error of the server fails with the remedy, and leaves nothing behind.
    @Test func caughtErrors() throws {
        let pair = MigrationPair.splitNames.staged(
            by: MigrationPair.custom(willMigrate: { migration in
                try migration.execute("DROP TABLE \"Team\" CASCADE")
                #expect(throws: StoreError.self) {
                    try migration.objects.fetch(FetchRequest<ManagedObject>(entityName: "Team"))
                }
            })
        )
        let schema = try filled(pair)
        let before = try tables(in: schema)
        let error = #expect(throws: StoreError.self) { try container(pair, .new, schema) }
        #expect(error?.message.contains("let the stage throw the error") == true, "\(error?.message ?? "")")
        #expect(try tables(in: schema) == before)
        #expect(try version(of: schema) == pair.old.versionHash)
    }

    /// No other program can read a table while a custom stage runs: a reader of a table that the migration changes
    /// later could otherwise wait for the migration, while the migration waits for the reader.
    @Test func readersWait() throws {
        let schema = Mutex("")
        let refused = Mutex(0)
        let pair = MigrationPair.splitNames.staged(
            by: MigrationPair.custom(
                willMigrate: { _ in
                    let schema = schema.withLock { $0 }
                    for table in ["Person", "Team"] {
                        let reader = try TestServer.connection()
                        _ = try reader.rows("SET lock_timeout = '50ms'")
                        let error = #expect(throws: ServerFailure.self) {
                            try reader.rows("SELECT * FROM \"\(schema)\".\"\(table)\"")
                        }
                        if error?.error.sqlState == "55P03" { refused.withLock { $0 += 1 } }
                    }
                },
                didMigrate: { migration in
                    for person in try migration.objects.fetch(FetchRequest<ManagedObject>(entityName: "Person")) {
                        person.setValue(person.value(forKey: "title"), forKey: "lastName")
                    }
                }
            )
        )
        let name = try filled(pair)
        schema.withLock { $0 = name }
        _ = try container(pair, .new, name)
        #expect(refused.withLock { $0 } == 2)
    }

    /// A program without the stage cannot open the store, and changes nothing.
    @Test func missingStages() throws {
        let schema = try filled(.splitNames)
        let definition = MigrationPair.splitNames.definition(.new)
        let error = #expect(throws: StoreError.self) {
            try PersistentContainer(
                model: definition,
                postgres: PostgresConfiguration(TestServer.string, schema: schema)
            )
        }
        #expect(error?.code == .missingStage)
        let pool = PostgresPool(PostgresConfiguration(TestServer.string, schema: schema))
        let other = #expect(throws: StoreError.self) {
            try migrateStore(of: definition, in: pool, schemaName: schema)
        }
        #expect(other?.code == .missingStage)
        #expect(try version(of: schema) == MigrationPair.splitNames.old.versionHash)
        var configuration = PostgresConfiguration(TestServer.string, schema: schema)
        configuration.migrationStages = MigrationPair.splitNames.stages
        _ = try PersistentContainer(model: definition, postgres: configuration)
    }

    /// Objects of a stage cannot be used after it.
    @Test func keptObjects() throws {
        nonisolated(unsafe) var kept: ManagedObjectContext?
        let pair = MigrationPair.splitNames.staged(
            by: MigrationPair.custom(didMigrate: { migration in
                for person in try migration.objects.fetch(FetchRequest<ManagedObject>(entityName: "Person")) {
                    person.setValue(person.value(forKey: "title"), forKey: "lastName")
                }
                kept = migration.objects
            })
        )
        let schema = try filled(pair)
        _ = try container(pair, .new, schema)
        let error = #expect(throws: StoreError.self) {
            try kept?.fetch(FetchRequest<ManagedObject>(entityName: "Person"))
        }
        #expect(error?.message.contains("the stage has ended") == true)
    }

    /// If several programs start at the same time, the store is migrated once.
    @Test(arguments: MigrationPair.allStaged.indices) func severalPrograms(index: Int) async throws {
        let pair = MigrationPair.allStaged[index]
        let schema = try filled(pair)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 { group.addTask { _ = try container(pair, .new, schema) } }
            try await group.waitForAll()
        }
        let expected = try contents(of: container(pair, .new, try filled(pair)), pair.new)
        #expect(try contents(of: container(pair, .new, schema), pair.new) == expected)
    }

    /// Values of objects that another program changes after their batch are computed again, and those of new objects,
    /// too; the migration continues after the batches of an earlier attempt.
    @Test func batches() throws {
        struct Stop: Error {}
        let schema = try filled(.batched)
        let computed = Mutex<[String]>([])
        let old = try container(.batched, .old, schema)
        let isFirst = Mutex(true)
        let pair = MigrationPair.batched.staged(
            by: MigrationPair.batches { object in
                let title = object.value(forKey: "title") as? String ?? ""
                computed.withLock { $0.append(title) }
                if title == "t12", isFirst.withLock({ $0 }) { throw Stop() }
            }
        )
        let error = #expect(throws: StoreError.self) { try container(pair, .new, schema) }
        #expect(error?.message.contains("except for the complete batches of its stage") == true)
        #expect(try version(of: schema) == pair.old.versionHash)
        // Two batches are complete.
        #expect(computed.withLock { Set($0).isSuperset(of: (0..<10).map { "t\($0)" }) })
        computed.withLock { $0 = [] }
        isFirst.withLock { $0 = false }
        // A program of the older version still uses the store.
        let context = old.newContext()
        let request = try FetchRequest<ManagedObject>(entityName: "Item").where(format: "title == 't3'")
        try #require(try context.fetch(request).first).setValue("changed", forKey: "title")
        _ = context.insert("Item", ["title": "new"])
        try context.save()
        context.reader.endReading()
        let found = try contents(of: container(pair, .new, schema), pair.new)
        #expect(found.count == 24)
        #expect(found.contains { $0.contains("upper=CHANGED") } && found.contains { $0.contains("upper=NEW") })
        computed.withLock { titles in
            #expect(Set(titles).isDisjoint(with: ["t0", "t1", "t2", "t4", "t9"]), "\(titles)")
            #expect(Set(titles).isSuperset(of: ["changed", "new", "t12", "t22"]))
        }
    }

    /// The statements of a step cannot end its transaction.
    @Test func statementsOfSteps() throws {
        let pair = MigrationPair.splitNames
        let schema = try filled(pair)
        let planned = pair.definition(.new)
        let step = try #require(planned.migrations.first)
        let definition = ModelDefinition(
            name: "M",
            versionName: "M 2",
            model: pair.new,
            migrations: [
                ModelDefinition.Migration(
                    source: step.source,
                    sourceHash: step.sourceHash,
                    destination: step.destination,
                    destinationHash: step.destinationHash,
                    sql: step.sql,
                    postgresSQL: "DROP TABLE \"Team\" CASCADE; COMMIT; " + (step.postgresSQL ?? "")
                )
            ],
            versionNames: planned.versionNames
        )
        let before = try tables(in: schema)
        let error = #expect(throws: StoreError.self) {
            try PersistentContainer(
                model: definition,
                postgres: PostgresConfiguration(TestServer.string, schema: schema)
            )
        }
        #expect(error?.message.contains("remove COMMIT from its SQL") == true)
        #expect(try tables(in: schema) == before)
    }

    /// A store whose model has steps with stages can be copied to a file and back.
    @Test func copies() throws {
        let pair = MigrationPair.splitNames
        let schema = try filled(pair)
        let server = try container(pair, .new, schema)
        let definition = pair.definition(.new)
        let configuration = PostgresConfiguration(TestServer.string, schema: schema)
        let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).sqlite").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try StoreCopier(model: definition).copy(configuration, toStoreAt: path)
        let options = StoreOptions(migrationStages: pair.stages)
        let file = try PersistentContainer(model: definition, path: path, options: options)
        #expect(try contents(of: file, pair.new) == contents(of: server, pair.new))
        let other = newSchemaName()
        try StoreCopier(model: definition)
            .copy(storeAt: path, to: PostgresConfiguration(TestServer.string, schema: other))
        #expect(try contents(of: container(pair, .new, other), pair.new) == contents(of: server, pair.new))
    }

    /// A store is migrated to the version before a batched stage first; several programs can do this at the same time,
    /// and each of them can be killed.
    @Test func waypoints() async throws {
        @Sendable func open(_ version: Int, _ schema: String, _ database: TestDatabase? = nil) throws
            -> PersistentContainer
        {
            var options = ServerOptions()
            options.migrationStages = StagedChain.stages
            return try PersistentContainer(
                model: try StagedChain.definition(version),
                database: database ?? TestDatabase(TestServer.configuration()),
                schemaName: schema,
                options: options
            )
        }
        func filled() throws -> String {
            let schema = newSchemaName()
            let context = try open(0, schema).newContext()
            for number in 0..<10 { _ = context.insert("Item", ["count": "\(number)"]) }
            try context.save()
            return schema
        }
        func doubles(_ schema: String) throws -> [String?] {
            try TestServer.connection().rows("SELECT \"double\" FROM \"\(schema)\".\"Item\" ORDER BY 1").map { $0[0] }
        }
        let expected = (0..<10).map { "\($0 * 2)" as String? }
        let schema = try filled()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 { group.addTask { _ = try open(2, schema) } }
            try await group.waitForAll()
        }
        #expect(try doubles(schema) == expected)
        let killed = try filled()
        try migrateWithKills {
            try open(2, killed, $0)
        } afterKill: {
            let version = try version(of: killed)
            #expect(StagedChain.models.contains { $0.versionHash == version })
        }
        #expect(try doubles(killed) == expected)
    }
}
