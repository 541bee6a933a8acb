/// The insertion of players by a program without any library, in one transaction.
struct BareInserter {
    let connection: BareConnection
    /// The schema and the name of the table.
    let table: String
    let teamKeys: [Int64]

    /// The object IDs of PostgreSQL's types.
    private enum TypeID {
        static let boolean: UInt32 = 16
        static let integer: UInt32 = 20
        static let text: UInt32 = 25
        static let real: UInt32 = 701
        static let uuid: UInt32 = 2950
    }

    /// Inserts players with one COPY.
    func copy(_ players: [Sample.Player]) throws {
        let sql = "COPY \(table) (\(BarePlayer.columns)) FROM STDIN (FORMAT binary)"
        try connection.copy(sql, count: players.count) { index, buffer in
            buffer.addBytes(of: Int16(11))
            let player = players[index]
            buffer.add(Int64(index + 1))
            buffer.add(Int64(1))
            buffer.add(player.name)
            buffer.add(player.age)
            buffer.add(player.salary)
            buffer.add(player.joined.timeIntervalSinceReferenceDate)
            buffer.add(player.active)
            buffer.add(player.uuid)
            buffer.add(player.note)
            buffer.add(player.score)
            buffer.add(teamKeys[player.team])
        }
    }

    /// Prepares the statements of ``insertArrays(_:)``.
    func prepareArrays() throws {
        let types = [
            "bigint", "bigint", "text", "bigint", "float8", "float8", "bool", "uuid", "text", "bigint", "bigint",
        ]
        let arrays = types.enumerated().map { "$\($0 + 1)::\($1)[]" }.joined(separator: ", ")
        try connection.prepare("begin", "BEGIN")
        try connection.prepare("commit", "COMMIT")
        try connection.prepare(
            "insert",
            "INSERT INTO \(table) (\(BarePlayer.columns)) SELECT * FROM unnest(\(arrays))"
        )
    }

    /// Inserts players with an array for each column, 10,000 with each statement, in one round trip.
    func insertArrays(_ players: [Sample.Player]) throws {
        let size = 10_000
        var statements: [BareConnection.Statement] = [("begin", nil)]
        for start in stride(from: 0, to: players.count, by: size) {
            statements.append(("insert", arrays(players, start..<min(start + size, players.count))))
        }
        let count = try connection.run(statements + [("commit", nil)])
        guard count == players.count else { throw BareError(message: "\(count) players were inserted") }
    }

    private func arrays(_ players: [Sample.Player], _ range: Range<Int>) -> BareBuffer {
        let buffer = BareBuffer()
        func column(_ type: UInt32, _ add: (Int, Sample.Player) -> Void) {
            buffer.beginArray(of: type, count: range.count)
            for index in range { add(index, players[index]) }
        }
        column(TypeID.integer) { index, _ in buffer.add(Int64(index + 1)) }
        column(TypeID.integer) { _, _ in buffer.add(Int64(1)) }
        column(TypeID.text) { buffer.add($1.name) }
        column(TypeID.integer) { buffer.add($1.age) }
        column(TypeID.real) { buffer.add($1.salary) }
        column(TypeID.real) { buffer.add($1.joined.timeIntervalSinceReferenceDate) }
        column(TypeID.boolean) { buffer.add($1.active) }
        column(TypeID.uuid) { buffer.add($1.uuid) }
        column(TypeID.text) { buffer.add($1.note) }
        column(TypeID.integer) { buffer.add($1.score) }
        column(TypeID.integer) { buffer.add(teamKeys[$1.team]) }
        return buffer
    }
}
