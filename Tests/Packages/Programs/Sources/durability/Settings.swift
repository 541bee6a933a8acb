import Foundation
import Harness
import Workload

/// The settings of a run.
struct Settings: Sendable {
    enum Trial: String, Sendable {
        case kill, power, migration, stages

        /// A Boolean value that indicates whether a store is migrated, with or without stages.
        var isMigration: Bool { self == .migration || self == .stages }
    }

    var trial: Trial
    /// The number of kills or of states.
    var count: Int
    var seed: UInt64
    /// The number of writers that save at the same time.
    var writers = 1
    /// Sabotage: saves are acknowledged before the commit of their group.
    var acknowledgesEarly = false
    /// Sabotage: each save is split in two.
    var savesInHalves = false
    /// Sabotage: SQLite never waits for the disk.
    var isSyncOff = false
    /// Stores are opened with `synchronous: .normal`, which may lose saves when the power is cut, but only complete
    /// saves.
    var mayLose = false
    /// The folder of the package's programs.
    var programs: String

    static let usage = """
        usage: durability kill|power|migration|stages COUNT [--seed SEED] [--halves] [--sync-off] [--normal]
               durability kill|power COUNT --writers WRITERS [--seed SEED] [--early] [--sync-off] [--normal]
        """

    init?(_ arguments: [String]) {
        guard arguments.count >= 3, let trial = Trial(rawValue: arguments[1]), let count = Int(arguments[2]), count > 0
        else { return nil }
        self.trial = trial
        self.count = count
        seed = UInt64.random(in: 1...999_999_999)
        programs = URL(fileURLWithPath: arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent().path
        var rest = arguments.dropFirst(3)
        while let option = rest.popFirst() {
            switch option {
            case "--halves": savesInHalves = true
            case "--sync-off": isSyncOff = true
            case "--normal": mayLose = true
            case "--early": acknowledgesEarly = true
            case "--writers":
                guard let writers = rest.popFirst().flatMap({ Int($0) }), 1...100 ~= writers, !trial.isMigration else {
                    return nil
                }
                self.writers = writers
            case "--seed":
                guard let seed = rest.popFirst().flatMap({ UInt64($0) }) else { return nil }
                self.seed = seed
            default: return nil
            }
        }
    }

    /// Plans a number of saves, which the writers share.
    func plans(seed: UInt64, saves: Int) -> WriterPlans {
        WriterPlans(seed: seed, writers: writers, count: writers > 1 ? max(4, saves * 2 / writers) : saves)
    }

    /// Starts a program that performs the saves of plans.
    ///
    /// A program that migrates a store makes a number of saves as one.
    func startWriter(
        folder: String,
        _ plans: WriterPlans,
        merging saves: Int? = nil,
        recordingTo log: String? = nil
    ) throws -> Child {
        var arguments = [folder, "\(plans.seed)", "\(saves ?? plans[0].count)"]
        if writers > 1 { arguments += ["--writers", "\(writers)"] }
        if acknowledgesEarly { arguments.append("--early") }
        if savesInHalves { arguments.append("--halves") }
        if mayLose { arguments.append("--normal") }
        if trial.isMigration { arguments.append("--migrates") }
        if trial == .stages { arguments.append("--stages") }
        var libraries: [String] = []
        var environment: [String: String] = [:]
        if isSyncOff { libraries.append(programs + "/libSyncOff.so") }
        if let log {
            libraries.append(programs + "/libRecorder.so")
            environment["DURABILITY_FOLDER"] = folder
            environment["DURABILITY_LOG"] = log
        }
        if !libraries.isEmpty { environment["LD_PRELOAD"] = libraries.joined(separator: ":") }
        return try Child(programs + "/durable-writer", arguments, environment: environment)
    }
}

/// The folders of a run, in memory if the system supports it, because nothing here waits for a real disk.
struct Workspace: Sendable {
    let path: String

    init() throws {
        let memory = "/dev/shm"
        let isThere = FileManager.default.isWritableFile(atPath: memory)
        let parent = isThere ? URL(fileURLWithPath: memory) : FileManager.default.temporaryDirectory
        path = parent.resolvingSymlinksInPath().appending(path: "chordata-durability-\(getpid())").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    /// Returns an empty folder with a name.
    func emptyFolder(_ name: String) throws -> String {
        let folder = path + "/" + name
        if FileManager.default.fileExists(atPath: folder) { try FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        return folder
    }

    func remove() throws { try FileManager.default.removeItem(atPath: path) }
}
