import Chordata
import ChordataPostgres

/// The stores of one number of players: those of Chordata, and tables of the bare program with the same rows, columns
/// and indexes, each in a schema of its own.
final class Stores {
    /// The contents of a store.
    enum Content: String, CaseIterable { case all, teams }

    let sample: Sample
    let connectionString: String
    /// The connection that prepares and checks.
    let administrator: BareConnection

    /// Creates and fills the stores.
    init(_ sample: Sample, _ connectionString: String) throws {
        self.sample = sample
        self.connectionString = connectionString
        administrator = try BareConnection(connectionString)
        for content in Content.allCases { try create(content) }
    }

    /// Returns the schema of Chordata's store.
    func schema(_ content: Content) -> String { "chordata_\(content)" }
    /// Returns the schema of the bare program's tables.
    func bareSchema(_ content: Content) -> String { "bare_\(content)" }

    /// Opens a store with the default configuration, or with one that does not record changes.
    func container(_ content: Content, recordsChanges: Bool = true) throws -> PersistentContainer {
        var configuration = PostgresConfiguration(connectionString, schema: schema(content))
        configuration.recordsChanges = recordsChanges
        // A save of ten million rows takes longer than the default.
        configuration.statementTimeout = nil
        return try PersistentContainer(model: LeagueModel.definition, postgres: configuration)
    }

    /// Opens a connection of the bare program, on which names without a schema refer to its tables.
    func bareConnection(_ content: Content) throws -> BareConnection {
        let connection = try BareConnection(connectionString)
        try connection.execute("SET search_path = \(bareSchema(content))")
        return connection
    }

    /// Returns the row keys of the teams, which are the same for both contestants.
    func teamKeys(_ content: Content) throws -> [Int64] {
        try administrator.integers("SELECT \"_id\" FROM \(bareSchema(content)).\"Team\" ORDER BY \"_id\"")
    }

    /// Removes all players from the tables of a contestant.
    func removePlayers(_ schema: String) throws { try administrator.execute("TRUNCATE \(schema).\"Player\"") }

    /// Returns a number that depends on all players in the tables of a contestant, without their keys.
    func checksum(_ schema: String) throws -> Int {
        let hash = "hashtextextended((to_jsonb(p) - '_id')::text, 0) % 1000003"
        let sum = "SELECT sum(\(hash))::bigint FROM \(schema).\"Player\" AS p"
        return Int(try administrator.integers(sum)[0])
    }

    /// Removes the schemas.
    func remove() throws {
        for content in Content.allCases {
            for schema in [schema(content), bareSchema(content)] {
                try administrator.execute("DROP SCHEMA \(schema) CASCADE")
            }
        }
    }

    private func create(_ content: Content) throws {
        try fill(try container(content), content)
        let (schema, bare) = (schema(content), bareSchema(content))
        try administrator.execute("CREATE SCHEMA \(bare)")
        for table in ["\"Team\"", "\"Player\""] {
            try administrator.execute(
                "CREATE TABLE \(bare).\(table) (LIKE \(schema).\(table) INCLUDING ALL) WITH (fillfactor = 90)"
            )
            try administrator.execute("INSERT INTO \(bare).\(table) SELECT * FROM \(schema).\(table) ORDER BY \"_id\"")
        }
        // For the workload in which the bare program sends the statements of Chordata.
        for table in ["\"_save\"", "\"_metadata\""] {
            try administrator.execute("CREATE TABLE \(bare).\(table) (LIKE \(schema).\(table) INCLUDING ALL)")
        }
        try administrator.execute("INSERT INTO \(bare).\"_metadata\" SELECT * FROM \(schema).\"_metadata\"")
        try administrator.execute(
            "ALTER TABLE \(bare).\"Player\" ADD FOREIGN KEY (\"team\") REFERENCES \(bare).\"Team\" (\"_id\") "
                + "ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED"
        )
        for schema in [schema, bare] {
            for table in ["\"Team\"", "\"Player\""] {
                try administrator.execute("VACUUM (ANALYZE) \(schema).\(table)")
            }
        }
    }

    private func fill(_ container: PersistentContainer, _ content: Content) throws {
        let context = container.newContext()
        let teams = try context.insertValues(
            (0..<sample.teamCount).map {
                Team.Values(objectID: ObjectID(), name: "Team \($0)", city: "City \($0 % 100)")
            }
        )
        guard content == .all else { return }
        let size = 100_000
        for start in stride(from: 0, to: sample.players.count, by: size) {
            let players = sample.players[start..<min(start + size, sample.players.count)]
            try context.insertValues(players.map { Player.Values($0, team: teams[$0.team]) })
        }
    }
}

extension Player.Values {
    /// Creates the values of a player that is not in the store yet.
    init(_ sample: Sample.Player, team: ObjectID<Team>) {
        self.init(
            objectID: ObjectID(),
            name: sample.name,
            age: sample.age,
            salary: sample.salary,
            joined: sample.joined,
            active: sample.active,
            uuid: sample.uuid,
            note: sample.note,
            score: sample.score,
            team: team
        )
    }
}
