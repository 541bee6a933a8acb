internal import ChordataPredicate
internal import Synchronization

/// The permanent keys of objects that were inserted while the store gave none, because another process was writing.
///
/// Object IDs, and predicates made with them, keep the provisional key; this is where it is looked up after the save.
///
/// - Complexity: Memory is O(n) in the number of runs, not in that of the objects: keys of both kinds are given in
///   order, so a save that replaces provisional keys mostly adds one run.
final class ProvisionalKeys: PermanentKeys {
    /// Provisional keys in a row whose permanent keys are in a row too.
    private struct Run {
        let provisional: Int64
        let permanent: Int64
        var count: Int64
    }

    /// The runs, in the order of their provisional keys.
    private let runs = Mutex<[Run]>([])
    private let lastKey = Atomic(PersistentStore.firstProvisionalKey)

    /// Returns a provisional key that no object had in this process.
    func makeKey() -> Int64 { lastKey.add(1, ordering: .relaxed).newValue }

    /// Notes the permanent key of an object.
    func replace(_ provisional: Int64, with permanent: Int64) {
        runs.withLock { runs in
            let place = Self.place(after: provisional, in: runs)
            if place > 0 {
                let last = runs[place - 1]
                if last.provisional + last.count == provisional, last.permanent + last.count == permanent {
                    runs[place - 1].count += 1
                    return
                }
            }
            runs.insert(Run(provisional: provisional, permanent: permanent, count: 1), at: place)
        }
    }

    func isProvisional(_ key: Int64) -> Bool { key > PersistentStore.firstProvisionalKey }

    /// The key that an object has now.
    func permanentKey(for key: Int64) -> Int64 {
        guard isProvisional(key) else { return key }
        return runs.withLock { runs in
            let place = Self.place(after: key, in: runs)
            guard place > 0, key - runs[place - 1].provisional < runs[place - 1].count else { return key }
            return runs[place - 1].permanent + (key - runs[place - 1].provisional)
        }
    }

    /// The number of runs that begin at a key or before it.
    private static func place(after key: Int64, in runs: [Run]) -> Int {
        var (low, high) = (0, runs.count)
        while low < high {
            let middle = (low + high) / 2
            if runs[middle].provisional <= key { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
