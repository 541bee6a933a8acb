import Foundation
import Harness
import Workload

/// The number of saves that a recorded writer makes.
private let savesPerRecording = 25
/// The number of states that are checked for one recording.
private let statesPerRecording = 100

/// Records writers, cuts the power at moments of their recordings, and checks possible contents of the disk at these
/// moments; for writers that migrate a store, only moments from the first acknowledgement on.
func cutPower(_ settings: Settings, lane: Int, lanes: Int, _ workspace: Workspace, _ tally: Tally) throws {
    let recordings = (settings.count + statesPerRecording - 1) / statesPerRecording
    for index in stride(from: lane, to: recordings, by: lanes) {
        var random = RandomSource(seed: settings.seed, stream: UInt64(index))
        let seed = random.next() >> 32
        let plans =
            settings.trial.isMigration
            ? WriterPlans(Plan(seed: seed, merging: savesPerRecording))
            : settings.plans(seed: seed, saves: savesPerRecording)
        var recording = try record(plans, settings, workspace, lane)
        // Whether several saves are in one transaction depends on their times, for example on a busy machine.
        for _ in 0..<10 where settings.writers > 1 && recording.groups.largestGroup < 2 {
            recording = try record(plans, settings, workspace, lane)
        }
        tally.note(recording.groups)
        tally.note("recordings")
        let count = min(statesPerRecording, settings.count - index * statesPerRecording)
        var seen: Set<UInt64> = []
        // All moments at which everything is on the disk have the same state, so some rounds give few new states.
        for _ in 0..<20 where seen.count < count {
            try visit(recording, plans, settings.trial, count, &seen, &random, workspace, tally, lane)
        }
        guard seen.count == count else {
            throw HarnessError("plan \(plans.seed) has \(seen.count) different states only")
        }
    }
}

/// Runs a writer from beginning to end in an empty folder.
private func record(
    _ plans: WriterPlans,
    _ settings: Settings,
    _ workspace: Workspace,
    _ lane: Int
) throws -> Recording {
    let folder = try workspace.emptyFolder("recorded-\(lane)")
    let log = workspace.path + "/log-\(lane)"
    let merging = settings.trial.isMigration ? savesPerRecording : nil
    let writer = try settings.startWriter(folder: folder, plans, merging: merging, recordingTo: log)
    while writer.readLine() != nil {}
    let end = writer.wait()
    guard end == 0 else { throw HarnessError("the writer of plan \(plans.seed) ended with \(end)") }
    let recording = try Recording(contentsOf: log)
    // An incomplete recording would prove nothing: with everything kept, it must give the existing files.
    var disk = SimulatedDisk(bytes: recording.bytes)
    for operation in recording.operations { disk.perform(operation) }
    var random = RandomSource(seed: 0)
    let replayed = disk.crash(.everythingKept, &random)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { !$0.hasSuffix("-shm") }
    guard Set(names) == Set(replayed.keys) else { throw HarnessError("replayed \(replayed.keys), recorded \(names)") }
    for name in names
    where try Data(contentsOf: URL(fileURLWithPath: folder + "/" + name)) != Data(replayed[name] ?? []) {
        throw HarnessError("'\(name)' of plan \(plans.seed) is not what the recording gives")
    }
    return recording
}

/// Replays a recording once and cuts the power at random moments: half of them immediately after an acknowledgement,
/// and, if a store is migrated, all of them from the first acknowledgement on.
private func visit(
    _ recording: Recording,
    _ plans: WriterPlans,
    _ trial: Settings.Trial,
    _ count: Int,
    _ seen: inout Set<UInt64>,
    _ random: inout RandomSource,
    _ workspace: Workspace,
    _ tally: Tally,
    _ lane: Int
) throws {
    let operations = recording.operations
    let acknowledgements = operations.indices.filter { if case .acknowledge = operations[$0] { true } else { false } }
    guard let first = trial.isMigration ? acknowledgements.first : operations.startIndex else {
        throw HarnessError("plan \(plans.seed) has no acknowledgement")
    }
    let candidates = Array(operations.indices[first...])
    var moments: [Int: [Damage]] = [:]
    // A migration always gets two states, because random ones may all be from before its end: one with all changes, and
    // one with only the synced changes at the moment of the acknowledgement.
    if trial.isMigration, let last = acknowledgements.last {
        moments[last] = [.nothingKept]
        moments[operations.endIndex - 1, default: []].append(.everythingKept)
    }
    let certain = moments.values.reduce(0) { $0 + $1.count }
    for _ in min(certain, count)..<count {
        // A migration only has two acknowledgements, of which the second one is decisive.
        let isAcknowledgement = random.oneIn(trial.isMigration ? 8 : 2)
        let moment = (isAcknowledgement ? acknowledgements : candidates).randomElement(using: &random)
        if let moment {
            moments[moment, default: []].append(Damage.allCases.randomElement(using: &random) ?? .nothingKept)
        }
    }
    var disk = SimulatedDisk(bytes: recording.bytes)
    var promise = Promise(plans)
    for (index, operation) in operations.enumerated() {
        disk.perform(operation)
        if case .acknowledge(let done) = operation { promise.add(done) }
        for damage in moments[index, default: []] where seen.count < count {
            var files = disk.crash(damage, &random)
            guard seen.insert(hash(of: files, promise)).inserted else { continue }
            if random.oneIn(8) {
                // The shared memory next to the store has arbitrary contents after a power cut.
                files["albums.sqlite-shm"] = (0..<32_768).map { _ in UInt8.random(in: 0...255, using: &random) }
            }
            let folder = try workspace.emptyFolder("state-\(lane)")
            for (name, bytes) in files { try Data(bytes).write(to: URL(fileURLWithPath: folder + "/" + name)) }
            let finding =
                trial.isMigration
                ? checkMigratedStore(in: folder, promise, withStages: trial == .stages, tally)
                : checkStore(in: folder, promise, goesOn: random.oneIn(4))
            if finding != nil {
                // The check has recovered the store, so the files are written again.
                _ = try workspace.emptyFolder("state-\(lane)")
                for (name, bytes) in files { try Data(bytes).write(to: URL(fileURLWithPath: folder + "/" + name)) }
            }
            let place = "plan \(plans.seed), operation \(index) of \(operations.count), \(damage.rawValue)"
            try tally.add(finding, where: place, folder: folder)
        }
    }
}

private func hash(of files: [String: [UInt8]], _ promise: Promise) -> UInt64 {
    // The same files are another state to check if more saves were promised.
    var result = promise.store == nil ? 0 : UInt64(promise.acknowledged.reduce(1, +))
    for (name, bytes) in files.sorted(by: { $0.key < $1.key }) {
        let parts = [Array(name.utf8).withUnsafeBytes { hash($0) }, bytes.withUnsafeBytes { hash($0) }, result]
        result = parts.withUnsafeBytes { hash($0) }
    }
    return result
}
