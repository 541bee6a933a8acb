internal import ChordataSQL

/// Another name for a table or column.
struct Renaming: Hashable {
    var from: String
    var to: String
    /// The name that it has in the end, where it takes two steps to get there.
    var last: String

    init(from: String, to: String) {
        self.from = from
        self.to = to
        last = to
    }
}

/// The renamings in an order in which no name is taken before it is free; where names change places one of them goes by
/// way of another.
///
/// SQLite takes names that differ in case alone for the same.
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
        // A circle: the first gets out of the way.
        let last = first.to
        first.to = "_moved_" + first.from
        result.append(first)
        waiting[0].from = first.to
        waiting[0].to = last
    }
    return result
}
