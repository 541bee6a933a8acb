package import ChordataPredicate

/// One part of an order: what is compared, and which way.
package struct SortTerm: Sendable, Hashable {
    package var keyPath: BoundKeyPath
    package var ascending: Bool

    package init(keyPath: BoundKeyPath, ascending: Bool = true) {
        self.keyPath = keyPath
        self.ascending = ascending
    }
}
