/// The candidate that a misspelt name most likely means; `nil` when none is near.
package func nearest(to name: String, in candidates: [String]) -> String? {
    let wanted = Array(name.lowercased().unicodeScalars)
    let limit = max(1, wanted.count / 3)
    var best: (name: String, distance: Int)?
    for candidate in candidates.sorted() where candidate != name {
        let distance = editDistance(wanted, Array(candidate.lowercased().unicodeScalars))
        if distance <= limit, distance < best?.distance ?? Int.max { best = (candidate, distance) }
    }
    return best?.name
}

/// How many insertions, deletions and replacements lead from one text to the other.
private func editDistance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
    var row = Array(0...right.count)
    for (i, a) in left.enumerated() {
        var diagonal = row[0]
        row[0] = i + 1
        for (j, b) in right.enumerated() {
            let above = row[j + 1]
            row[j + 1] = min(above + 1, row[j] + 1, diagonal + (a == b ? 0 : 1))
            diagonal = above
        }
    }
    return row[right.count]
}
