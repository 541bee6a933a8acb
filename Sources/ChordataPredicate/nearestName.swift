/// Returns the candidate that is most similar to a misspelt name; `nil` if none is similar.
///
/// The distance is that of optimal string alignment: insertions, deletions, substitutions, and swapped neighbours. At
/// most a third of the letters may be wrong; a name that differs only in case is always similar. Only the first 128
/// candidates are compared, because each takes time.
package func nearestName(to name: String, among candidates: [String]) -> String? {
    let wanted = Array(name.unicodeScalars.prefix(64))
    var best: (name: String, distance: Int)?
    for candidate in candidates.prefix(128) {
        if candidate.lowercased() == name.lowercased() { return candidate }
        let letters = Array(candidate.unicodeScalars.prefix(64))
        let limit = max(1, max(wanted.count, letters.count) / 3)
        guard abs(letters.count - wanted.count) <= limit, wanted.count > 1 else { continue }
        let distance = alignmentDistance(wanted, letters)
        if distance <= limit, distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    return best?.name
}

private func alignmentDistance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...right.count)
    for row in 1..<(left.count + 1) {
        var current = [row]
        for column in 1..<(right.count + 1) {
            let isSame = left[row - 1] == right[column - 1]
            var distance = min(last[column] + 1, current[column - 1] + 1, last[column - 1] + (isSame ? 0 : 1))
            if row > 1, column > 1, left[row - 1] == right[column - 2], left[row - 2] == right[column - 1] {
                distance = min(distance, beforeLast[column - 2] + 1)
            }
            current.append(distance)
        }
        beforeLast = last
        last = current
    }
    return last[right.count]
}
