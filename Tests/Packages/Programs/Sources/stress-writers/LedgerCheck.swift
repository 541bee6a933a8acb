import Foundation
import Harness

/// The comparison of a store with the records of the clients.
///
/// Programs may write to the store at the same time: the records are read before and after the snapshot of the store.
/// Saves that were acknowledged before must be stored, and stored saves must have begun.
struct LedgerCheck {
    /// The longest wait of a save that is tolerated, in microseconds.
    ///
    /// A save waits for at most 19 saves of the other clients, and for a checkpoint of the log, which take milliseconds
    /// each. 5 seconds is the default of `StoreOptions.busyTimeout`: longer waits for another process are errors.
    static let longestWait = 5_000_000

    private(set) var findings: [String] = []
    private(set) var counts = Counts()
    private var stored: [Int: [Int: Int]] = [:]
    private var lastSaves: [Int: Int] = [:]
    private var counter = 0
    /// The number of stored saves that have incremented the counter.
    private var increments = 0

    /// Checks the store of a run.
    init(_ files: Files) throws {
        let clients = Role.allCases.flatMap(\.clients)
        let before = try clients.map { try History(files.record(of: $0)) }
        let now = microseconds()
        do {
            try readStore(files)
        } catch {
            findings.append("the store is damaged: \(error)")
            return
        }
        let after = try clients.map { try History(files.record(of: $0)) }
        for (index, client) in clients.enumerated() {
            findings += after[index].faults.map { "client \(client): \($0)" }
            check(client, before[index], after[index])
        }
        if counter != increments {
            findings.append("the counter is \(counter), and \(increments) stored saves have incremented it")
        }
        for role in Role.allCases {
            let kills = try String(contentsOfFile: files.kills(of: role), encoding: .utf8).split(separator: "\n")
            let times = kills.compactMap { Int($0) }
            counts.kills += times.count
            for client in role.clients {
                guard let index = clients.firstIndex(of: client) else { continue }
                checkWaits(client, before[index], kills: times, now)
            }
        }
        counts.counter = counter
    }

    /// Reads one snapshot of the store, with SQLite alone.
    private mutating func readStore(_ files: Files) throws(SQLiteFailure) {
        let file = try StoreFile(files.store)
        _ = try file.texts("BEGIN")
        var faults: [String] = []
        var stored: [Int: [Int: Int]] = [:]
        try file.forEachRow(of: "SELECT \"client\", \"number\", \"part\", \"text\" FROM \"Entry\"") { row in
            let (client, number, part) = (row.integer(at: 0), row.integer(at: 1), row.integer(at: 2))
            let planned = PlannedEntries(client: client, number: number)
            if part >= planned.count || row.text(at: 3) != planned.text(part) {
                faults.append("client \(client), save \(number): part \(part) is '\(row.text(at: 3))'")
            }
            let parts = stored[client]?[number] ?? 0
            if parts & 1 << part != 0 { faults.append("client \(client), save \(number): part \(part) is duplicated") }
            stored[client, default: [:]][number] = parts | 1 << part
        }
        self.stored = stored
        var lastSaves: [Int: Int] = [:]
        try file.forEachRow(of: "SELECT \"client\", \"last\" FROM \"Account\"") { row in
            lastSaves[row.integer(at: 0)] = row.integer(at: 1)
        }
        self.lastSaves = lastSaves
        counter = Int(try file.texts("SELECT \"value\" FROM \"Counter\"").joined()) ?? -1
        findings += faults
        findings += try file.integrityProblems().map { "the store is damaged: \($0)" }
        _ = try file.texts("COMMIT")
    }

    private mutating func check(_ client: Int, _ before: History, _ after: History) {
        let parts = stored[client] ?? [:]
        for number in parts.keys where !(1...max(after.saves.count, 1) ~= number) || after.saves.isEmpty {
            findings.append("client \(client), save \(number): it is stored and was not begun")
        }
        var last = 0
        for (index, save) in after.saves.enumerated() {
            let number = index + 1
            let found = parts[number] ?? 0
            let isAcknowledged = index < before.saves.count && before.saves[index].outcome.isStored
            let place = "client \(client), save \(number)"
            if found == 0 {
                if isAcknowledged { findings.append("\(place): it was acknowledged and is lost") }
            } else {
                last = number
                if save.kind.increments { increments += 1 }
                let count = PlannedEntries(client: client, number: number).count
                if found != 1 << count - 1 { findings.append("\(place): it is incomplete") }
                if save.outcome.isAbsent { findings.append("\(place): it is stored, and was \(save.outcome)") }
                if save.outcome == .open || save.outcome == .foundStored { counts.storedWithoutAcknowledgement += 1 }
            }
            counts.add(save)
        }
        let storedLast = lastSaves[client] ?? -1
        if storedLast != last {
            findings.append("client \(client): its last save is \(last), and the account has \(storedLast)")
        }
        counts.readCount += after.readCount
        counts.add(savesOf: client, after.saves.count { $0.outcome == .acknowledged })
    }

    /// Looks for saves that have waited too long: acknowledged ones, and those that were in progress at a kill or now.
    private mutating func checkWaits(_ client: Int, _ history: History, kills: [Int], _ now: Int) {
        for (index, save) in history.saves.enumerated() {
            let wait: Int
            switch save.outcome {
            case .acknowledged:
                wait = save.wait
                counts.longestWait = max(counts.longestWait, wait)
            case .open, .foundStored, .foundAbsent:
                wait = (kills.first { $0 >= save.start } ?? now) - save.start
                counts.longestUnfinishedWait = max(counts.longestUnfinishedWait, wait)
            case .busy: wait = Self.longestWait + 1
            case .cancelled, .conflict: continue
            }
            if wait > Self.longestWait {
                findings.append(
                    "client \(client), save \(index + 1) of kind \(save.kind): \(save.outcome) after \(wait / 1_000) ms"
                )
            }
        }
    }
}
