/// A line of a writer, which states how many of its saves are stored.
struct Acknowledgement {
    /// The transactions of a program with several writers, since its start.
    struct Groups {
        var saves = 0
        var savesInGroups = 0
        var groups = 0
        var largestGroup = 0
    }

    let writer: Int
    let saves: Int
    let store: String
    /// `nil` for a program with one writer.
    let groups: Groups?

    init?(line: Substring) {
        let parts = line.split(separator: " ")
        if parts.count == 2, let saves = Int(parts[0]) {
            (writer, self.saves, store, groups) = (0, saves, String(parts[1]), nil)
            return
        }
        let numbers = (parts.prefix(2) + parts.dropFirst(3)).compactMap { Int($0) }
        guard parts.count == 7, numbers.count == 6 else { return nil }
        (writer, saves, store) = (numbers[0], numbers[1], String(parts[2]))
        groups = Groups(
            saves: numbers[2],
            savesInGroups: numbers[3],
            groups: numbers[4],
            largestGroup: numbers[5]
        )
    }
}
