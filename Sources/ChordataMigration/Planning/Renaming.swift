internal import ChordataSQL

/// A new name for a table or column.
struct Renaming: Hashable {
    var from: String
    var to: String
    /// The final name, which differs from ``to`` only if the renaming takes two steps.
    var last: String

    init(from: String, to: String) {
        self.from = from
        self.to = to
        last = to
    }
}

/// Returns the renamings in an order in which each new name is free when it is used.
///
/// If names are swapped, one of them first gets a temporary name.
///
/// SQLite treats names that differ only in case as equal.
func ordered(_ renamings: [Renaming]) -> [Renaming] {
    var result: [Renaming] = []
    var waiting = renamings
    while !waiting.isEmpty {
        let taken = Set(waiting.map { foldedName($0.from) })
        let (free, blocked) = (
            waiting.filter { !taken.contains(foldedName($0.to)) }, waiting.filter { taken.contains(foldedName($0.to)) }
        )
        result += free
        waiting = blocked
        guard free.isEmpty, var first = blocked.first else { continue }
        // The names form a cycle: the first one gets a temporary name.
        let last = first.to
        first.to = "_moved_" + first.from
        result.append(first)
        waiting[0].from = first.to
        waiting[0].to = last
    }
    return result
}
