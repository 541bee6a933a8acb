import Foundation
import Synchronization

// Exit codes: 0 no findings, 1 findings, 2 the run itself failed and its result means nothing, 64 usage.

guard let settings = Settings(CommandLine.arguments) else {
    print(Settings.usage)
    exit(64)
}
let workspace = try Workspace()
let tally = Tally(tolerating: settings.mayLose && settings.trial == .power ? [.lost] : [])
let failure = Mutex<String?>(nil)
let lanes = max(1, ProcessInfo.processInfo.activeProcessorCount)
let start = ContinuousClock.now

DispatchQueue.concurrentPerform(iterations: lanes) { lane in
    do {
        switch settings.trial {
        case .kill:
            let share = settings.count / lanes + (lane < settings.count % lanes ? 1 : 0)
            try killWriters(settings, lane: lane, count: share, workspace, tally)
        case .power, .migration, .stages: try cutPower(settings, lane: lane, lanes: lanes, workspace, tally)
        }
    } catch {
        failure.withLock { $0 = "\(error)" }
    }
}

let (seconds, attoseconds) = start.duration(to: .now).components
let elapsed = Double(seconds) + Double(attoseconds) / 1e18
let what = settings.trial == .kill ? "kills" : "states"
try workspace.remove()
if let cause = failure.withLock({ $0 }) {
    print("error: seed \(settings.seed): \(cause)")
    exit(2)
}
let sides = [Tally.old, Tally.new].map { tally.count(of: $0) }
if settings.trial.isMigration, settings.count >= 100, sides.contains(0) {
    print("error: seed \(settings.seed): all states are from one side of the migration, which says nothing of it")
    exit(2)
}
if settings.writers > 1, tally.largestGroup < 2 {
    print("error: seed \(settings.seed): no transaction had several saves, which says nothing of groups")
    exit(2)
}
print(tally.summary(what, settings, seconds: elapsed))
exit(tally.isSound ? 0 : 1)
