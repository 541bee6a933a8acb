import Foundation
import Harness

/// Kills writers repeatedly, and checks a copy of the store that each has left; the next writer continues with the
/// original.
func killWriters(_ settings: Settings, lane: Int, count: Int, _ workspace: Workspace, _ tally: Tally) throws {
    var random = RandomSource(seed: settings.seed, stream: UInt64(lane))
    var kills = 0
    while kills < count {
        let plans = settings.plans(seed: random.next() >> 32, saves: 40)
        let folder = try workspace.emptyFolder("killed-\(lane)")
        var promise = Promise(plans)
        for _ in 0..<5 where kills < count {
            let writer = try settings.startWriter(folder: folder, plans)
            kill(writer, &promise, &random)
            let end = writer.wait()
            tally.note(promise.groups)
            let place = "plan \(plans.seed), after \(promise.description)"
            if end == -SIGKILL {
                kills += 1
                tally.note(promise.store == nil ? "before the first acknowledgement" : "between saves")
            } else if end != 0 {
                let finding = Finding(kind: .stuck, detail: "the writer ended with \(end)")
                try tally.add(finding, where: place, folder: folder)
                kills += 1
                break
            }
            let copy = workspace.path + "/copy-\(lane)"
            if FileManager.default.fileExists(atPath: copy) { try FileManager.default.removeItem(atPath: copy) }
            try FileManager.default.copyItem(atPath: folder, toPath: copy)
            let finding = checkStore(in: copy, promise, goesOn: random.oneIn(4))
            if end == -SIGKILL || finding != nil { try tally.add(finding, where: place, folder: folder) }
            if end == 0 || finding != nil { break }
        }
    }
}

/// Lets a writer work for a while, kills it, and reads what it acknowledged until then.
private func kill(_ writer: Child, _ promise: inout Promise, _ random: inout RandomSource) {
    promise.beginProgram()
    func read() -> Bool {
        guard let line = writer.readLine() else { return false }
        if let acknowledgement = Acknowledgement(line: line) { promise.add(acknowledgement) }
        return true
    }
    if random.oneIn(4) {
        // While the writer starts, creates or opens the store, and makes its first saves.
        usleep(UInt32.random(in: 0..<30_000, using: &random))
    } else if read() {
        let start = ContinuousClock.now
        let count = Int.random(in: 1...6, using: &random) * promise.plans.count
        for _ in 0..<count where !read() { break }
        // During the next two saves of each writer, estimated from the time of the previous ones.
        let (seconds, attoseconds) = (start.duration(to: .now) * promise.plans.count / count).components
        let microseconds = seconds * 1_000_000 + attoseconds / 1_000_000_000_000
        usleep(UInt32.random(in: 0...UInt32(clamping: 2 * microseconds), using: &random))
    }
    Foundation.kill(writer.processID, SIGKILL)
    while read() {}
}
