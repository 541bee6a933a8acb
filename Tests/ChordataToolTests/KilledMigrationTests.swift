import Chordata
import ChordataFiles
import ChordataGeneration
import ChordataMigration
import ChordataModel
import ChordataModelFile
import ChordataSQL
import ChordataVerification
import Foundation
import Testing

/// `kill -9` at a random moment of a migration: the store is old or new, whole, and to migrate again finishes.
///
/// `CHORDATA_MIGRATION_KILLS` says how many kills, `CHORDATA_MIGRATION_SEED` with which seed.
struct KilledMigrationTests {
    /// Three versions, between which there are steps of all kinds.
    private static let versions = [
        modelFile(
            entity(
                "Person",
                attribute("name"),
                attribute("age", "Integer 64"),
                attribute("note"),
                external("photo"),
                toOne("team", "Team", inverse: "members")
            ),
            entity("Team", attribute("title"), toMany("members", "Person", inverse: "team"))
        ),
        modelFile(
            entity(
                "Person",
                attribute("fullName", was: "name"),
                attribute("age", "Double"),
                attribute("kind", defaultValue: "guest"),
                external("photo"),
                toOne("team", "Team", inverse: "members")
            ),
            entity("Team", attribute("title"), toMany("members", "Person", inverse: "team", isOrdered: true))
        ),
        modelFile(
            entity("Being", attribute("fullName")),
            entity(
                "Person",
                parent: "Being",
                attribute("age", "Decimal", was: "none"),
                attribute("kind", defaultValue: "guest"),
                toMany("teams", "Team", inverse: "members", was: "team")
            ),
            entity("Team", attribute("title"), toMany("members", "Person", inverse: "teams", isOrdered: true))
        ),
    ]

    private static func external(_ name: String) -> String {
        #"<attribute name="\#(name)" optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES"/>"#
    }

    private static func toOne(_ name: String, _ destination: String, inverse: String) -> String {
        #"<relationship name="\#(name)" optional="YES" maxCount="1" deletionRule="Nullify" "#
            + #"destinationEntity="\#(destination)" inverseName="\#(inverse)" inverseEntity="\#(destination)"/>"#
    }

    private static func toMany(
        _ name: String,
        _ destination: String,
        inverse: String,
        isOrdered: Bool = false,
        was: String? = nil
    ) -> String {
        #"<relationship name="\#(name)" optional="YES" toMany="YES" deletionRule="Nullify" "#
            + (isOrdered ? #"ordered="YES" "# : "") + (was.map { #"elementID="\#($0)" "# } ?? "")
            + #"destinationEntity="\#(destination)" inverseName="\#(inverse)" inverseEntity="\#(destination)"/>"#
    }

    private static func number(_ key: String, _ standard: UInt64) -> UInt64 {
        ProcessInfo.processInfo.environment[key].flatMap { UInt64($0) } ?? standard
    }

    @Test func aStoreIsOldOrNew() async throws {
        let count = Int(Self.number("CHORDATA_MIGRATION_KILLS", 200))
        var random = RandomDelays(seed: Self.number("CHORDATA_MIGRATION_SEED", .random(in: 0..<1_000_000)))
        print("\(count) kills, seed \(random.seed)")
        try await withWorkspace { workspace in
            for (index, text) in Self.versions.enumerated() {
                let name = index == 0 ? "M" : "M \(index + 1)"
                try workspace.write(text, to: "M.xcdatamodeld/\(name).xcdatamodel/contents")
            }
            try workspace.write(currentVersionFile("M 3"), to: "M.xcdatamodeld/.xccurrentversion")
            let trial = try KillTrial(workspace)
            // How long it takes is found out on the way, because nothing here takes the same time twice.
            var longest = try await trial.run(killedAfter: nil).elapsed
            var (old, new) = (0, 0)
            while old + new < count {
                let run = try await trial.run(killedAfter: random.next(below: longest))
                guard run.wasKilled else {
                    longest = (longest * 3 + run.elapsed) / 4
                    continue
                }
                switch try trial.versionOfStore() {
                case "M":
                    old += 1
                    try trial.expect(trial.old, "M", "after kill \(old + new)")
                    try await trial.finish()
                case "M 3": new += 1
                case let version:
                    Issue.record("a store of version '\(version)', which is neither the old nor the new one")
                }
                try trial.expect(trial.new, "M 3", "after kill \(old + new), and another run")
            }
            print("\(old) before the migration was done, \(new) after")
            #expect(old > count / 10)
        }
    }
}

/// A store that is migrated by the command, again and again.
private struct KillTrial {
    let workspace: Workspace
    let old: StoreContents
    let new: StoreContents
    private let bundle: ModelBundle

