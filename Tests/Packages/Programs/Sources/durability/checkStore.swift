import Foundation
import Harness
import Workload

/// A problem with a store.
struct Finding: CustomStringConvertible {
    enum Kind: String, CaseIterable {
        case lost = "an acknowledged save is lost"
        case half = "a save is incomplete"
        case duplicated = "a save is duplicated"
        case disordered = "a save is lost and a later one is not"
        case damaged = "the store is damaged"
        case stuck = "the store cannot be worked with"
    }

    let kind: Kind
    let detail: String
    var description: String { "\(kind.rawValue): \(detail)" }
}

/// Checks that a store has the newer version if this is required, and then everything else, for which an old store is
/// migrated.
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

/// Opens the store that a crash has left, first with the library, because the library recovers it; then checks it with
/// SQLite, and compares the contents with the plans.
func checkStore(in folder: String, _ promise: Promise, goesOn: Bool) -> Finding? {
    do {
        let store = try AlbumStore(folder: folder)
        let problems = try StoreFile(folder + "/albums.sqlite").integrityProblems()
        guard problems.isEmpty else {
            return Finding(kind: .damaged, detail: problems.prefix(3).joined(separator: "; "))
        }
        if let known = promise.store, known != "\(store.identifier)" {
            return Finding(kind: .lost, detail: "the store itself, which had \(promise.description)")
        }
        var counts: [Int] = []
        if let finding = check(try store.contents(), promise, &counts) { return finding }
        return goesOn ? try goOn(store, promise.plans, after: counts) : nil
    } catch let error as SQLiteFailure {
        return Finding(kind: .damaged, detail: "\(error)")
    } catch {
        return Finding(kind: .stuck, detail: "\(error)")
    }
}

/// Compares the contents of a store with the plans.
/// - Parameter counts: The number of stored saves of each writer, afterwards.
private func check(_ contents: StoreContents, _ promise: Promise, _ counts: inout [Int]) -> Finding? {
    let plans = promise.plans
    // Incomplete saves first: if saves may be lost, only complete saves may be lost.
    for (writer, plan) in plans.enumerated() {
        guard let saves = plan.saveCount(of: contents.digest(of: writer)) else {
            if let number = contents.duplicate {
                return Finding(kind: .duplicated, detail: "the number \(number) is stored more than once")
            }
            let objects = contents.objectCount(of: writer)
            return Finding(kind: .half, detail: "writer \(writer) has \(objects) objects, as after no number of saves")
        }
        counts.append(saves)
    }
    if plans.count > 1, let finding = checkTogether(contents, promise, counts) { return finding }
    for (writer, saves) in counts.enumerated() {
        let acknowledged = Swift.min(promise.acknowledged[writer], plans[writer].count)
        guard saves >= acknowledged else {
            let detail = "\(acknowledged) of writer \(writer) were acknowledged, and \(saves) are stored"
            return Finding(kind: .lost, detail: detail)
        }
        guard !promise.hasTooMany(saves, of: writer) else {
            let detail = "\(saves) saves of writer \(writer) are stored, and \(acknowledged) were acknowledged"
            return Finding(kind: .half, detail: detail)
        }
    }
    return nil
}

/// Compares the data that several writers share: the counter, which some of their saves increment once, and the order
/// of saves.
private func checkTogether(_ contents: StoreContents, _ promise: Promise, _ counts: [Int]) -> Finding? {
    let expected = promise.plans.counter(after: counts)
    let counter = contents.counter ?? 0
    if contents.counter == nil, promise.store != nil {
        // The counter was inserted before all other saves.
        let kind = counts.contains { $0 > 0 } ? Finding.Kind.disordered : .lost
        return Finding(kind: kind, detail: "the counter is not stored")
    }
    guard counter == expected else {
        let kind = counter > expected ? Finding.Kind.duplicated : .half
        return Finding(kind: kind, detail: "the counter is \(counter), after \(expected) increments of stored saves")
    }
    for (writer, saves) in counts.enumerated() {
        guard let earlier = promise.precedingSaves(saves, of: writer) else { continue }
        for (other, least) in earlier.enumerated() where counts[other] < least {
            let detail = """
                save \(saves) of writer \(writer) is stored; before it began, save \(least) of writer \(other) was \
                acknowledged, which is not stored
                """
            return Finding(kind: .disordered, detail: detail)
        }
    }
    return nil
}

/// Performs the next save of a writer.
private func goOn(_ store: AlbumStore, _ plans: WriterPlans, after counts: [Int]) throws -> Finding? {
    guard let writer = plans.indices.first(where: { counts[$0] < plans[$0].count }) else { return nil }
    let next = counts[writer] + 1
    if plans.count > 1 {
        try store.insertCounter()
        try store.perform(plans, next, of: writer)
    } else {
        try store.perform(plans[writer], next)
    }
    guard plans[writer].saveCount(of: try store.contents().digest(of: writer)) != next else { return nil }
    return Finding(kind: .stuck, detail: "save \(next) of writer \(writer) failed after \(next - 1)")
}
