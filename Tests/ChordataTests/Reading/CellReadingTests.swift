import ChordataSQL
import ChordataTestStores
import ChordataTestSupport
import Foundation
import Testing

@testable import Chordata

/// Contexts whose store is read by another engine, which returns rows as cells.
@Suite(.onlySQLite(.engine))
struct CellReadingTests {
    // MARK: Columns

    /// The result of reading a cell into a field of a type.
    private enum Outcome: Equatable {
        case value(String)
        case none, unreadable
    }

    private static func outcome<T: FieldValue>(_: T.Type, _ cell: StoreCell) -> Outcome {
        let source = RowSource(hasCells: true)
        var cells = [cell]
        return cells.withUnsafeMutableBufferPointer { cells in
            let row = StoreRow(cells.baseAddress!, of: source)
            guard case .cells(let columns) = row.columns else { return .none }
            let value = T.read(columns, 0)
            if row.unreadableColumn == 0 {
                row.forgetUnreadable()
                #expect(value == nil || row.unreadableColumn == -1)
                return .unreadable
            }
            return value.map { .value("\($0)") } ?? .none
        }
    }

    @Test func valuesOfEachTypeAndNull() {
        let id = UUID()
        withUnsafeBytes(of: id.uuid) { bytes in
            expectEqual(Self.outcome(UUID.self, .blob(bytes)), .value("\(id)"))
        }
        expectEqual(Self.outcome(Int16.self, .integer(-7)), .value("-7"))
        expectEqual(Self.outcome(Int64.self, .integer(0)), .value("0"))
        expectEqual(Self.outcome(Bool.self, .integer(0)), .value("false"))
        expectEqual(Self.outcome(Double.self, .integer(2)), .value("2.0"))
        expectEqual(Self.outcome(Date.self, .real(0)), .value("\(Date(timeIntervalSinceReferenceDate: 0))"))
        var texts = ["4.50", "urn:a"].map { Array($0.utf8) }
        texts[0].withUnsafeBytes { expectEqual(Self.outcome(Decimal.self, .text($0)), .value("4.5")) }
        texts[1].withUnsafeBytes { expectEqual(Self.outcome(URL.self, .text($0)), .value("urn:a")) }
        texts[0].removeAll()
        texts[0].withUnsafeBytes { expectEqual(Self.outcome(String.self, .text($0)), .value("")) }
        texts[0].withUnsafeBytes { expectEqual(Self.outcome(Data.self, .blob($0)), .value("0 bytes")) }
        for outcome in [
            Self.outcome(Int32.self, .null), Self.outcome(Bool.self, .null), Self.outcome(Float.self, .null),
            Self.outcome(Date.self, .null), Self.outcome(String.self, .null), Self.outcome(UUID.self, .null),
            Self.outcome(Data.self, .null), Self.outcome(Decimal.self, .null), Self.outcome(ExternalData.self, .null),
        ] {
            expectEqual(outcome, .none)
        }
    }

    /// A cell of another type, or out of range, is unreadable, and is never read as another value.
    @Test func cellsOfOtherTypes() {
        let bytes = [0xFF, 0x41] as [UInt8]
        bytes.withUnsafeBytes { bytes in
            for outcome in [
                Self.outcome(Int16.self, .integer(40_000)), Self.outcome(Int64.self, .real(1)),
                Self.outcome(Int64.self, .text(bytes)), Self.outcome(Bool.self, .integer(2)),
                Self.outcome(Double.self, .blob(bytes)), Self.outcome(Float.self, .real(1e300)),
                Self.outcome(Date.self, .text(bytes)), Self.outcome(String.self, .integer(1)),
                Self.outcome(String.self, .text(bytes)), Self.outcome(String.self, .blob(bytes)),
                Self.outcome(UUID.self, .blob(bytes)), Self.outcome(Data.self, .text(bytes)),
                Self.outcome(Decimal.self, .text(bytes)), Self.outcome(Decimal.self, .real(1)),
                Self.outcome(ExternalData.self, .text(bytes)),
            ] {
                expectEqual(outcome, .unreadable)
            }
        }
    }

