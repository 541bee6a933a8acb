import Chordata
import ChordataDiagnostics
import ChordataMigration
import ChordataModel
import ChordataSQL
import ChordataTestSupport
import ChordataVerification
import Foundation
import Testing

/// Random models with objects, and random edits of both.
///
/// A migrated store has the objects that result from the edits, and the schema of a fresh store, and the rules of
/// `migrate verify` agree with the edits.
///
/// `CHORDATA_MIGRATION_PAIRS` is the number of pairs of models, and `CHORDATA_MIGRATION_SEED` is the first seed.
struct RandomMigrationTests {
    private struct Tally {
        var refused = 0
        var stopped = 0
        var edits: [String: Int] = [:]
    }

    @Test func migratedStoresHaveTheExpectedContents() throws {
        let first = setting("CHORDATA_MIGRATION_SEED", small: UInt64(1))
        let count = setting("CHORDATA_MIGRATION_PAIRS", small: UInt64(100))
        print("seeds \(first) to \(first + count - 1)")
        let folder = FileManager.default.temporaryDirectory.appending(path: "random-migrations-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }  // The system deletes temporary files.
        var tally = Tally()
        for seed in first..<first + count {
            do {
                try check(seed, folder, &tally)
            } catch {
                Issue.record("seed \(seed): \(error)")
            }
        }
        print(
            "\(tally.refused) not inferred, \(tally.stopped) stopped by values; \(tally.edits.sorted { $0.key < $1.key })"
        )
        // Most migrations can be inferred, and some cannot.
        #expect(tally.refused < Int(count) / 2)
        guard count >= 500 else { return }
        #expect(tally.refused > 0 && tally.stopped > 0)
        expectEqual(RandomPair.editNames.subtracting(tally.edits.keys), [], "edits that were never made")
    }

    private func check(_ seed: UInt64, _ folder: URL, _ tally: inout Tally) throws {
        let pair = try RandomPair(seed: seed)
        for edit in pair.edits { tally.edits[edit, default: 0] += 1 }
        let isInferable = pair.isInferable
        #expect(
            (pair.planned.plan != nil) == isInferable,
            "\(pair.story)\n\(pair.planned.diagnostics.filter { $0.id == .migrationNotInferred }.map(\.message))"
        )
        if !pair.after.stops, !isInferable || seed % 5 == 0 { try checkStage(pair) }
        guard let plan = pair.planned.plan, isInferable else {
            tally.refused += 1
            return
        }
        let database = try pair.makeDatabase()
        let written = try StoreContents.read(from: database.connection, makeSchemaMapping(of: pair.source))
        let asWritten = written.unexpectedValues + written.contents.differences(from: pair.before.contents)
        expectEqual(asWritten, [], "seed \(seed) as written")
        let sql = renderMigration(plan)
        // Not all changes affect stores (rules and identifiers do not), and changes that do not must not require a
        // migration.
        let isSeen = pair.source.versionHash != pair.destination.versionHash
        if seed % 10 == 0, isSeen {
            let problems = try pair.problemsOfRuntime(sql, folder: folder)
            expectEqual(problems, [], "\(pair.story), by the runtime\n\(sql)")
        }
        if pair.after.stops {
            tally.stopped += 1
            let problems = try pair.problemsOfStopping(sql)
            expectEqual(problems, [], "\(pair.story)\n\(sql)")
            return
        }
        let problems = try pair.problems(of: sql)
        expectEqual(problems, [], "\(pair.story)\n\(sql)")
        let ruled = pair.before.contents.migrated(
            by: ModelMatch(source: pair.source, destination: pair.destination)
        )
        expectEqual(ruled.differences(from: pair.after.contents), [], "\(pair.story), by the rules of verification")
        let changesNothing: Set = [
            "change rules", "clear attribute's identifier", "clear entity's identifier",
            "clear relationship's identifier",
        ]
        if changesNothing.isSuperset(of: pair.edits) {
            expectEqual(plan.allSteps.map(\.kind), [], "\(pair.story)\n\(sql)")
        }
    }

    /// In a step with a stage, the store has the tables of a fresh store when the stage runs, and all objects that are
    /// not removed, whatever the pair.
    private func checkStage(_ pair: RandomPair) throws {
        let (source, destination) = (pair.source, pair.destination)
        let planned = planMigration(
            from: source,
            to: destination,
            sourceName: "1",
            destinationName: "2",
            isStage: true,
            locate: { _, _ in nil }
        )
        var plan = try #require(planned.plan, "\(pair.story)\n\(planned.diagnostics.map(\.message))")
        // The checks after the stage are for the changes that the stage makes.
        plan.stage?.steps.removeAll { $0.kind == .check }
        let sql = renderMigration(plan)
        let database = try pair.makeDatabase()
        do {
            try RandomPair.run(sql, in: database)
        } catch {
            Issue.record("\(pair.story), with a stage\n\(error)\n\(sql)")
            return
        }
        let schema = try database.schema().symmetricDifference(RandomPair.freshSchema(of: destination))
        expectEqual(schema.sorted(), [], "\(pair.story), with a stage\n\(sql)")
        let match = ModelMatch(source: source, destination: destination)
        let kept = pair.before.contents.objects.filter { match.destinationEntity(of: $0.value.entityName) != nil }
        let tables = Set(makeSchemaMapping(of: destination).entities.map(\.tableName)).sorted()
        let rows = try tables.flatMap { try database.rows("SELECT _id FROM \(quoteIdentifier($0))") }
        expectEqual(Set(rows), Set(kept.keys.map { "\($0)" }), "\(pair.story), with a stage\n\(sql)")
        #expect(try database.rows("PRAGMA foreign_key_check").isEmpty, "\(pair.story), with a stage\n\(sql)")
    }

    /// The checks above detect a missing step.
    @Test func missingStepsAreDetected() throws {
        var missed: Set<MigrationStep.Kind> = [
            .copyRows, .updateRows, .deleteRows, .renameColumn, .addColumn, .dropColumn, .createTable, .renameTable,
            .createIndex, .dropTable, .check,
        ]
        for seed: UInt64 in 1...400 where !missed.isEmpty {
            let pair = try RandomPair(seed: seed)
            guard let plan = pair.planned.plan, pair.isInferable else { continue }
            for kind in missed.sorted(by: { $0.rawValue < $1.rawValue }) {
                guard let index = plan.steps.firstIndex(where: { $0.kind == kind }) else { continue }
                var broken = plan
                broken.steps.remove(at: index)
                let sql = renderMigration(broken)
                let problems = try pair.after.stops ? pair.problemsOfStopping(sql) : pair.problems(of: sql)
                if !problems.isEmpty { missed.remove(kind) }
            }
        }
        #expect(missed.isEmpty, "a missing step of these kinds is not reported")
    }
}
