/// The position of a row.
struct ResultsPosition: Hashable, Comparable {
    var section: Int
    var row: Int

    static func < (left: ResultsPosition, right: ResultsPosition) -> Bool {
        (left.section, left.row) < (right.section, right.row)
    }
}

/// The changes of an event to a list: old positions are from before the event, new positions from after it.
struct ResultsChanges {
    enum RowChange {
        case delete(ResultsRow, at: ResultsPosition)
        case insert(ResultsRow, at: ResultsPosition)
        case move(ResultsRow, from: ResultsPosition, to: ResultsPosition)
        case update(ResultsRow, from: ResultsPosition, to: ResultsPosition)

        fileprivate var isDeletion: Bool {
            if case .delete = self { true } else { false }
        }
        /// The new position, or the old position of a deleted row.
        fileprivate var position: ResultsPosition {
            switch self {
            case .delete(_, let position), .insert(_, let position), .move(_, _, let position),
                .update(_, _, let position):
                position
            }
        }
    }

    struct SectionChange {
        let section: ResultsSection
        let index: Int
    }

    /// The deleted sections, by ascending index.
    var deletedSections: [SectionChange] = []
    /// The inserted sections, by ascending index.
    var insertedSections: [SectionChange] = []
    /// The changes of rows: deletions by ascending position, then all other changes by their new positions.
    var rows: [RowChange] = []
    /// The keys of rows that are reported as updated only because the keys of their objects have changed.
    var rekeyed: Set<Int64> = []

    /// The changes without the updates of rows for which only the key of the object has changed.
    var withoutNewKeys: ResultsChanges {
        guard !rekeyed.isEmpty else { return self }
        var changes = self
        changes.rows.removeAll { change in
            if case .update(let row, _, _) = change { rekeyed.contains(row.key) } else { false }
        }
        return changes
    }

    var isEmpty: Bool { deletedSections.isEmpty && insertedSections.isEmpty && rows.isEmpty }
}

extension Array<ResultsChanges.RowChange> {
    /// Sorts the changes: deletions by ascending position, then all other changes by their new positions.
    mutating func sortByPlaces() {
        sort { left, right in
            left.isDeletion == right.isDeletion ? left.position < right.position : left.isDeletion
        }
    }
}

/// An element that was removed from a list and inserted again, with its old and new index.
struct Relocation {
    let old: Int
    let new: Int
}

extension Array where Element == Relocation {
    /// Returns the indexes of as many relocations as possible that do not change the order among themselves and
    /// relative to the untouched elements (F27): an element that stayed between the same neighbours did not move,
    /// whatever was inserted and removed around it.
    /// - Parameters:
    ///   - removed: The old indexes of all removed elements, whether or not they were inserted again, ascending.
    ///   - inserted: The new indexes of all inserted elements, whether or not they were in the list before, ascending.
    /// - Complexity: O(n log n).
    func indexesInOrder(removed: [Int], inserted: [Int]) -> Set<Int> {
        // The elements that have the same number of untouched elements before them in both lists.
        let between = indices.filter {
            self[$0].old - removed.count(below: self[$0].old) == self[$0].new - inserted.count(below: self[$0].new)
        }
        let sorted = between.sorted { self[$0].new < self[$1].new }
        return Set(longestIncreasing(sorted.map { self[$0].old }).map { sorted[$0] })
    }
}

extension Array where Element == Int {
    /// Returns the number of elements of an ascending array that are less than a limit.
    fileprivate func count(below limit: Int) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if self[middle] < limit { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

/// Returns the indexes of a longest increasing subsequence.
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
