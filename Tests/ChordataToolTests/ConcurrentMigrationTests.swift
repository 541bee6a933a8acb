import Chordata
import ChordataSQL
import ChordataTestSupport
import Foundation
import Testing

/// Two programs that migrate one store at the same time.
struct ConcurrentMigrationTests {
    /// `CHORDATA_MIGRATION_ROUNDS` is the number of rounds.
    @Test func oneOfTwoMigrates() async throws {
        try await withWorkspace { workspace in
            let chain = try MigratedChain(
                workspace,
                [
                    modelFile(entity("Person", attribute("name"), attribute("age", "Integer 64"))),
                    modelFile(entity("Person", attribute("fullName", was: "name"), attribute("age", "Double"))),
                ],
                objectsPerEntity: 1_000
            )
            for round in 1...setting("CHORDATA_MIGRATION_ROUNDS", small: 5) {
                for ending in ["", "-wal", "-shm"] where workspace.exists("m.sqlite" + ending) {
                    try FileManager.default.removeItem(atPath: workspace.path("m.sqlite" + ending))
                }
                try FileManager.default.copyItem(
                    atPath: workspace.path("pristine.sqlite"),
                    toPath: workspace.path("m.sqlite")
                )
                async let first = migrate(workspace)
                async let second = migrate(workspace)
                for result in try await [first, second] {
                    expectEqual(result.exitCode, 0, "round \(round): \(result.errors)")
                }
                let connection = try SQLiteConnection(path: workspace.path("m.sqlite"), mode: .readWriteCreate)
                let steps = try connection.rows("SELECT \"source\", \"destination\" FROM \"_migration\"")
                expectEqual(steps, [[.text("M 1"), .text("M 2")]], "round \(round)")
                try chain.expectNew(connection, "round \(round)")
                expectEqual(try connection.rows("PRAGMA integrity_check"), [[.text("ok")]], "round \(round)")
            }
        }
    }

    private func migrate(_ workspace: Workspace) async throws -> Program.Result {
        try await workspace.chordata("migrate", "run", "m.sqlite", "--model", "M.xcdatamodeld")
    }
}
