internal import ChordataSQL

/// Writes the positions of an object's members in an ordered relationship.
///
/// Positions are ascending integers, which are not necessarily consecutive. A save writes as few positions as possible:
/// none for a removal, one for an addition at an end. An insertion between two members with no integer between their
/// positions moves members up or down, to the next gap or to the nearer end.
struct OrderWriter {
    private let columns: OrderColumns
    private let owner: Int64
    /// Includes deleted members, whose rows are deleted later in the save or do not exist.
    private let members: [ManagedObject]
    private let connection: SQLiteConnection
    private let update: SQLiteStatement

    init(_ columns: OrderColumns, owner: Int64, members: [ManagedObject], _ connection: SQLiteConnection) throws {
        (self.columns, self.owner, self.members, self.connection) = (columns, owner, members, connection)
        // Another context may have moved a member to another object: its position in that object's order must not
        // change.
        update = try connection.statement(
            """
            UPDATE \(quoteIdentifier(columns.table)) SET \(quoteIdentifier(columns.order)) = ? \
            WHERE \(quoteIdentifier(columns.member)) = ? AND \(quoteIdentifier(columns.owner)) = ?
            """
        )
    }

    /// Writes the positions of all members.
    func writeAll() throws {
        for (index, member) in members.enumerated() { try setPosition(Int64(index), of: member) }
    }

    /// Writes the positions of inserted members, and of as many other members as necessary to make room for them.
    ///
    /// If another context has reordered the neighbors of an inserted member, the whole order of this context is
    /// written.
    /// - Complexity: O(k) for k members that were inserted at an end.
    func write(_ inserted: Set<ManagedObject>) throws {
        guard !inserted.isEmpty else { return }
        var positions = PositionReader(columns, owner: owner, connection)
        if try !write(runs(of: inserted), &positions) { try writeDifferences() }
    }

    /// Reads the positions of all members, and writes as few positions as are necessary for this context's order.
    func writeDifferences() throws {
        var positions = PositionReader(columns, owner: owner, connection)
        let found = try positions.readAll()
        let known = members.indices.filter { found[members[$0].key] != nil }
        let ascent = indexesOfLongestAscent(in: known.map { found[members[$0].key]! })
        let moved = Set(members).subtracting(ascent.map { members[known[$0]] })
        if try !write(runs(of: moved), &positions) { try writeAll() }
    }

    /// The ranges of members that get new positions, in ascending order.
    private func runs(of moved: Set<ManagedObject>) -> [Range<Int>] {
        let tail = members.lastIndex { !moved.contains($0) }.map { $0 + 1 } ?? 0
        var runs: [Range<Int>] = []
        var (index, rest) = (0, moved.count - (members.count - tail))
        while rest > 0, let start = members[index..<tail].firstIndex(where: moved.contains) {
            let end = members[start..<tail].firstIndex { !moved.contains($0) } ?? tail
            runs.append(start..<end)
            rest -= end - start
            index = end
        }
        if tail < members.count { runs.append(tail..<members.count) }
        return runs
    }

    // MARK: Runs

    /// - Returns: `false` if the positions of the other members are unknown, or do not ascend in this context's order.
    private func write(_ runs: [Range<Int>], _ positions: inout PositionReader) throws -> Bool {
        var written = 0
        for run in runs where run.upperBound > written {
            guard let end = try write(run, before: runs, &positions) else { return false }
            written = end
        }
        return true
    }

    /// - Returns: The index up to which the positions of the members are written; `nil` if the positions of the other
    ///   members do not ascend.
    private func write(_ run: Range<Int>, before later: [Range<Int>], _ positions: inout PositionReader) throws -> Int?
    {
        let count = Int64(run.count)
        let before = run.lowerBound > 0 ? try positions.position(of: members[run.lowerBound - 1]) : nil
        let after = run.upperBound < members.count ? try positions.position(of: members[run.upperBound]) : nil
        switch (before, after) {
        case (nil, nil):
            guard run == members.indices else { return nil }
            try setPositions(from: 0, run, &positions)
        case (nil, let after?):
            guard run.lowerBound == 0 else { return nil }
            try setPositions(from: after - count, run, &positions)
        case (let before?, nil):
            guard run.upperBound == members.count else { return nil }
            try setPositions(from: before + 1, run, &positions)
        case (let before?, let after?):
            guard before < after else { return nil }
            if after - before > count {
                try setPositions(from: before + 1, run, &positions)
            } else if run.lowerBound < members.count - run.upperBound {
                try setPositions(from: after - count, run, &positions)
                guard try makeRoom(below: after - count, before: run.lowerBound, &positions) else { return nil }
            } else {
                try setPositions(from: before + 1, run, &positions)
                return try makeRoom(above: before + count, from: run.upperBound, later, &positions)
            }
        }
        return run.upperBound
    }

