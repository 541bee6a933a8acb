internal import ChordataPredicate
internal import Synchronization

/// The permanent keys of objects that were inserted while the store could not assign keys because another process was
/// writing.
///
/// Object IDs, and predicates made with them, keep the provisional key; after the save, the permanent key is looked up
/// here.
///
/// - Complexity: Memory is O(n) in the number of runs, not of objects: keys of both kinds are assigned in order, so a
///   save that replaces provisional keys mostly adds one run.
final class ProvisionalKeys: PermanentKeys {
    /// Consecutive provisional keys whose permanent keys are also consecutive.
    fileprivate struct Run {
        let provisional: Int64
        let permanent: Int64
        var count: Int64

        /// Returns a Boolean value that indicates whether two keys are the next ones after the run.
        func isFollowed(by provisional: Int64, _ permanent: Int64) -> Bool {
            self.provisional + count == provisional && self.permanent + count == permanent
        }

        /// Returns the permanent key for a provisional key; `nil` if the key is not in this run.
        @inline(__always)
        func permanentKey(for key: Int64) -> Int64? {
            let offset = key - provisional
            return offset >= 0 && offset < count ? permanent + offset : nil
        }
    }

    /// The runs, in the order of their provisional keys.
    private let runs = Mutex<[Run]>([])
    private let lastKey = Atomic(PersistentStore.firstProvisionalKey)

    /// Returns a provisional key that no object has had in this process.
    func makeKey() -> Int64 { lastKey.add(1, ordering: .relaxed).newValue }

    /// Records the permanent keys that replace the keys of objects; keys that are not provisional are ignored.
    func replace(_ keys: [Int64], with permanentKeys: [Int64]) {
        runs.withLock { runs in
            var index = 0
            while index < keys.count {
                var run = Run(provisional: keys[index], permanent: permanentKeys[index], count: 1)
                index += 1
                guard isProvisional(run.provisional) else { continue }
                while index < keys.count, run.isFollowed(by: keys[index], permanentKeys[index]) {
                    run.count += 1
                    index += 1
                }
                Self.insert(run, into: &runs)
            }
        }
    }

    private static func insert(_ run: Run, into runs: inout [Run]) {
        // Most objects are saved in the order of their insertion, so their keys are at the end.
        let isLast = runs.last.map { run.provisional >= $0.provisional } ?? true
        let place = isLast ? runs.count : place(after: run.provisional, in: runs)
        if place > 0, runs[place - 1].isFollowed(by: run.provisional, run.permanent) {
            runs[place - 1].count += run.count
        } else {
            runs.insert(run, at: place)
        }
    }

    func isProvisional(_ key: Int64) -> Bool { key > PersistentStore.firstProvisionalKey }

    /// Returns the current key of an object.
    func permanentKey(for key: Int64) -> Int64 {
        guard isProvisional(key) else { return key }
        return runs.withLock { runs in
            let place = Self.place(after: key, in: runs)
            return place > 0 ? runs[place - 1].permanentKey(for: key) ?? key : key
        }
    }

    /// The permanent keys at one time, for many keys: without a lock, and without a search for keys of the same run.
    struct Snapshot {
        private let runs: [Run]
        private var index = 0

        fileprivate init(_ runs: [Run]) { self.runs = runs }

        /// The permanent key of an object; the key itself if it is not a provisional key, or was not replaced.
        @inline(__always)
        mutating func permanentKey(for key: Int64) -> Int64 {
            guard key > PersistentStore.firstProvisionalKey, !runs.isEmpty else { return key }
            if let permanent = runs[index].permanentKey(for: key) { return permanent }
            let place = ProvisionalKeys.place(after: key, in: runs)
            guard place > 0 else { return key }
            index = place - 1
            return runs[index].permanentKey(for: key) ?? key
        }
    }

    func snapshot() -> Snapshot { Snapshot(runs.withLock { $0 }) }

    /// The number of runs that begin at a key or before it.
    fileprivate static func place(after key: Int64, in runs: [Run]) -> Int {
        var (low, high) = (0, runs.count)
        while low < high {
            let middle = (low + high) / 2
            if runs[middle].provisional <= key { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
