/// Saves one changed player at a time, as a hand-written program would.
final class BareWriter {
    /// A row, as it was read.
    typealias Row = (key: Int64, version: Int64, score: Int64)

    private let connection: BareConnection
    private let schema: String
    private let versionHash: String
    /// A Boolean value that indicates whether the statements are those of Chordata, which record the changes, are
    /// executed only once, and check the version of the model.
    private let sendsAll: Bool
    private let buffer = BareBuffer()
    private let settings = BareBuffer()
    private let note = BareBuffer()
    private var number: Int64 = 0

    init(_ stores: Stores, sendsAll: Bool) throws {
        self.sendsAll = sendsAll
        schema = stores.bareSchema(.all)
        connection = try stores.bareConnection(.all)
        versionHash = try connection.text("SELECT \"value\" FROM \"_metadata\" WHERE \"key\" = 'versionHash'")
        // Each comparison is another program.
        number = try connection.integers("SELECT coalesce(max(\"number\"), 0) FROM \"_save\" WHERE \"origin\" = -1")[0]
        for (name, sql) in Self.statements { try connection.prepare(name, sql) }
    }

    private static let statements = [
        ("begin", "BEGIN"), ("commit", "COMMIT"),
        ("select", "SELECT \"_id\", \"_version\", \"score\" FROM \"Player\" WHERE \"_id\" = ANY($1::bigint[])"),
        ("update", "\(update) WHERE \"_id\" = $1 AND \"_version\" = $2"),
        (
            "counted",
            "WITH w AS (\(update) WHERE \"_id\" = $1 AND \"_version\" = $2 RETURNING 1) "
                + "SELECT 1 / (count(*) = 1)::int FROM w"
        ), ("settings", "SELECT set_config('search_path', $1, true), pg_advisory_xact_lock_shared($2)"),
        (
            "note",
            "INSERT INTO \"_save\" (\"origin\", \"number\", \"at\", \"changes\") SELECT -1, $1::bigint, 0, $2::text "
                + "WHERE 1 / coalesce((SELECT \"value\" = $3 FROM \"_metadata\" WHERE \"key\" = 'versionHash'), false)::int = 1"
        ),
    ]
    private static let update = "UPDATE \"Player\" SET \"score\" = $3, \"_version\" = \"_version\" + 1"

    /// Reads rows.
    func rows(_ keys: [Int64]) throws -> [Row] {
        buffer.removeAll()
        buffer.beginArray(of: 20, count: keys.count)
        for key in keys { buffer.add(key) }
        var rows: [Row] = []
        try connection.run([("select", buffer)]) { rows.append(($0[0].integer, $0[1].integer, $0[2].integer)) }
        return rows
    }

    /// Adds 1 to the score of a row.
    func save(_ row: Row) throws {
        buffer.removeAll()
        for number in [row.key, row.version, row.score + 1] {
            buffer.beginArgument()
            buffer.addBytes(of: number)
        }
        guard sendsAll else {
            let count = try connection.run([("begin", nil), ("update", buffer), ("commit", nil)])
            guard count == 1 else { throw BareError(message: "the player has another version") }
            return
        }
        settings.removeAll()
        settings.beginArgument()
        settings.addBytes(of: "\(schema), pg_catalog, pg_temp")
        settings.beginArgument()
        settings.addBytes(of: Int64(42))
        number += 1
        note.removeAll()
        note.beginArgument()
        note.addBytes(of: number)
        note.beginArgument()
        note.addBytes(
            of: "{\"Player\":{\"properties\":[\"score\"],\"updated\":[[\(row.key),\(row.version + 1),0]]}}"
        )
        note.beginArgument()
        note.addBytes(of: versionHash)
        // The statement fails if the player has another version.
        try connection.run([
            ("begin", nil), ("settings", settings), ("note", note), ("counted", buffer), ("commit", nil),
        ])
    }
}