    /// Moves the members before an index down until their positions are below the given position.
    private func makeRoom(below position: Int64, before end: Int, _ positions: inout PositionReader) throws -> Bool {
        var limit = position
        for index in (0..<end).reversed() {
            guard let found = try positions.position(of: members[index]) else { return false }
            if found < limit { return true }
            limit -= 1
            try setPositions(from: limit, index..<index + 1, &positions)
        }
        return true
    }

    /// Moves the members from an index on up until their positions are above the given position.
    ///
    /// Members of later runs get their positions at the same time.
    /// - Returns: The index of the first member that was not written.
    private func makeRoom(
        above position: Int64,
        from start: Int,
        _ runs: [Range<Int>],
        _ positions: inout PositionReader
    ) throws -> Int? {
        var limit = position
        var later = runs.drop { $0.lowerBound < start }
        for index in start..<members.count {
            if let run = later.first, run.upperBound <= index { later.removeFirst() }
            if later.first?.contains(index) != true {
                guard let found = try positions.position(of: members[index]) else { return nil }
                if found > limit { return index }
            }
            limit += 1
            try setPositions(from: limit, index..<index + 1, &positions)
        }
        return members.count
    }

    private func setPositions(from position: Int64, _ indexes: Range<Int>, _ positions: inout PositionReader) throws {
        for (offset, index) in indexes.enumerated() {
            try setPosition(position + Int64(offset), of: members[index])
            positions.set(position + Int64(offset), of: members[index])
        }
    }

    private func setPosition(_ position: Int64, of member: ManagedObject) throws {
        update.bind(position, at: 1)
        update.bind(member.key, at: 2)
        update.bind(owner, at: 3)
        try update.run()
    }
}

/// Reads the positions of an object's members from the store: one at a time, or all together.
private struct PositionReader {
    private let columns: OrderColumns
    private let owner: Int64
    private let connection: SQLiteConnection
    /// The positions, by the keys of the members; `nil` before all of them are read.
    private var positions: [Int64: Int64]?

    init(_ columns: OrderColumns, owner: Int64, _ connection: SQLiteConnection) {
        (self.columns, self.owner, self.connection) = (columns, owner, connection)
    }

    private var selection: (columns: String, source: String) {
        let source = "\(quoteIdentifier(columns.table)) WHERE \(quoteIdentifier(columns.owner)) = ?"
        return ("\(quoteIdentifier(columns.order)), \(quoteIdentifier(columns.member))", source)
    }

    mutating func readAll() throws -> [Int64: Int64] {
        let statement = try connection.statement("SELECT \(selection.columns) FROM \(selection.source)")
        defer { statement.reset() }
        statement.bind(owner, at: 1)
        var positions: [Int64: Int64] = [:]
        while try statement.step() {
            guard let position = position(in: statement) else { continue }
            positions[statement.integer(at: 1)] = position
        }
        self.positions = positions
        return positions
    }

    /// - Returns: The position of a member in the store; `nil` for a member that has no position or another owner.
    func position(of member: ManagedObject) throws -> Int64? {
        if let positions { return positions[member.key] }
        let condition = "\(quoteIdentifier(columns.member)) = ?"
        let statement = try connection.statement(
            "SELECT \(selection.columns) FROM \(selection.source) AND \(condition)"
        )
        defer { statement.reset() }
        statement.bind(owner, at: 1)
        statement.bind(member.key, at: 2)
        return try statement.step() ? position(in: statement) : nil
    }

    mutating func set(_ position: Int64, of member: ManagedObject) { positions?[member.key] = position }

    private func position(in statement: SQLiteStatement) -> Int64? {
        guard !statement.isNull(at: 0) else { return nil }
        let position = statement.integer(at: 0)
        // Differences of greater numbers could overflow; only other programs write them.
        return (-(1 << 61)...(1 << 61)).contains(position) ? position : nil
    }
}

/// Returns the indexes of the longest ascending subsequence of the numbers.
/// - Complexity: O(n log n)
func indexesOfLongestAscent(in numbers: [Int64]) -> [Int] {
    // For each length, the index of the smallest number that can end an ascending subsequence of this length.
    var lasts: [Int] = []
    var previous = Array(repeating: -1, count: numbers.count)
    for (index, number) in numbers.enumerated() {
        var (low, high) = (0, lasts.count)
        while low < high {
            let middle = (low + high) / 2
            if numbers[lasts[middle]] < number { low = middle + 1 } else { high = middle }
        }
        if low > 0 { previous[index] = lasts[low - 1] }
        if low < lasts.count { lasts[low] = index } else { lasts.append(index) }
    }
    var indexes: [Int] = []
    var index = lasts.last ?? -1
    while index >= 0 {
        indexes.append(index)
        index = previous[index]
    }
    return indexes.reversed()
}
