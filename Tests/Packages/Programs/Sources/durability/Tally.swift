import Foundation
import Synchronization

/// What all lanes of a run have found.
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
    /// What states of stores that migrate are counted as.
    static let old = "old"
    static let new = "new"
    /// What is counted, and no more: the run is as promised with it.
    private let tolerated: Set<Finding.Kind>

    init(tolerating tolerated: Set<Finding.Kind>) { self.tolerated = tolerated }

    /// Whether all is as promised.
    var isSound: Bool { counts.withLock { $0.findings.keys.allSatisfy(tolerated.contains) } }

    /// Notes one check; `where` says how to come back to it, and the folder of the first finding is kept.
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

    /// Counts something that is worth knowing.
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

    /// How often something was counted.
    func count(of name: String) -> Int { counts.withLock { $0.notes[name] ?? 0 } }

    /// One line for all.
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
