/// Rows in sections: what a results controller shows at one moment.
struct ResultsArrangement<Row: Hashable> {
    struct Section {
        var name: String
        var rows: [Row]
    }

    struct Position: Hashable {
        var section: Int
        var row: Int
    }

    var sections: [Section] = []

    /// The rows of all sections, in order.
    var rows: [Row] { sections.flatMap(\.rows) }

    /// The place of every row.
    var positions: [Row: Position] {
        var positions: [Row: Position] = [:]
        for (section, content) in sections.enumerated() {
            for (row, element) in content.rows.enumerated() {
                positions[element] = Position(section: section, row: row)
            }
        }
        return positions
    }
}

/// The difference between two arrangements, as a delegate gets it.
struct ResultsChanges<Row: Hashable> {
    typealias Position = ResultsArrangement<Row>.Position

    enum RowChange: Hashable {
        case insert(Row, at: Position)
        case delete(Row, at: Position)
        case move(Row, from: Position, to: Position)
        case update(Row, from: Position, to: Position)
    }

    var deletedSections: [Int] = []
    var insertedSections: [Int] = []
    var rows: [RowChange] = []

    var isEmpty: Bool { deletedSections.isEmpty && insertedSections.isEmpty && rows.isEmpty }

    /// Compares two arrangements.
    ///
    /// A row that changed and kept its section and its order relative to the others is an update; one that changed
    /// and did not is a move (F27). Rows that only shifted because others came or went are not reported, and neither
    /// is a row that did not change: its order relative to other such rows cannot differ.
    /// - Complexity: O(n log n) in the number of rows.
    init(from old: ResultsArrangement<Row>, to new: ResultsArrangement<Row>, changed: Set<Row>) {
        // Sections are what their names say; a name occurs once.
        let oldNames = Set(old.sections.map(\.name))
        let newNames = Set(new.sections.map(\.name))
        deletedSections = old.sections.indices.filter { !newNames.contains(old.sections[$0].name) }
        insertedSections = new.sections.indices.filter { !oldNames.contains(new.sections[$0].name) }

        let oldPositions = old.positions
        let newPositions = new.positions
        for (index, section) in old.sections.enumerated() {
            for (row, element) in section.rows.enumerated() where newPositions[element] == nil {
                rows.append(.delete(element, at: Position(section: index, row: row)))
            }
        }
        let stable = Self.rowsInOrder(old, oldPositions, new, changed: changed)
        for (index, section) in new.sections.enumerated() {
            for (row, element) in section.rows.enumerated() {
                let position = Position(section: index, row: row)
                guard let before = oldPositions[element] else {
                    rows.append(.insert(element, at: position))
                    continue
                }
                let sameSection = old.sections[before.section].name == section.name
                if sameSection && stable.contains(element) {
                    if changed.contains(element) { rows.append(.update(element, from: before, to: position)) }
                } else {
                    rows.append(.move(element, from: before, to: position))
                }
            }
        }
    }

    /// The most rows that can stay put: all that did not change, and the longest ordered choice of the others.
    private static func rowsInOrder(
        _ old: ResultsArrangement<Row>,
        _ oldPositions: [Row: Position],
        _ new: ResultsArrangement<Row>,
        changed: Set<Row>
    ) -> Set<Row> {
        let ordinals = Dictionary(uniqueKeysWithValues: old.rows.enumerated().map { ($1, $0) })
        var stable: Set<Row> = []
        // Between two neighbouring rows that did not change, a changed row fits when its old place was between them too.
        var gap: [(row: Row, ordinal: Int)] = []
        var lower = -1
        func closeGap(upper: Int) {
            let fitting = gap.filter { $0.ordinal > lower && $0.ordinal < upper }
            for index in longestIncreasing(fitting.map(\.ordinal)) { stable.insert(fitting[index].row) }
            gap = []
        }
        for row in new.rows {
            guard let ordinal = ordinals[row] else { continue }
            if changed.contains(row) {
                gap.append((row, ordinal))
            } else {
                closeGap(upper: ordinal)
                stable.insert(row)
                lower = ordinal
            }
        }
        closeGap(upper: Int.max)
        return stable
    }
}

/// The indexes of a longest increasing subsequence.
/// - Complexity: O(n log n).
func longestIncreasing(_ values: [Int]) -> [Int] {
    var tails: [Int] = []
    var previous = Array(repeating: -1, count: values.count)
    for index in values.indices {
        var low = 0
        var high = tails.count
        while low < high {
            let middle = (low + high) / 2
            if values[tails[middle]] < values[index] { low = middle + 1 } else { high = middle }
        }
        if low > 0 { previous[index] = tails[low - 1] }
        if low == tails.count { tails.append(index) } else { tails[low] = index }
    }
    var result: [Int] = []
    var current = tails.last ?? -1
    while current >= 0 {
        result.append(current)
        current = previous[current]
    }
    return result.reversed()
}