    // MARK: Requests

    private static func texts(_ rows: [[String: any Hashable & Sendable]]) -> [String] {
        rows.map { row in row.keys.sorted().map { "\($0)=\(row[$0].map { "\($0)" } ?? "")" }.joined(separator: " ") }
    }

    /// The results of every kind of request, as texts.
    private static func results(of container: PersistentContainer) async throws -> [[String]] {
        let context = container.newContext()
        let players = Player.fetchRequest().sorted(by: \.age).sorted(by: \.name)
        let teams = Team.fetchRequest().sorted(by: \.name)
        var results: [[String]] = []
        let values: [Player.Values] = try context.fetchValues(players)
        results.append(values.map { "\($0)" })
        results.append(try context.fetch(players.objectIDs).map { "\($0.key)" })
        results.append(["\(try context.count(for: players.where(format: "age > 20")))"])
        results.append(
            texts(try context.fetch(players.limit(9).dictionaries.fetching("name", "team", "team.city")))
        )
        let count = try FetchExpression(format: "count:(SELF)")
        results.append(
            texts(
                try context.fetch(
                    Player.fetchRequest().sorted(by: "team.name").dictionaries
                        .fetching("team.name", .expression("n", count)).grouped(by: "team.name")
                )
            )
        )
        results.append(try container.newContext().fetch(players).map { "\($0.name) \($0.age) \($0.team?.name ?? "")" })
        let prefetched = try container.newContext().fetch(teams.prefetching(\.players))
        results.append(prefetched.map { "\($0.name): \($0.players.map(\.name).sorted())" })
        let batched = try container.newContext().fetch(players.batchSize(7))
        results.append(batched.map { "\($0.name) \($0.age)" })
        let later = container.newContext()
        results.append(try await later.fetch(AsynchronousFetchRequest(players)).map { "\($0.name) \($0.age)" })
        let controller = FetchedResultsController(
            fetchRequest: players,
            managedObjectContext: container.newContext(),
            sectionedBy: \.age
        )
        try controller.performFetch()
        results.append(controller.sections?.map { "\($0.name): \($0.objects.map(\.name))" } ?? [])
        return results
    }

    @Test func everyRequest() async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "cells-\(UUID()).sqlite").path
        defer { try? PersistentStoreCoordinator.destroyPersistentStore(at: path) }
        let (cells, _) = try TwoEngines.container(LeagueModel.definition, path: path)
        let context = cells.newContext()
        let teams = ["a", "b", "ä"].map { Team(context: context, name: $0) }
        teams[1].city = "Ulm"
        for number in 0..<40 {
            let player = Player(context: context, name: "P\(number)")
            player.age = Int16(16 + number % 9)
            player.team = number % 7 == 0 ? nil : teams[number % 3]
        }
        try await context.save()
        let read = try await Self.results(of: cells)
        #expect(read.count == 10 && read.allSatisfy { !$0.isEmpty })
        expectEqual(read, try await Self.results(of: LeagueModel.definition.testContainer(at: path)))
    }

    /// A conflict with another context's change is found; a child context, whose rows are in temporary tables of
    /// SQLite, also reads the cells of its parent.
    @Test func conflictsAndChildren() throws {
        try withStorePath { path in
            let (container, _) = try TwoEngines.container(LeagueModel.definition, path: path)
            let (here, there) = (container.newContext(), container.newContext())
            let team = Team(context: here, name: "a")
            try here.save()
            let other = try #require(try there.fetchOne(Team.fetchRequest()))
            other.name = "b"
            try there.save()
            team.name = "c"
            #expect(throws: SaveConflictError.self) { try here.save() }
            here.refresh(team, mergeChanges: true)
            try here.save()
            there.refreshAllObjects()
            expectEqual(other.name, "c")
            let child = ManagedObjectContext(isolation: nil)
            child.parent = here
            team.city = "Ulm"
            let values: [Team.Values] = try child.fetchValues(Team.fetchRequest())
            expectEqual(values.map(\.city), ["Ulm"])
        }
    }
}
