import ChordataTestSupport
import Testing

@testable import Chordata
@testable import ChordataPredicate
@testable import ChordataSQL

/// The changes that a list reports for an event, with lists that are small enough to verify by hand; the law with
/// contexts is in `ResultsLawTests`.
struct ResultsListTests {
    /// Sorts rows by an integer; each test chooses their sections.
    private static var order: ResultsOrder { .ofNumbers }

    private static func entry(_ key: Int64, _ value: Int64, _ section: String = "") -> ResultsEntry {
        ResultsEntry(
            row: ResultsRow(
                key: key,
                object: ManagedObject(entity: LeagueModel.definition.model.entities[0], insertInto: nil),
                sortValues: [.integer(value)]
            ),
            sectionName: SectionName(section)
        )
    }

    private static func list(_ entries: [ResultsEntry], isSectioned: Bool = true) throws -> ResultsList {
        try ResultsList(entries, order: order, isSectioned: isSectioned)
    }

    private static func texts(_ changes: ResultsChanges) -> [String] {
        func text(_ position: ResultsPosition) -> String { "\(position.section).\(position.row)" }
        return changes.deletedSections.map { "-\($0.section.name.text)@\($0.index)" }
            + changes.insertedSections.map { "+\($0.section.name.text)@\($0.index)" }
            + changes.rows.map { change in
                switch change {
                case .delete(let row, let old): "delete \(row.key) \(text(old))"
                case .insert(let row, let new): "insert \(row.key) \(text(new))"
                case .move(let row, let old, let new): "move \(row.key) \(text(old)) \(text(new))"
                case .update(let row, let old, let new): "update \(row.key) \(text(old)) \(text(new))"
                }
            }
    }

    private static func keys(_ list: ResultsList) -> [[Int64]] {
        var result: [[Int64]] = []
        list.sections.forEach { section in
            var keys: [Int64] = []
            section.rows.forEach { keys.append($0.key) }
            result.append(keys)
        }
        return result
    }

    /// F27: a changed row between the same neighbours has not moved.
    @Test func updatesAndMoves() throws {
        func changes(_ changed: [(Int64, Int64)], removing removed: [Int64] = []) throws -> [String] {
            let list = try Self.list((1...5).map { Self.entry($0, $0 * 10) }, isSectioned: false)
            return Self.texts(try list.apply(changed.map { Self.entry($0.0, $0.1) }, removing: removed))
        }
        expectEqual(try changes([(3, 30)]), ["update 3 0.2 0.2"])
        expectEqual(try changes([(3, 35)]), ["update 3 0.2 0.2"])
        expectEqual(try changes([(3, 45)]), ["move 3 0.2 0.3"])
        // Changes of other rows do not turn an update into a move.
        expectEqual(try changes([(3, 35)], removing: [1]), ["delete 1 0.0", "update 3 0.2 0.1"])
        expectEqual(try changes([(3, 35), (9, 5)]), ["insert 9 0.0", "update 3 0.2 0.3"])
        expectEqual(try changes([(3, 45)], removing: [4]), ["delete 4 0.3", "update 3 0.2 0.2"])
        // If two rows swap their positions, one of them moves.
        expectEqual(try changes([(2, 30), (3, 20)]).map { $0.prefix(4) }.sorted(), ["move", "upda"])
        // All rows change and keep their order.
        #expect(try changes((1...5).map { ($0, $0 * 100) }).allSatisfy { $0.hasPrefix("update") })
        expectEqual(try changes([(1, 99)]), ["move 1 0.0 0.4"])
    }

