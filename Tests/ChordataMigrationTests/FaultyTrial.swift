import CFaultyDisk
@_spi(Generated) import Chordata
import ChordataMigration
import ChordataModel
import ChordataSQL
import ChordataTestSupport
import Foundation
import Testing

/// A store that is migrated repeatedly, with a different call failing each time.
struct FaultyTrial {
    enum Fault: CaseIterable {
        case once, forGood, noRoom, busy

        fileprivate var kind: faulty_disk_fault {
            switch self {
            case .once: FAULTY_DISK_ONCE
            case .forGood: FAULTY_DISK_DEAD
            case .noRoom: FAULTY_DISK_FULL
            case .busy: FAULTY_DISK_BUSY
            }
        }

        /// The possible codes of an error with this fault.
        fileprivate var codes: Set<StoreError.Code> {
            let disk: Set<StoreError.Code> = [.cannotOpen, .statementFailed, .migrationFailed, .outcomeUnknown]
            return switch self {
            case .once, .forGood: disk
            case .noRoom: [.full]
            case .busy: [.busy]
            }
        }
    }

    struct Outcomes {
        var old = 0
        var new = 0
        /// The number of migrations that reported a failure.
        var failures = 0

        static func += (left: inout Outcomes, right: Outcomes) {
            left.old += right.old
            left.new += right.new
            left.failures += right.failures
        }
    }

    /// The distance between the calls that fail.
    static let stride = setting("CHORDATA_FAULT_STRIDE", small: Int64(7))

    let name: String
    private let definition: ModelDefinition
    private let pristine: String
    private let path: String
    /// The contents of all tables before and after the migration.
    let old: [String]
    let new: [String]

    private let options: StoreOptions
    private let copyFolder: String

    init(
        _ change: PlanMigrationTests.Change,
        _ plan: MigrationPlan,
        stages: [MigrationStage] = [],
        folder: String
    ) throws {
        // The store is busy for a single call, and the migration must not wait for it.
        options = StoreOptions(busyTimeout: .zero, migrationStages: stages)
        let source = try ManagedObjectModel(entities: change.source)
        let destination = try ManagedObjectModel(entities: change.destination)
        name = change.name
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        (pristine, path, copyFolder) = (folder + "/pristine.sqlite", folder + "/store.sqlite", folder + "/copy")
        definition = oneStep(from: source, to: destination, renderMigration(plan), hasStage: !stages.isEmpty)
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

    /// Migrates repeatedly, with a later call failing each time, until the failing call is not reached.
    ///
    /// - Parameter andAgain: Whether a call also fails in the next attempt.
    @discardableResult
    func failEveryCall(_ fault: Fault, andAgain: Bool = false) throws -> Outcomes {
        var outcomes = Outcomes()
        var call = setting("CHORDATA_FAULT_FIRST", small: Int64.random(in: 1...Self.stride))
        print("\(name), \(fault): one call in \(Self.stride) fails, CHORDATA_FAULT_FIRST=\(call)")
        while true {
            try makeStore()
            let place = "\(name), \(fault), call \(call)"
            let count = try migrate(fault, call, place, &outcomes)
            if andAgain {
                // A different call each time, and all calls in the end.
                var others = Outcomes()
                _ = try migrate(fault, call * 7 % count + 1, place + ", and one more of the next run", &others)
            }
            #expect(throws: Never.self, "\(place): to try again does not finish") {
                try MigrationManager(model: definition, path: path, options: options).migrateStore()
            }
            expectEqual(try Self.contents(ofStoreAt: path), new, "\(place): to try again does not finish")
            if count < call { return outcomes }
            call += Self.stride
        }
    }

    /// Migrates while one call fails, and checks the reported error.
    /// - Returns: The number of calls.
    private func migrate(_ fault: Fault, _ call: Int64, _ place: String, _ outcomes: inout Outcomes) throws -> Int64 {
        faulty_disk_arm(call, fault.kind)
        var failure: StoreError?
        do throws(StoreError) {
            try MigrationManager(model: definition, path: path, options: options).migrateStore()
        } catch {
            failure = error
        }
        let count = faulty_disk_disarm()
        // Opening a store for writing repairs it, which would hide whether the next migration can repair it.
        let contents = try call.isMultiple(of: 2) ? Self.contents(ofStoreAt: path) : contentsOfCopy()
        if contents == old { outcomes.old += 1 } else { outcomes.new += 1 }
        #expect(contents == old || contents == new, "\(place): the store is neither old nor new")
        guard let failure else {
            expectEqual(contents, new, "\(place): nothing is said of a store that is as it was")
            return count
        }
        outcomes.failures += 1
        #expect(fault.codes.contains(failure.code), "\(place): \(failure.code), \(failure)")
        #expect(contents == old || !failure.message.contains("undone"), "\(place): the store is new, but \(failure)")
        return count
    }

    /// Returns the number of calls that a migration makes.
    func countCalls() throws -> Int64 {
        try makeStore()
        faulty_disk_arm(0, FAULTY_DISK_ONCE)
        defer { faulty_disk_disarm() }
        try MigrationManager(model: definition, path: path, options: options).migrateStore()
        return faulty_disk_disarm()
    }

    private func makeStore() throws {
        for ending in [""] + Self.endings where FileManager.default.fileExists(atPath: path + ending) {
            try FileManager.default.removeItem(atPath: path + ending)
        }
        try FileManager.default.copyItem(atPath: pristine, toPath: path)
    }

    private static let endings = ["-wal", "-shm", "-journal"]

    /// Returns the contents that a program finds when it opens the store, using a copy, so that the store is not
    /// changed.
    private func contentsOfCopy() throws -> [String] {
        try? FileManager.default.removeItem(atPath: copyFolder)  // It does not exist at first.
        try FileManager.default.createDirectory(atPath: copyFolder, withIntermediateDirectories: true)
        let name = URL(fileURLWithPath: path).lastPathComponent
        // SQLite rebuilds the index of the write-ahead log from the log, so it is not copied.
        for ending in ["", "-wal", "-journal"] where FileManager.default.fileExists(atPath: path + ending) {
            try FileManager.default.copyItem(atPath: path + ending, toPath: "\(copyFolder)/\(name)\(ending)")
        }
        return try Self.contents(ofStoreAt: "\(copyFolder)/\(name)")
    }

    private static func contents(ofStoreAt path: String) throws -> [String] {
        try contents(of: SQLiteConnection(path: path, mode: .readWriteCreate))
    }

    /// Returns the rows of all tables except those that contain times, and the result of the integrity check.
    private static func contents(of connection: SQLiteConnection) throws -> [String] {
        let tables = try connection.rows(
            "SELECT \"name\" FROM sqlite_schema WHERE \"type\" = 'table' AND \"name\" NOT IN ('_migration', '_metadata') "
                // The intermediate results of a long stage are not part of the store's contents.
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
