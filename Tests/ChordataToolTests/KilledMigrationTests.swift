import Chordata
import ChordataMigration
import ChordataSQL
import ChordataTestSupport
import Foundation
import Testing

/// `kill -9` at a random moment of a migration: the store is completely old or completely new, and another migration
/// finishes.
///
/// `CHORDATA_MIGRATION_KILLS` is the number of kills, and `CHORDATA_MIGRATION_SEED` is the seed.
@Suite(.serialized)
struct KilledMigrationTests {
    /// Versions whose tables are altered, and not rebuilt.
    private static let altered = [
        modelFile(
            entity(
                "Person",
                attribute("name"),
                attribute("kind"),
                #"<attribute name="age" optional="YES" attributeType="Integer 64" indexed="YES"/>"#
            ),
            entity("Employee", parent: "Person", attribute("desk")),
            entity("Guest", parent: "Person", attribute("invitation"))
        ),
        modelFile(
            entity(
                "Person",
                attribute("fullName", was: "name"),
                required("kind", defaultValue: "friend"),
                required("mood", defaultValue: "good")
            ),
            entity("Employee", parent: "Person", attribute("desk"), attribute("phone"))
        ),
    ]

    /// Three versions, whose tables are rebuilt.
    private static let rebuilt = [
        modelFile(
            entity(
                "Person",
                attribute("name"),
                attribute("age", "Integer 64"),
                attribute("note"),
                external("photo"),
                toOne("team", "Team", inverse: "members")
            ),
            entity("Team", attribute("title"), toMany("members", "Person", inverse: "team"))
        ),
        modelFile(
            entity(
                "Person",
                attribute("fullName", was: "name"),
                attribute("age", "Double"),
                attribute("kind", defaultValue: "guest"),
                external("photo"),
                toOne("team", "Team", inverse: "members")
            ),
            entity("Team", attribute("title"), toMany("members", "Person", inverse: "team", isOrdered: true))
        ),
        modelFile(
            entity("Being", attribute("fullName")),
            entity(
                "Person",
                parent: "Being",
                attribute("age", "Decimal", was: "none"),
                attribute("kind", defaultValue: "guest"),
                toMany("teams", "Team", inverse: "members", was: "team")
            ),
            entity("Team", attribute("title"), toMany("members", "Person", inverse: "teams", isOrdered: true))
        ),
    ]

    private static func required(_ name: String, defaultValue: String) -> String {
        #"<attribute name="\#(name)" attributeType="String" defaultValueString="\#(defaultValue)"/>"#
    }

    private static func external(_ name: String) -> String {
        #"<attribute name="\#(name)" optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES"/>"#
    }

    /// The number of kills for each of the three ways to migrate.
    private static var killsOfEach: Int { (setting("CHORDATA_MIGRATION_KILLS", small: 24) + 2) / 3 }

    private static func makeDelays() -> RandomDelays {
        let random = RandomDelays(seed: setting("CHORDATA_MIGRATION_SEED", small: UInt64.random(in: 0..<1_000_000)))
        print("\(killsOfEach) kills, seed \(random.seed)")
        return random
    }

    @Test func aStoreThatIsAlteredIsOldOrNew() async throws {
        try await withWorkspace { workspace in
            let chain = try MigratedChain(workspace, Self.altered, objectsPerEntity: 500)
            expectEqual(
                chain.kinds,
                [.addColumn, .dropColumn, .renameColumn, .updateRows, .deleteRows, .dropIndex],
                "\(chain.kinds)"
            )
            var random = Self.makeDelays()
            try await chain.makeTrial().perform(count: Self.killsOfEach, &random)
        }
    }

    @Test func aStoreThatIsRebuiltIsOldOrNew() async throws {
        try await withWorkspace { workspace in
            let chain = try MigratedChain(workspace, Self.rebuilt, objectsPerEntity: 400)
            var random = Self.makeDelays()
            try await chain.makeTrial().perform(count: Self.killsOfEach, &random)
        }
    }

    /// A program with stages, in batches and for all objects at once.
    ///
    /// A migration that continues with computed values must also finish.
    @Test func aStoreWithStagesIsOldOrNew() async throws {
        try await withWorkspace { workspace in
            let count = 400
            let program = try Program.find("migrating-program")
            let created = try await Program.run(
                program,
                [workspace.path("pristine.sqlite"), "--create", "\(count)"],
                in: workspace.folder
            )
            expectEqual(created.exitCode, 0, "\(created.errors)")
            let name = "'First' || \"number\" || ' Last' || \"number\""
            func expect(_ sql: String, _ connection: SQLiteConnection, _ when: String) throws {
                let found = try connection.rows(
                    "SELECT count(*), count(DISTINCT \"number\") FROM \"Person\" WHERE \(sql)"
                )
                expectEqual(found, [[.integer(Int64(count)), .integer(Int64(count))]], "\(when)")
            }
            let trial = KillTrial(
                workspace: workspace,
                program: program,
                arguments: [workspace.path("m.sqlite"), "--migrate"],
                oldVersion: "1",
                newVersion: "2",
                expectOld: { connection, when in try expect("\"name\" = \(name)", connection, when) },
                expectNew: { connection, when in
                    try expect(
                        "\"first\" || ' ' || \"last\" = \(name) AND \"length\" = length(\(name))",
                        connection,
                        when
                    )
                    let rest = "SELECT \"name\" FROM \"sqlite_schema\" WHERE \"name\" LIKE '\\_stage\\_%' ESCAPE '\\'"
                    #expect(try connection.rows(rest).isEmpty, "\(when)")
                }
            )
            var random = Self.makeDelays()
            try await trial.perform(count: Self.killsOfEach, &random)
        }
    }

    /// The migrations that are killed here have all kinds of steps.
    @Test func allKindsOfStepsAreTried() async throws {
        try await withWorkspace { workspace in
            var kinds: Set<MigrationStep.Kind> = []
            for (index, versions) in [Self.altered, Self.rebuilt].enumerated() {
                let folder = Workspace(folder: workspace.folder.appending(path: "\(index)"))
                kinds.formUnion(try MigratedChain(folder, versions, objectsPerEntity: 1).kinds)
            }
            let staged = try await Program.run(
                try Program.find("migrating-program"),
                ["none", "--kinds"],
                in: workspace.folder
            )
            kinds.formUnion(
                staged.output.split(separator: "\n").compactMap { MigrationStep.Kind(rawValue: String($0)) }
            )
            expectEqual(kinds, Set(MigrationStep.Kind.allCases))
        }
    }
}