    /// F30, F31, F32, S35: sections are inserted and deleted with their rows.
    @Test func sections() throws {
        func changes(_ changed: [ResultsEntry], removing removed: [Int64] = []) throws -> [String] {
            let list = try Self.list([Self.entry(1, 10, "A"), Self.entry(2, 20, "B"), Self.entry(3, 21, "B")])
            return Self.texts(try list.apply(changed, removing: removed))
        }
        // F30, F31, F32.
        expectEqual(try changes([Self.entry(1, 22, "B")]), ["-A@0", "move 1 0.0 0.2"])
        expectEqual(try changes([Self.entry(3, 30, "C")]), ["+C@2", "move 3 1.1 2.0"])
        expectEqual(try changes([Self.entry(4, 15, "M")]), ["+M@1", "insert 4 1.0"])
        expectEqual(try changes([], removing: [2, 3]), ["-B@1", "delete 2 1.0", "delete 3 1.1"])
        expectEqual(try changes([Self.entry(1, 11, "A")]), ["update 1 0.0 0.0"])
        // A section whose rows are all replaced under the same name is not deleted.
        expectEqual(try changes([Self.entry(9, 12, "A")], removing: [1]), ["delete 1 0.0", "insert 9 0.0"])
        // Sections do not move: the section is deleted and inserted.
        expectEqual(try changes([Self.entry(1, 30, "A")]), ["-A@0", "+A@1", "move 1 0.0 1.0"])
        // All of section B moves before section A; A has no changes.
        expectEqual(
            try changes([Self.entry(2, 1, "B"), Self.entry(3, 2, "B")]),
            ["-B@1", "+B@0", "move 2 1.0 0.0", "move 3 1.1 0.1"]
        )
    }

