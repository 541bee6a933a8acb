/// Returns the changes of a file as a unified diff with three lines of context.
func unifiedDiff(from before: [UInt8], to after: [UInt8], path: String) -> String {
    let old = splitLines(before).map { before[$0] }
    let new = splitLines(after).map { after[$0] }
    let lines = diffLines(old, new)
    var output = "--- \(path)\n+++ \(path)\n"
    var index = 0
    while let first = lines[index...].firstIndex(where: { $0.mark != " " }) {
        // A hunk ends if more than six equal lines follow.
        var last = first
        while let next = lines[(last + 1)...].firstIndex(where: { $0.mark != " " }), next - last <= 7 { last = next }
        let hunk = max(index, first - 3)..<min(lines.count, last + 4)
        output += header(of: lines[hunk])
        for line in lines[hunk] {
            output += "\(line.mark)\(String(decoding: line.text, as: UTF8.self))"
            if line.text.last != UInt8(ascii: "\n") { output += "\n\\ No newline at end of file\n" }
        }
        index = hunk.upperBound
    }
    return output
}

private struct DiffLine {
    let mark: Character
    let text: ArraySlice<UInt8>
    /// The numbers of the lines before it in both files.
    let old: Int
    let new: Int
}

private func diffLines(_ old: [ArraySlice<UInt8>], _ new: [ArraySlice<UInt8>]) -> [DiffLine] {
    var removed: Set<Int> = []
    var inserted: Set<Int> = []
    for change in new.difference(from: old) {
        switch change {
        case .remove(let offset, _, _): removed.insert(offset)
        case .insert(let offset, _, _): inserted.insert(offset)
        }
    }
    var lines: [DiffLine] = []
    var (i, j) = (0, 0)
    while i < old.count || j < new.count {
        if i < old.count, removed.contains(i) {
            lines.append(DiffLine(mark: "-", text: old[i], old: i, new: j))
            i += 1
        } else if j < new.count, inserted.contains(j) {
            lines.append(DiffLine(mark: "+", text: new[j], old: i, new: j))
            j += 1
        } else {
            lines.append(DiffLine(mark: " ", text: old[i], old: i, new: j))
            i += 1
            j += 1
        }
    }
    return lines
}

private func header(of lines: ArraySlice<DiffLine>) -> String {
    guard let first = lines.first else { return "" }
    let old = lines.count { $0.mark != "+" }
    let new = lines.count { $0.mark != "-" }
    // An empty range is named by the line before it.
    let oldStart = old == 0 ? first.old : first.old + 1
    let newStart = new == 0 ? first.new : first.new + 1
    return "@@ -\(oldStart),\(old) +\(newStart),\(new) @@\n"
}
