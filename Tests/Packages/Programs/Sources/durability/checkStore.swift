import CSQLite
import Foundation
import Workload

/// The acknowledged contents that must be in a store.
struct Promise {
    let plan: Plan
    /// The last acknowledgement; `nil` before there was one.
    let acknowledged: Recording.Acknowledgement?

    /// Whether the store is of the newer version: its writer acknowledged that as it does a save, behind all of the
    /// plan's.
    var isMigrated: Bool { (acknowledged?.saves ?? 0) > plan.count }
}

/// What is wrong with a store.
struct Finding: CustomStringConvertible {
    enum Kind: String, CaseIterable {
        case lost = "an acknowledged save is lost"
        case half = "a save is incomplete"
        case damaged = "the store is damaged"
        case stuck = "the store cannot be worked with"
    }

    let kind: Kind
    let detail: String
    var description: String { "\(kind.rawValue): \(detail)" }
}

/// Looks whether a store is of the newer version where it must be, and then at all else, for which it is migrated if it
/// is old.
func checkMigratedStore(in folder: String, _ promise: Promise, withStages: Bool, _ tally: Tally) -> Finding? {
    do {
        let isOld = try AlbumStore.isOld(in: folder)
        tally.note(isOld ? Tally.old : Tally.new)
        if isOld, promise.isMigrated { return Finding(kind: .lost, detail: "the migration") }
        if isOld, withStages { try AlbumStore.migrateWithStages(in: folder) }
    } catch {
        return Finding(kind: .stuck, detail: "\(error)")
    }
    return checkStore(in: folder, promise, goesOn: false)
}

/// Opens what a crash has left of a store, through the library first, because it is who recovers it; then asks SQLite,
/// and compares the content with the plan.
func checkStore(in folder: String, _ promise: Promise, goesOn: Bool) -> Finding? {
    let plan = promise.plan
    do {
        let store = try AlbumStore(folder: folder)
        let problems = try integrityProblems(of: folder + "/albums.sqlite")
        guard problems.isEmpty else {
            return Finding(kind: .damaged, detail: problems.prefix(3).joined(separator: "; "))
        }
        let acknowledged = min(promise.acknowledged?.saves ?? 0, plan.count)
        if let known = promise.acknowledged, known.store != "\(store.identifier)" {
            return Finding(kind: .lost, detail: "the store itself, which had \(acknowledged) saves")
        }
        let content = try store.digest()
        guard let saves = plan.saveCount(of: content.value) else {
            return Finding(kind: .half, detail: "\(content.objectCount) objects are what no number of saves gives")
        }
        guard saves >= acknowledged else {
            return Finding(kind: .lost, detail: "\(acknowledged) were acknowledged, and \(saves) are there")
        }
        guard saves <= acknowledged + (promise.acknowledged == nil ? 0 : 1) else {
            return Finding(kind: .half, detail: "\(saves) saves are there, and \(acknowledged) were acknowledged")
        }
        guard goesOn, saves < plan.count else { return nil }
        try store.perform(plan, saves + 1)
        guard plan.saveCount(of: try store.digest().value) == saves + 1 else {
            return Finding(kind: .stuck, detail: "save \(saves + 1) went wrong after \(saves)")
        }
        return nil
    } catch let error as SQLiteFailure {
        return Finding(kind: .damaged, detail: "\(error)")
    } catch {
        return Finding(kind: .stuck, detail: "\(error)")
    }
}

private struct SQLiteFailure: Error, CustomStringConvertible {
    let description: String
}

/// What `integrity_check` and `foreign_key_check` say, on a connection of our own.
private func integrityProblems(of path: String) throws -> [String] {
    var connection: OpaquePointer?
    defer { sqlite3_close_v2(connection) }
    guard sqlite3_open_v2(path, &connection, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, nil) == SQLITE_OK,
        let connection
    else { throw SQLiteFailure(description: "cannot be opened") }
    func texts(_ sql: String) throws -> [String] {
        var statement: OpaquePointer?
        defer { sqlite3_finalize(statement) }
        guard sqlite3_prepare_v2(connection, sql, -1, &statement, nil) == SQLITE_OK else {
            throw SQLiteFailure(description: String(cString: sqlite3_errmsg(connection)))
        }
        var texts: [String] = []
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW: texts.append(sqlite3_column_text(statement, 0).map { String(cString: $0) } ?? "NULL")
            case SQLITE_DONE: return texts
            default: throw SQLiteFailure(description: String(cString: sqlite3_errmsg(connection)))
            }
        }
    }
    return try texts("PRAGMA integrity_check").filter { $0 != "ok" }
        + texts("PRAGMA foreign_key_check").map { "a row of '\($0)' refers to none" }
}
