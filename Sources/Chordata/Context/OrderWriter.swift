internal import ChordataSQL

/// The columns that have the order of an ordered relationship: of the members' table, or of a join table.
struct OrderColumns {
    let table, owner, member, order: String
}

/// Writes the places of an object's members in an ordered relationship.
///
/// Places are integers that ascend; they need not follow each other. A save writes as few as it can: for a removal
/// none, for an addition at an end one. An insertion between two members with no integer between their places moves
/// members up or down, to the next gap or to the nearer end.
struct OrderWriter {
    private let columns: OrderColumns
    private let owner: Int64
    /// Also those that are deleted, whose rows are deleted later in the save, or are not there.
    private let members: [ManagedObject]
    private let connection: SQLiteConnection
    private let update: SQLiteStatement

    init(_ columns: OrderColumns, owner: Int64, members: [ManagedObject], _ connection: SQLiteConnection) throws {
        (self.columns, self.owner, self.members, self.connection) = (columns, owner, members, connection)
        // Another context may have moved a member to another object: there it has another place.
        update = try connection.statement(
            """
            UPDATE \(quoteIdentifier(columns.table)) SET \(quoteIdentifier(columns.order)) = ? \
            WHERE \(quoteIdentifier(columns.member)) = ? AND \(quoteIdentifier(columns.owner)) = ?
            """
        )
    }

    /// Writes the places of all members.
    func writeAll() throws {
        for (index, member) in members.enumerated() { try setPlace(Int64(index), of: member) }
    }

    /// Writes the places of inserted members, and of as many others as have to make room for them.
    ///
    /// Where another context has changed the order of the others, the order here replaces it only next to an insertion.
    /// - Complexity: O(k) for k members that were inserted at an end.
    func write(_ inserted: Set<ManagedObject>) throws {
        guard !inserted.isEmpty else { return }
        var places = PlaceReader(columns, owner: owner, connection)
        if try !write(runs(of: inserted), &places) { try writeDifferences() }
    }

    /// Reads the places of all members, and writes as few as are necessary for the order here.
    func writeDifferences() throws {
        var places = PlaceReader(columns, owner: owner, connection)
        let found = try places.readAll()
        let known = members.indices.filter { found[members[$0].key] != nil }
        let ascent = indexesOfLongestAscent(in: known.map { found[members[$0].key]! })
        let moved = Set(members).subtracting(ascent.map { members[known[$0]] })
        if try !write(runs(of: moved), &places) { try writeAll() }
    }

    /// The ranges of members that get new places, in ascending order.
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

    /// - Returns: `false` where the places of the others do not have the order here, or are not known.
    private func write(_ runs: [Range<Int>], _ places: inout PlaceReader) throws -> Bool {
        var written = 0
        for run in runs where run.upperBound > written {
            guard let end = try write(run, before: runs, &places) else { return false }
            written = end
        }
        return true
    }

    /// - Returns: The index up to which the members have their places; `nil` where those of the others do not fit.
    private func write(_ run: Range<Int>, before later: [Range<Int>], _ places: inout PlaceReader) throws -> Int? {
        let count = Int64(run.count)
        let before = run.lowerBound > 0 ? try places.place(of: members[run.lowerBound - 1]) : nil
        let after = run.upperBound < members.count ? try places.place(of: members[run.upperBound]) : nil
        switch (before, after) {
        case (nil, nil):
            guard run == members.indices else { return nil }
            try setPlaces(from: 0, run, &places)
        case (nil, let after?):
            guard run.lowerBound == 0 else { return nil }
            try setPlaces(from: after - count, run, &places)
        case (let before?, nil):
            guard run.upperBound == members.count else { return nil }
            try setPlaces(from: before + 1, run, &places)
        case (let before?, let after?):
            guard before < after else { return nil }
            if after - before > count {
                try setPlaces(from: before + 1, run, &places)
            } else if run.lowerBound < members.count - run.upperBound {
                try setPlaces(from: after - count, run, &places)
                guard try makeRoom(below: after - count, before: run.lowerBound, &places) else { return nil }
            } else {
                try setPlaces(from: before + 1, run, &places)
                return try makeRoom(above: before + count, from: run.upperBound, later, &places)
            }
        }
        return run.upperBound
    }

    /// Moves the members before an index down, until they have places below one.
    private func makeRoom(below place: Int64, before end: Int, _ places: inout PlaceReader) throws -> Bool {
        var limit = place
        for index in (0..<end).reversed() {
            guard let found = try places.place(of: members[index]) else { return false }
            if found < limit { return true }
            limit -= 1
            try setPlaces(from: limit, index..<index + 1, &places)
        }
        return true
    }

    /// Moves the members from an index on up, until they have places above one.
    ///
    /// Members of later runs get their places with them.
    /// - Returns: The index of the first member that was not written.
    private func makeRoom(
        above place: Int64,
        from start: Int,
        _ runs: [Range<Int>],
        _ places: inout PlaceReader
    ) throws -> Int? {
        var limit = place
        var later = runs.drop { $0.lowerBound < start }
        for index in start..<members.count {
            if let run = later.first, run.upperBound <= index { later.removeFirst() }
            if later.first?.contains(index) != true {
                guard let found = try places.place(of: members[index]) else { return nil }
                if found > limit { return index }
            }
            limit += 1
            try setPlaces(from: limit, index..<index + 1, &places)
        }
        return members.count
    }

    private func setPlaces(from place: Int64, _ indexes: Range<Int>, _ places: inout PlaceReader) throws {
        for (offset, index) in indexes.enumerated() {
            try setPlace(place + Int64(offset), of: members[index])
            places.set(place + Int64(offset), of: members[index])
        }
    }

    private func setPlace(_ place: Int64, of member: ManagedObject) throws {
        update.bind(place, at: 1)
        update.bind(member.key, at: 2)
        update.bind(owner, at: 3)
        try update.run()
    }
}

/// Reads places of an object's members: each from the store, or all together.
private struct PlaceReader {
    private let columns: OrderColumns
    private let owner: Int64
    private let connection: SQLiteConnection
    /// By the keys of the members; `nil` before all of them are read.
    private var places: [Int64: Int64]?

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
        var places: [Int64: Int64] = [:]
        while try statement.step() {
            guard let place = place(in: statement) else { continue }
            places[statement.integer(at: 1)] = place
        }
        self.places = places
        return places
    }

    /// - Returns: The place of a member in the store; `nil` for one without a place, and for one of another owner.
    func place(of member: ManagedObject) throws -> Int64? {
        if let places { return places[member.key] }
        let condition = "\(quoteIdentifier(columns.member)) = ?"
        let statement = try connection.statement(
            "SELECT \(selection.columns) FROM \(selection.source) AND \(condition)"
        )
        defer { statement.reset() }
        statement.bind(owner, at: 1)
        statement.bind(member.key, at: 2)
        return try statement.step() ? place(in: statement) : nil
    }

    mutating func set(_ place: Int64, of member: ManagedObject) { places?[member.key] = place }

    private func place(in statement: SQLiteStatement) -> Int64? {
        guard !statement.isNull(at: 0) else { return nil }
        let place = statement.integer(at: 0)
        // From others there is no room to count on; they come from other programs.
        return (-(1 << 62)...(1 << 62)).contains(place) ? place : nil
    }
}

/// Returns the indexes of as many numbers as possible, so that they ascend.
/// - Complexity: O(n log n)
func indexesOfLongestAscent(in numbers: [Int64]) -> [Int] {
    // Of each length, the ascent whose last number is the least.
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
