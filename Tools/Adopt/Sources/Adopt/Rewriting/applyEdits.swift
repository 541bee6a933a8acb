/// Returns the text of a file after changes of disjoint ranges.
///
/// All other bytes are kept. A line that contains only whitespace after a removal is removed. If several lines are
/// removed, blank lines are removed if two of them would follow each other, or if one would follow `{` or precede `}`.
func applyEdits(_ edits: [Edit], to bytes: [UInt8]) -> [UInt8] {
    let edits = edits.sorted { ($0.range.lowerBound, $0.range.upperBound) < ($1.range.lowerBound, $1.range.upperBound) }
    let lines = splitLines(bytes)
    var isRemoved = emptiedLines(lines, edits, bytes)
    removeBlankLines(lines, bytes, &isRemoved)

    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    /// Appends bytes without those of removed lines.
    func append(_ range: Range<Int>, from line: inout Int) {
        var position = range.lowerBound
        while position < range.upperBound {
            while lines[line].upperBound <= position { line += 1 }
            let end = min(lines[line].upperBound, range.upperBound)
            if !isRemoved[line] { result += bytes[position..<end] }
            position = end
        }
    }
    var position = 0
    var line = 0
    for edit in edits where edit.range.lowerBound >= position {
        append(position..<edit.range.lowerBound, from: &line)
        result += (edit.replacement ?? "").utf8
        position = edit.range.upperBound
    }
    append(position..<bytes.count, from: &line)
    return result
}

/// The ranges of the lines, each with its line feed.
func splitLines(_ bytes: [UInt8]) -> [Range<Int>] {
    var lines: [Range<Int>] = []
    var start = 0
    for (index, byte) in bytes.enumerated() where byte == UInt8(ascii: "\n") {
        lines.append(start..<index + 1)
        start = index + 1
    }
    if start < bytes.count { lines.append(start..<bytes.count) }
    return lines
}

/// Returns for each line a Boolean value that indicates whether removals leave only whitespace of it.
private func emptiedLines(_ lines: [Range<Int>], _ edits: [Edit], _ bytes: [UInt8]) -> [Bool] {
    var result = [Bool](repeating: false, count: lines.count)
    /// The edits that start in a line that is kept, by their position.
    var keepsStart: Set<Int> = []
    var next = 0
    for (index, line) in lines.enumerated() {
        while next < edits.count, edits[next].range.upperBound <= line.lowerBound { next += 1 }
        var position = line.lowerBound
        var isEmptied = false
        var current = next
        while current < edits.count, edits[current].range.lowerBound < line.upperBound {
            let edit = edits[current]
            isEmptied = edit.replacement == nil && isBlank(bytes[position..<max(position, edit.range.lowerBound)])
            if !isEmptied { break }
            position = edit.range.upperBound
            current += 1
        }
        if isEmptied, position < line.upperBound {
            // The rest of a removal whose first line is kept must not join that line with the next one.
            isEmptied = isBlank(bytes[position..<line.upperBound]) && !keepsStart.contains(next)
        }
        result[index] = isEmptied
        guard !isEmptied else { continue }
        var started = next
        while started < edits.count, edits[started].range.lowerBound < line.upperBound {
            if edits[started].range.lowerBound >= line.lowerBound { keepsStart.insert(started) }
            started += 1
        }
    }
    return result
}

private func removeBlankLines(_ lines: [Range<Int>], _ bytes: [UInt8], _ isRemoved: inout [Bool]) {
    func text(_ line: Int) -> ArraySlice<UInt8> { bytes[lines[line]] }
    var line = 0
    while line < lines.count {
        guard isRemoved[line] else {
            line += 1
            continue
        }
        var previous = line - 1
        while previous >= 0, isRemoved[previous] { previous -= 1 }
        let startsBlock = previous < 0 || isBlank(text(previous)) || lastVisible(text(previous)) == UInt8(ascii: "{")
        while line < lines.count, isRemoved[line] || startsBlock && isBlank(text(line)) {
            isRemoved[line] = true
            line += 1
        }
        guard line == lines.count || text(line).first(where: { !isWhitespace($0) }) == UInt8(ascii: "}") else {
            continue
        }
        while previous >= 0, isBlank(text(previous)) {
            isRemoved[previous] = true
            previous -= 1
        }
    }
}

private func isWhitespace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
private func isBlank(_ bytes: ArraySlice<UInt8>) -> Bool { bytes.allSatisfy(isWhitespace) }
private func lastVisible(_ bytes: ArraySlice<UInt8>) -> UInt8? { bytes.last { !isWhitespace($0) } }
