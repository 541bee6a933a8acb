extension Sequence {
    /// Returns the elements in an order: `sorted(by:)` for sequences that are short or rarely sorted.
    ///
    /// The compiler specializes `sorted(by:)` for each type of element, with 1,700 instructions each time. This method
    /// sorts positions, so there is one specialization for all types; each comparison costs one more call.
    package func ordered(by areInIncreasingOrder: (Element, Element) -> Bool) -> [Element] {
        let elements = Array(self)
        return sortedPositions(count: elements.count) { areInIncreasingOrder(elements[$0], elements[$1]) }
            .map { elements[$0] }
    }
}

extension Dictionary where Key: Comparable {
    /// The pairs in the order of their keys, with one sort for all types of value.
    package var orderedByKey: [Element] { sortedKeys(keys.map { $0 }).map { ($0, self[$0]!) } }
}

@inline(never)
private func sortedPositions(count: Int, by areInIncreasingOrder: (Int, Int) -> Bool) -> [Int] {
    (0..<count).sorted(by: areInIncreasingOrder)
}

@inline(never)
private func sortedKeys<Key: Comparable>(_ keys: [Key]) -> [Key] { keys.sorted() }
