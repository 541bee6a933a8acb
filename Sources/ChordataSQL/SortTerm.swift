package import ChordataPredicate

/// One key of an order, resolved against an entity.
package struct SortTerm: Sendable, Hashable {
    package var keyPath: BoundKeyPath
    package var ascending: Bool

    package init(keyPath: BoundKeyPath, ascending: Bool) {
        self.keyPath = keyPath
        self.ascending = ascending
    }
}
