import Foundation
import Synchronization

/// The findings of all lanes of a run.
final class Tally: Sendable {
    private struct Counts {
        var checked = 0
        var findings: [Finding.Kind: Int] = [:]
        var told = 0
        var notes: [String: Int] = [:]
        var groups = Acknowledgement.Groups()
        var keptFolder: String?
    }

    private let counts = Mutex(Counts())
    /// The names under which states of stores that migrate are counted.
    static let old = "old"
    static let new = "new"
    /// The kinds of findings that are only counted, and do not make the run fail.
    private let tolerated: Set<Finding.Kind>

    init(tolerating tolerated: Set<Finding.Kind>) { self.tolerated = tolerated }

    /// A Boolean value that indicates whether there are no findings except tolerated ones.
    var isSound: Bool { counts.withLock { $0.findings.keys.allSatisfy(tolerated.contains) } }

    /// Records one check; `where` describes how to repeat it, and the folder of the first finding is kept.
    func add(_ finding: Finding?, where place: @autoclosure () -> String, folder: String) throws {
        try counts.withLock { counts in
            counts.checked += 1
            guard let finding else { return }
            counts.findings[finding.kind, default: 0] += 1
            guard !tolerated.contains(finding.kind) else { return }
            if counts.told < 5 { print("  \(place()): \(finding)") }
            counts.told += 1
            guard counts.keptFolder == nil else { return }
            let kept = FileManager.default.temporaryDirectory.appending(path: "chordata-durability-finding-\(getpid())")
            try FileManager.default.copyItem(atPath: folder, toPath: kept.path)
            counts.keptFolder = kept.path
        }
    }

    /// Counts an event that is worth reporting.
    func note(_ name: String) { counts.withLock { $0.notes[name, default: 0] += 1 } }

    /// Adds the transactions of a program.
    func note(_ groups: Acknowledgement.Groups) {
        counts.withLock { counts in
            counts.groups.saves += groups.saves
            counts.groups.savesInGroups += groups.savesInGroups
            counts.groups.groups += groups.groups
            counts.groups.largestGroup = max(counts.groups.largestGroup, groups.largestGroup)
        }
    }

    /// The number of saves in the largest transaction.
    var largestGroup: Int { counts.withLock { $0.groups.largestGroup } }

    /// Returns how often an event was counted.
    func count(of name: String) -> Int { counts.withLock { $0.notes[name] ?? 0 } }

    /// Returns a summary in one line.
    func summary(_ what: String, _ settings: Settings, seconds: Double) -> String {
        counts.withLock { counts in
            let findings = Finding.Kind.allCases.map { "\(counts.findings[$0] ?? 0) × \($0.rawValue)" }
            var notes = counts.notes.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
            if settings.writers > 1 {
                let groups = counts.groups
                notes.append("\(settings.writers) writers")
                notes.append("\(groups.saves) acknowledged saves")
                notes.append("\(groups.savesInGroups) in \(groups.groups) groups of up to \(groups.largestGroup)")
            }
            let rate = Int(Double(counts.checked) / max(seconds, 0.001))
            return """
                \(settings.trial.rawValue): \(counts.checked) \(what) (\(notes.joined(separator: ", "))), seed \(settings.seed), \
                \(Int(seconds.rounded())) s, \(rate) a second: \(findings.joined(separator: ", "))\
                \(counts.keptFolder.map { "; the first is kept as \($0)" } ?? "")
                """
        }
    }
}
