/// The changes of an event to parents and their rows: old positions are from before the event, new positions from after
/// it.
struct ResultsHierarchyChanges {
    struct SectionChange {
        let section: ResultsHierarchySection
        let index: Int
    }

    /// The deleted sections, by ascending index.
    var deletedSections: [SectionChange] = []
    /// The inserted sections, by ascending index.
    var insertedSections: [SectionChange] = []
    /// The sections whose parents changed and kept their position, by ascending index.
    var updatedSections: [SectionChange] = []
    /// The changes of rows: deletions by ascending position, then all other changes by their new positions.
    var rows: [ResultsChanges.RowChange] = []

    var isEmpty: Bool {
        deletedSections.isEmpty && insertedSections.isEmpty && updatedSections.isEmpty && rows.isEmpty
    }

    /// Replaces the deletion of a row from one parent and its insertion into another parent with a move, and sorts all
    /// changes.
    mutating func joinMoves() {
        var (deleted, inserted): ([Int64: [Int]], [Int64: [Int]]) = ([:], [:])
        for (index, change) in rows.enumerated() {
            switch change {
            case .delete(let row, _): deleted[row.key, default: []].append(index)
            case .insert(let row, _): inserted[row.key, default: []].append(index)
            case .move, .update: continue
            }
        }
        var joined: Set<Int> = []
        for (key, old) in deleted {
            guard let new = inserted[key], old.count == 1, new.count == 1,
                case .delete(_, let from) = rows[old[0]], case .insert(let row, let to) = rows[new[0]]
            else { continue }
            rows[new[0]] = .move(row, from: from, to: to)
            joined.insert(old[0])
        }
        rows = rows.indices.lazy.filter { !joined.contains($0) }.map { rows[$0] }
        rows.sortByPlaces()
        deletedSections = deletedSections.ordered { $0.index < $1.index }
        insertedSections = insertedSections.ordered { $0.index < $1.index }
        updatedSections = updatedSections.ordered { $0.index < $1.index }
    }
}

extension ResultsChanges.RowChange {
    /// Returns the change with other section indexes: `old` before the event, and `new` after it.
    func placed(from old: Int, to new: Int) -> Self {
        func before(_ position: ResultsPosition) -> ResultsPosition { ResultsPosition(section: old, row: position.row) }
        func after(_ position: ResultsPosition) -> ResultsPosition { ResultsPosition(section: new, row: position.row) }
        return switch self {
        case .delete(let row, let position): .delete(row, at: before(position))
        case .insert(let row, let position): .insert(row, at: after(position))
        case .move(let row, let from, let to): .move(row, from: before(from), to: after(to))
        case .update(let row, let from, let to): .update(row, from: before(from), to: after(to))
        }
    }
}
