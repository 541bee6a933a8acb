import ChordataTestSupport
import Testing

@testable import Chordata

/// The end of the rounds in which derived attributes are computed.
struct DerivationRoundsTests {
    /// Rows that are numbers: each round changes the next row, or the same row again.
    private struct Rows: DerivationRounds {
        /// The number of rounds that change a row; `nil` if the rounds do not end.
        var length: Int?
        var tracksRows: Bool
        var step: Int
        var count = 0
        var seen: Set<Int> = []

        init(length: Int?, tracksRows: Bool, step: Int) {
            (self.length, self.tracksRows, self.step) = (length, tracksRows, step)
        }

        mutating func derive(_ row: Int) -> Int? {
            count += 1
            return length.map { count > $0 } == true ? nil : row
        }
        mutating func trackChanges(of row: Int) -> Bool { tracksRows && seen.insert(row).inserted }
        func dependents(of row: Int) -> Int? { row + step }
        func entityNames(of row: Int) -> Set<String> { ["Row \(row)"] }
    }

    private let limit = ChangeLimitExceededError.limit

    @Test func chainOfNewRowsHasAnyLength() throws {
        var rows = Rows(length: 3 * limit, tracksRows: true, step: 1)
        try rows.deriveInRounds(0)
        expectEqual(rows.count, 3 * limit + 1)
    }

    @Test func cycleEndsAtTheLimit() {
        var rows = Rows(length: nil, tracksRows: true, step: 0)
        let error = #expect(throws: ChangeLimitExceededError.self) { try rows.deriveInRounds(0) }
        #expect(error?.entityNames == ["Row 0"] && rows.count == limit + 1)
    }

    @Test func roundsOfAFixedSetOfRowsAreLimited() {
        var rows = Rows(length: nil, tracksRows: false, step: 0)
        #expect(throws: ChangeLimitExceededError.self) { try rows.deriveInRounds(0) }
        expectEqual(rows.count, limit)
        rows = Rows(length: limit - 1, tracksRows: false, step: 0)
        #expect(throws: Never.self) { try rows.deriveInRounds(0) }
    }
}
