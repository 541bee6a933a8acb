package import ChordataPredicate

/// One part of a sort order: a key path, and the direction and the kind of the comparison.
package struct SortTerm: Sendable, Hashable {
    package var keyPath: BoundKeyPath
    package var ascending: Bool
    /// The comparison of text.
    package var comparison: StringComparison

    package init(keyPath: BoundKeyPath, ascending: Bool = true, comparison: StringComparison = .literal) {
        self.keyPath = keyPath
        self.ascending = ascending
        self.comparison = comparison
    }
}
