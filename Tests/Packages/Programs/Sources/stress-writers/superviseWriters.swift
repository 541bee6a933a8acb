import Foundation

/// Runs the programs in a new folder, and exits with their result; the folder is kept if there is a finding.
func superviseWriters(seconds: Int, seed: UInt64) -> Never {
    let folder = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
        .appending(path: "chordata-stress-writers-\(getpid())")
    do {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        var supervisor = Supervisor(Files(folder: folder.path), seed: seed)
        print("stress-writers: \(seconds) s, seed \(seed)")
        fflush(nil)
        try supervisor.run(seconds: seconds)
        print(supervisor.summary)
        print("\(supervisor.commonKills) times both programs were killed, \(supervisor.checkCount) checks of the store")
        for finding in supervisor.findings { print("error: seed \(seed): \(finding)") }
        guard supervisor.findings.isEmpty else {
            print("the files are kept in \(folder.path)")
            exit(1)
        }
        let limit = LedgerCheck.longestWait / 1_000
        print("no save is lost, duplicated or incomplete; no save has waited longer than \(limit) ms")
        try FileManager.default.removeItem(at: folder)
        exit(0)
    } catch {
        print("error: seed \(seed): \(error)")
        exit(2)
    }
}
