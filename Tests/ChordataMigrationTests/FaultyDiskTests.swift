import CFaultyDisk
@_spi(Generated) import Chordata
import ChordataMigration
import ChordataModel
import ChordataSQL
import Foundation
import Testing

/// A disk that fails at one call while a store is migrated: the store is old or new, and to try again finishes.
///
/// Each call of each step kind fails once; with `CHORDATA_FAULTS=all` each of all changes of ``PlanMigrationTests``.
@Suite(.serialized)
struct FaultyDiskTests {
    private enum Fault: CaseIterable {
        case once, forGood, noRoom
    }

    /// The fewest changes that have all kinds of steps between them.
    private static func changes() throws -> [(change: PlanMigrationTests.Change, plan: MigrationPlan)] {
        var all = try (PlanMigrationTests.changes + PlanMigrationTests.externalChanges).compactMap { change in
            try isSeenByStores(change) ? (change: change, plan: try plan(change)) : nil
        }
        if ProcessInfo.processInfo.environment["CHORDATA_FAULTS"] == "all" { return all }
        var missing = Set(all.flatMap { $0.plan.steps.map(\.kind) })
        var chosen: [(change: PlanMigrationTests.Change, plan: MigrationPlan)] = []
        while !missing.isEmpty {
            let index = all.indices.max { left, right in
                missing.intersection(all[left].plan.steps.map(\.kind)).count
                    < missing.intersection(all[right].plan.steps.map(\.kind)).count
            }
            let next = all.remove(at: try #require(index))
            missing.subtract(next.plan.steps.map(\.kind))
            chosen.append(next)
        }
        return chosen
    }

    /// Names that change places leave the hash as it is, so no store is migrated (`CD0413`).
    private static func isSeenByStores(_ change: PlanMigrationTests.Change) throws -> Bool {
        try ManagedObjectModel(entities: change.source).versionHash
            != ManagedObjectModel(entities: change.destination).versionHash
    }

    private static func plan(_ change: PlanMigrationTests.Change, isStage: Bool = false) throws -> MigrationPlan {
        let planned = planMigration(
            from: try ManagedObjectModel(entities: change.source),
            to: try ManagedObjectModel(entities: change.destination),
            sourceName: "1",
            destinationName: "2",
            isStage: isStage,
            locate: { _, _ in nil }
        )
        return try #require(planned.plan)
    }

    @Test func aStoreIsOldOrNew() throws {
        try #require(faulty_disk_install() == 0)
        // What is in the path is what fails.
        let folder = FileManager.default.temporaryDirectory.appending(path: "faulty-disk-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }  // What is left of it is the system's to clear.
        for (index, (change, plan)) in try Self.changes().enumerated() {
            let trial = try Trial(change, plan, folder: "\(folder)/\(index)")
            for fault in Fault.allCases {
                let outcomes = try trial.failEveryCall(isDead: fault == .forGood, isFull: fault == .noRoom)
                // Behind the commit the store is new, whatever fails then.
                #expect(outcomes.old > 0 && outcomes.new > 0, "\(change.name), \(fault): \(outcomes)")
                #expect(outcomes.failures > 0, "\(change.name), \(fault): \(outcomes)")
            }
        }
    }

    /// The same where the program has a part in it, in batches and in one piece.
    @Test func aStoreWithStagesIsOldOrNew() throws {
        try #require(faulty_disk_install() == 0)
        let folder = FileManager.default.temporaryDirectory.appending(path: "faulty-disk-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }  // What is left of it is the system's to clear.
        func person(_ attributes: [AttributeDescription]) -> [EntityDescription] {
            [EntityDescription(name: "Person", attributes: attributes)]
        }
        func text(_ name: String, isOptional: Bool) -> AttributeDescription {
            AttributeDescription(name: name, attributeType: .string, isOptional: isOptional)
        }
        let change = PlanMigrationTests.Change(
            name: "a name becomes two",
            source: person([text("name", isOptional: true)]),
            destination: person([text("first", isOptional: false), text("last", isOptional: false)]),
            setUp: "INSERT INTO Person (_id, _version, name) VALUES (1, 1, 'A B'), (2, 1, 'C D'), (3, 1, 'E F')",
            query: "",
            rows: []
        )
        let stages: [MigrationStage] = [
            .batched(from: "1", to: "2", entityName: "Person", attributeNames: ["first"], batchSize: 2) { person in
                ["first": (person.value(forKey: "name") as? String)?.prefix(1).description]
            },
            .custom(
                from: "1",
                to: "2",
                didMigrate: { migration in
                    for person in try migration.objects.fetch(FetchRequest<ManagedObject>(entityName: "Person")) {
                        let name = try migration.previousValue(forKey: "name", of: person) as? String
                        person.setValue(name?.suffix(1).description, forKey: "last")
                    }
                }
            ),
        ]
        let trial = try Trial(change, try Self.plan(change, isStage: true), stages: stages, folder: folder + "/stages")
        #expect(trial.new.contains { $0.contains("\"E\"") && $0.contains("\"F\"") }, "\(trial.new)")
        for fault in Fault.allCases {
            let outcomes = try trial.failEveryCall(isDead: fault == .forGood, isFull: fault == .noRoom)
            #expect(outcomes.old > 0 && outcomes.new > 0 && outcomes.failures > 0, "\(fault): \(outcomes)")
        }
    }
}

/// A store that is migrated again and again.
private struct Trial {
    struct Outcomes {
        var old = 0
        var new = 0
        /// How many migrations have said that they failed.
        var failures = 0
    }

    let name: String
    let definition: ModelDefinition
    let pristine: String
    let path: String
    /// What all tables have before and after.
    let old: [String]
    let new: [String]

    let options: StoreOptions

    init(
        _ change: PlanMigrationTests.Change,
        _ plan: MigrationPlan,
        stages: [MigrationStage] = [],
        folder: String
    ) throws {
        options = StoreOptions(migrationStages: stages)
        let source = try ManagedObjectModel(entities: change.source)
        let destination = try ManagedObjectModel(entities: change.destination)
        name = change.name
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        (pristine, path) = (folder + "/pristine.sqlite", folder + "/store.sqlite")
        definition = ModelDefinition(
            name: "M",
            versionName: "2",
            model: destination,
            migrations: [
                ModelDefinition.Migration(
                    source: "1",
                    sourceHash: source.versionHash,
                    destination: "2",
                    destinationHash: destination.versionHash,
                    sql: renderMigration(plan),
                    stage: stages.isEmpty
                        ? nil
                        : .init(
                            serializedSource: source.serialized(),
                            serializedDestination: destination.serialized()
                        )
                )
            ],
            versionNames: [source.versionHash: "1"]
        )
        _ = try PersistentContainer(
            model: ModelDefinition(name: "M", versionName: "1", model: source),
            path: pristine
        )
        let connection = try SQLiteConnection(path: pristine, mode: .readWriteCreate)
        try connection.execute(change.setUp)
        try connection.execute("PRAGMA journal_mode=DELETE")
        old = try Self.contents(of: connection)
        try FileManager.default.copyItem(atPath: pristine, toPath: path)
        try MigrationManager(model: definition, path: path, options: options).migrateStore()
        new = try Self.contents(ofStoreAt: path)
    }

    /// Migrates with each call failing in turn, until there are no more.
    func failEveryCall(isDead: Bool, isFull: Bool) throws -> Outcomes {
        var outcomes = Outcomes()
        var call: Int64 = 1
        while true {
            try makeStore()
            faulty_disk_arm(call, isDead ? 1 : 0, isFull ? 1 : 0)
            do {
                try MigrationManager(model: definition, path: path, options: options).migrateStore()
            } catch {
                outcomes.failures += 1
            }
            let count = faulty_disk_disarm()
            let place = "\(name): call \(call) of \(count) failed"
            let contents = try Self.contents(ofStoreAt: path)
            if contents == old { outcomes.old += 1 } else { outcomes.new += 1 }
            #expect(contents == old || contents == new, "\(place), and the store is neither old nor new")
            try MigrationManager(model: definition, path: path, options: options).migrateStore()
            #expect(try Self.contents(ofStoreAt: path) == new, "\(place), and to try again does not finish")
            if count < call { return outcomes }
            call += 1
        }
    }

    private func makeStore() throws {
        for ending in ["", "-wal", "-shm", "-journal"] where FileManager.default.fileExists(atPath: path + ending) {
            try FileManager.default.removeItem(atPath: path + ending)
        }
        try FileManager.default.copyItem(atPath: pristine, toPath: path)
    }

    private static func contents(ofStoreAt path: String) throws -> [String] {
        try contents(of: SQLiteConnection(path: path, mode: .readWriteCreate))
    }

    /// The rows of all tables but those that know when it was, and whether the file is sound.
    private static func contents(of connection: SQLiteConnection) throws -> [String] {
        let tables = try connection.rows(
            "SELECT \"name\" FROM sqlite_schema WHERE \"type\" = 'table' AND \"name\" NOT IN ('_migration', '_metadata') "
                // What a long stage has computed so far is nothing of the store's.
                + "AND \"name\" NOT LIKE '\\_stage\\_%' ESCAPE '\\' ORDER BY 1"
        )
        var lines = try connection.rows("PRAGMA integrity_check").map { "\($0)" }
        lines += try connection.rows("SELECT \"value\" FROM \"_metadata\" WHERE \"key\" = 'versionName'").map {
            "\($0)"
        }
        for case .text(let table)? in tables.map(\.first) {
            lines.append(table)
            lines += try connection.rows("SELECT * FROM \(quoteIdentifier(table)) ORDER BY 1, 2").map { "\($0)" }
        }
        return lines
    }
}