    init(_ workspace: Workspace) throws {
        self.workspace = workspace
        let loaded = loadModel(at: workspace.path("M.xcdatamodeld"), configuration: GeneratorConfiguration())
        bundle = try #require(loaded.bundle, "\(loaded.diagnostics)")
        old = generateContents(of: bundle.versions[0].model, objectsPerEntity: 400)
        let steps = bundle.migrations(from: 0, to: 2, MigrationFiles())
        #expect(steps.allSatisfy { $0.plan != nil })
        new = steps.reduce(old) { contents, step in
            contents.migrated(by: ModelMatch(source: step.source.model, destination: step.destination.model))
        }
        let path = workspace.path("pristine.sqlite")
        _ = try PersistentContainer(
            model: ModelDefinition(name: "M", versionName: "M", model: bundle.versions[0].model),
            path: path
        )
        let connection = try SQLiteConnection(path: path, mode: .readWriteCreate)
        try old.write(to: connection, makeSchemaMapping(of: bundle.versions[0].model))
    }

    private static let arguments = ["migrate", "run", "m.sqlite", "--model", "M.xcdatamodeld"]

    /// Migrates the store of the old version, and may be killed meanwhile.
    func run(killedAfter delay: Duration?) async throws -> (wasKilled: Bool, elapsed: Duration) {
        for ending in ["", "-wal", "-shm"] where workspace.exists("m.sqlite" + ending) {
            try FileManager.default.removeItem(atPath: workspace.path("m.sqlite" + ending))
        }
        try FileManager.default.copyItem(
            atPath: workspace.path("pristine.sqlite"),
            toPath: workspace.path("m.sqlite")
        )
        let process = Process()
        process.executableURL = try Program.chordata.find()
        process.arguments = Self.arguments
        process.currentDirectoryURL = workspace.folder
        process.standardOutput = FileHandle.nullDevice
        let start = ContinuousClock.now
        let killer = AsyncStream.makeStream(of: Void.self)
        process.terminationHandler = { _ in killer.continuation.finish() }
        try process.run()
        let identifier = process.processIdentifier
        let timer = Task {
            guard let delay else { return }
            try await Task.sleep(for: delay)
            kill(identifier, SIGKILL)
        }
        for await _ in killer.stream {}
        timer.cancel()
        let elapsed = ContinuousClock.now - start
        let wasKilled = process.terminationReason == .uncaughtSignal
        if !wasKilled { #expect(process.terminationStatus == 0) }
        return (wasKilled, elapsed)
    }

    /// Migrates what a killed run has left.
    func finish() async throws {
        let result = try await Program.chordata.run(Self.arguments, in: workspace.folder)
        #expect(result.exitCode == 0, "\(result.errors)")
    }

    func versionOfStore() throws -> String {
        try PersistentStoreCoordinator.metadata(forStoreAt: workspace.path("m.sqlite")).versionName
    }

    func expect(_ contents: StoreContents, _ versionName: String, _ when: String) throws {
        let version = try #require(bundle.versions.first { $0.name == versionName })
        let connection = try SQLiteConnection(path: workspace.path("m.sqlite"), mode: .readWriteCreate)
        let mapping = makeSchemaMapping(of: version.model)
        let read = try StoreContents.read(from: connection, mapping)
        #expect(read.strays + read.contents.differences(from: contents) == [], "\(when)")
        #expect(try connection.rows("PRAGMA integrity_check") == [[.text("ok")]], "\(when)")
        #expect(try connection.rows("PRAGMA foreign_key_check").isEmpty, "\(when)")
        #expect(
            try PhysicalSchema(of: PhysicalSchema(mapping).tables, in: connection).differences(
                from: PhysicalSchema(mapping)
            ) == []
        )
    }
}

/// Random times, the same for the same seed.
private struct RandomDelays {
    let seed: UInt64
    private var state: UInt64

    init(seed: UInt64) { (self.seed, state) = (seed, seed &* 0x9E37_79B9_7F4A_7C15 &+ 1) }

    mutating func next(below longest: Duration) -> Duration {
        // Marsaglia's xorshift, https://www.jstatsoft.org/article/view/v008i14.
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return longest * (Double(state >> 11) / 9_007_199_254_740_992)
    }
}