    /// F2, F14: after an error, the list is unchanged, and can be updated again.
    @Test func errorsChangeNothing() throws {
        let list = try Self.list([
            Self.entry(1, 10, "A"), Self.entry(2, 20, "B"), Self.entry(3, 21, "B"), Self.entry(4, 30, "C"),
        ])
        let before = Self.keys(list)
        let mistakes: [[ResultsEntry]] = [
            [Self.entry(9, 40, "A")],
            [
                Self.entry(5, 12, "A"), Self.entry(3, 5, "C"), Self.entry(1, 40, "D"), Self.entry(2, 11, "E"),
                Self.entry(7, 15, "A"), Self.entry(8, 50, "A"),
            ],
            [Self.entry(9, 20, "A")],
            [Self.entry(2, 5, "B")],
        ]
        for mistake in mistakes {
            #expect(throws: ResultsList.RecurringSection.self) { try list.apply(mistake, removing: [4]) }
            expectEqual(Self.keys(list), before)
            list.sections._checkInvariants()
        }
        #expect(throws: ResultsList.RecurringSection.self) {
            try Self.list([Self.entry(1, 1, "A"), Self.entry(2, 2, "B"), Self.entry(3, 3, "A")])
        }
        expectEqual(Self.texts(try list.apply([Self.entry(2, 5, "Z")], removing: [])), ["+Z@0", "move 2 1.0 0.0"])
    }

    @Test func limits() throws {
        func changes(_ changed: [(Int64, Int64)], removing removed: [Int64] = []) throws -> [String] {
            let entries = (1...4).map { Self.entry($0, $0 * 10, $0 < 3 ? "A" : $0 == 3 ? "B" : "C") }
            let list = try Self.list(entries)
            return Self.texts(
                try list.apply(changed.map { Self.entry($0.0, $0.1, "A") }, removing: removed, limit: 4)
            )
        }
        // A row that the limit excludes is reported with its index path before the event.
        expectEqual(try changes([(9, 5)]), ["-C@2", "delete 4 2.0", "insert 9 0.0"])
        expectEqual(
            try changes([(8, 5), (9, 6)]),
            [
                "-B@1", "-C@2", "delete 3 1.0", "delete 4 2.0", "insert 8 0.0", "insert 9 0.1",
            ]
        )
        expectEqual(try changes([(9, 5)], removing: [4]), ["-C@2", "delete 4 2.0", "insert 9 0.0"])
        // A row that the limit excludes breaks no section, whether it is an inserted row or a row that moved down.
        expectEqual(try changes([(9, 45)]), [])
        expectEqual(try changes([(9, 5), (8, 35)]), ["-C@2", "delete 4 2.0", "insert 9 0.0"])
        expectEqual(try changes([(1, 45), (9, 5)]), ["delete 1 0.0", "insert 9 0.0"])
    }

    /// F26, and F27 as a law: a move changes the order relative to an unmoved row, and the changes can be replayed.
    @Test(arguments: 1...40) func law(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let isSectioned = seed % 2 == 0
        let limit = seed % 5 == 0 ? 12 : 0
        var values: [Int64: Int64] = [:]
        func entry(_ key: Int64) -> ResultsEntry { Self.entry(key, values[key] ?? 0, "\((values[key] ?? 0) / 10)") }
        func sorted() -> [Int64] {
            let all = values.keys.sorted { (values[$0] ?? 0, $0) < (values[$1] ?? 0, $1) }
            return limit > 0 ? Array(all.prefix(limit)) : all
        }
        let list = try Self.list([], isSectioned: isSectioned)
        var table: [[Int64]] = isSectioned ? [] : [[]]
        var next: Int64 = 1
        for step in 0..<150 {
            let before = sorted()
            var oldSections: [Int64: SectionName] = [:]
            list.forEach { oldSections[$0.key] = $0.section?.name }
            var changed: Set<Int64> = []
            var removed: Set<Int64> = []
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let key = before.randomElement(using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                // A limited list would need rows that it does not know, so its rows are never removed here.
                case 0 where limit == 0: if let key { removed.insert(key) }
                case 1, 0:
                    values[next] = .random(in: 0..<60, using: &random)
                    changed.insert(next)
                    next += 1
                default:
                    guard let key else { continue }
                    changed.insert(key)
                    if limit == 0 { values[key] = .random(in: 0..<60, using: &random) }
                }
            }
            changed.subtract(removed)
            for key in removed { values[key] = nil }
            let changes = try list.apply(changed.map(entry), removing: Array(removed), limit: limit)
            for key in values.keys where !sorted().contains(key) { values[key] = nil }
            let old = Dictionary(uniqueKeysWithValues: before.enumerated().map { ($1, $0) })
            let new = Dictionary(uniqueKeysWithValues: sorted().enumerated().map { ($1, $0) })
            Self.replay(changes, on: &table)
            expectEqual(table, Self.keys(list), "seed \(seed), step \(step)")
            expectEqual(table.flatMap { $0 }, sorted(), "seed \(seed), step \(step)")
            var moved: Set<Int64> = []
            var told: Set<Int64> = []
            for change in changes.rows {
                switch change {
                case .move(let row, _, _):
                    moved.insert(row.key)
                    told.insert(row.key)
                case .update(let row, _, _): told.insert(row.key)
                case .insert(let row, _): #expect(old[row.key] == nil)
                case .delete(let row, _): #expect(new[row.key] == nil)
                }
            }
            expectEqual(told, changed.filter { old[$0] != nil && new[$0] != nil })
            let names = Set(changes.deletedSections.map(\.section.name) + changes.insertedSections.map(\.section.name))
            for case .move(let row, _, _) in changes.rows {
                guard let section = row.section, !names.contains(section.name), oldSections[row.key] == section.name
                else {
                    continue
                }
                let others = Self.keys(list)[list.position(of: row).section].filter { !moved.contains($0) }
                let staysOtherwise = others.contains { other in
                    guard let a = old[row.key], let b = old[other], let c = new[row.key], let d = new[other] else {
                        return false
                    }
                    return (a < b) != (c < d)
                }
                #expect(staysOtherwise, "seed \(seed), step \(step)")
            }
        }
        list.sections.forEach { $0.rows._checkInvariants() }
    }

    /// Replays the changes as a table view does: deletions by their old index paths, then insertions by their new ones.
    static func replay(_ changes: ResultsChanges, on table: inout [[Int64]]) {
        var gone: [ResultsPosition] = []
        var come: [(position: ResultsPosition, key: Int64)] = []
        for change in changes.rows {
            switch change {
            case .delete(_, let old): gone.append(old)
            case .insert(let row, let new): come.append((new, row.key))
            case .move(let row, let old, let new):
                gone.append(old)
                come.append((new, row.key))
            case .update: continue
            }
        }
        for old in gone.sorted(by: >) { table[old.section].remove(at: old.row) }
        for section in changes.deletedSections.reversed() {
            #expect(table[section.index].isEmpty)
            table.remove(at: section.index)
        }
        for section in changes.insertedSections { table.insert([], at: section.index) }
        for (new, key) in come.sorted(by: { $0.position < $1.position }) { table[new.section].insert(key, at: new.row) }
    }
}
