/// The matching elements of two versions, by renaming identifier and name (R0–R5); each matches at most one.
///
/// The rule is that of ``ModelMatch``. An element is explicit if its renaming identifier differs from its name. The
/// steps follow each other, each for all new elements and old elements that are not matched yet:
///
/// 1. An explicit new element matches the old element with the same identifier, unless a new element that is not
///    explicit has the name of that old element.
/// 2. An explicit new element matches the old element whose name is its identifier.
/// 3. An explicit new element matches any old element with the same identifier.
/// 4. A new element that is not explicit matches the old element with its name that is not explicit either.
/// 5. A new element that is not explicit matches the old element whose identifier is its name.
/// 6. A new element that is not explicit matches any old element with its name.
/// 7. Any new element matches the old element whose identifier is its name.
/// 8. Any new element matches the old element with its name.
///
/// A migration copies the values of the pairs of steps 1 to 6. It does not copy those of steps 7 and 8, which are pairs
/// only because people consider them to be the same element.
package struct IdentityPairs {
    package struct Identity {
        package var name: String
        package var identifier: String

        package init(_ name: String, _ identifier: String) {
            self.name = name
            self.identifier = identifier
        }

        fileprivate var isExplicit: Bool { name != identifier }
    }

    /// For each new element the index of the old one.
    package private(set) var oldIndexes: [Int?]
    /// For each old element the index of the new one.
    package private(set) var newIndexes: [Int?]
    /// For each new element whether a migration copies the values of the old one.
    package private(set) var areCarried: [Bool]

    /// - Complexity: O(n log n) in the number of elements.
    package init(old: [Identity], new: [Identity]) {
        oldIndexes = Array(repeating: nil, count: new.count)
        newIndexes = Array(repeating: nil, count: old.count)
        areCarried = Array(repeating: false, count: new.count)
        let newOrder = Self.order(new)
        // The order is reversed, so that the first element is removed from the end.
        let oldOrder = Self.order(old).reversed()
        var byIdentifier = Dictionary(grouping: oldOrder) { old[$0].identifier }
        var byName = Dictionary(grouping: oldOrder) { old[$0].name }
        let silentNames = Set(new.lazy.filter { !$0.isExplicit }.map(\.name))
        let (claimants, silent) = (newOrder.filter { new[$0].isExplicit }, newOrder.filter { !new[$0].isExplicit })
        var byFreeIdentifier = byIdentifier.mapValues { $0.filter { !silentNames.contains(old[$0].name) } }
        for index in claimants { pair(index, &byFreeIdentifier, new[index].identifier, isCarried: true) }
        for index in claimants { pair(index, &byName, new[index].identifier, isCarried: true) }
        for index in claimants { pair(index, &byIdentifier, new[index].identifier, isCarried: true) }
        var bySilentName = byName.mapValues { $0.filter { !old[$0].isExplicit } }
        for index in silent { pair(index, &bySilentName, new[index].name, isCarried: true) }
        for index in silent { pair(index, &byIdentifier, new[index].name, isCarried: true) }
        for index in silent { pair(index, &byName, new[index].name, isCarried: true) }
        for index in newOrder { pair(index, &byIdentifier, new[index].name, isCarried: false) }
        for index in newOrder { pair(index, &byName, new[index].name, isCarried: false) }
    }

    private mutating func pair(
        _ index: Int,
        _ candidates: inout [String: [Int]],
        _ text: String,
        isCarried: Bool
    ) {
        guard oldIndexes[index] == nil else { return }
        while let candidate = candidates[text]?.popLast() {
            guard newIndexes[candidate] == nil else { continue }
            oldIndexes[index] = candidate
            newIndexes[candidate] = index
            areCarried[index] = isCarried
            return
        }
    }

    /// Returns the indexes with explicit identifiers first, then by name, so that the order of declarations does not
    /// matter.
    private static func order(_ identities: [Identity]) -> [Int] {
        identities.indices.sorted { left, right in
            let (a, b) = (identities[left], identities[right])
            if a.isExplicit != b.isExplicit { return a.isExplicit }
            return a.name == b.name ? left < right : a.name < b.name
        }
    }
}
