import ChordataFiles
import ChordataMigration
import ChordataModel
import ChordataModelFile
import ChordataTestSupport
import Foundation
import Testing

@testable import Chordata

/// The runtime only has the text of a plan.
///
/// The properties that it derives from the text must equal those of the steps.
struct StepPropertyTests {
    /// Plans whose properties are compared, with the number of steps that have each property.
    private struct Tally {
        var plans = 0
        var droppedColumns = 0
        var changedNames = 0
        var rewrites = 0

        mutating func add(_ plan: MigrationPlan) {
            plans += 1
            droppedColumns += plan.allSteps.count { $0.droppedColumn != nil }
            changedNames += plan.allSteps.count { $0.changesColumnNames }
            rewrites += plan.allSteps.count { $0.rewritesRows }
        }

        /// A Boolean value that indicates whether each property applies to some steps, but not to all.
        var isSufficient: Bool { droppedColumns > 0 && changedNames > droppedColumns && rewrites > changedNames }
    }

    private func check(
        _ source: ManagedObjectModel,
        _ destination: ManagedObjectModel,
        _ name: String,
        _ tally: inout Tally
    ) {
        for isStage in [false, true] {
            let planned = planMigration(
                from: source,
                to: destination,
                sourceName: "1",
                destinationName: "2",
                isStage: isStage,
                locate: { _, _ in nil }
            )
            guard let plan = planned.plan else { continue }
            tally.add(plan)
            expectEqual(differences(plan), [], "\(name), stage: \(isStage)\n\(renderMigration(plan))")
        }
    }

    /// The properties that the runtime derives from the text of a plan and that differ from those of its steps.
    private func differences(_ plan: MigrationPlan) -> [String] {
        let script = MigrationScript(renderMigration(plan))
        let expected = plan.allSteps.flatMap { step in step.statements.map { (step: step, sql: $0) } }
        var differences: [String] = []
        if script.statements.map(\.sql) != expected.map(\.sql) { return ["statements: \(script.statements)"] }
        if script.stagePlace != plan.stage.map({ _ in plan.steps.flatMap(\.statements).count }) {
            differences.append("place of the stage: \(script.stagePlace ?? -1)")
        }
        for (statement, (step, sql)) in zip(script.statements, expected) {
            let dropped = statement.droppedColumn.map { [$0.table, $0.name] }
            if dropped != step.droppedColumn.map({ [$0.table, $0.column] }) { differences.append("drops: \(sql)") }
            if statement.changesColumns != step.changesColumnNames { differences.append("changes columns: \(sql)") }
            if !step.comments.isEmpty, statement.comment != step.comments.map(oneLine).joined(separator: "; ") {
                differences.append("comment: \(sql)")
            }
        }
        for step in plan.allSteps {
            let rewriting = MigrationScript(step.statements.joined(separator: ";\n")).rewritingStatements
            if rewriting.isEmpty == step.rewritesRows { differences.append("rewrites rows: \(step.statements)") }
        }
        return differences
    }

    @Test func plannedChangesHaveThem() throws {
        var tally = Tally()
        for change in PlanMigrationTests.allChanges {
            let (source, destination) = (
                try ManagedObjectModel(entities: change.source), try ManagedObjectModel(entities: change.destination)
            )
            check(source, destination, change.name, &tally)
            check(destination, source, "\(change.name), reversed", &tally)
        }
        #expect(tally.isSufficient, "\(tally)")
    }

    @Test func goldenCasesHaveThem() throws {
        let cases = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "GoldenTests/Cases").path
        let files = try #require(FileManager.default.enumerator(atPath: cases)).compactMap { $0 as? String }
        var tally = Tally()
        for file in files.sorted() where file.hasSuffix(".xcdatamodeld") {
            // Some of the models have errors.
            guard let versions = loadModelBundle(at: "\(cases)/\(file)").bundle?.versions else { continue }
            for (old, new) in zip(versions, versions.dropFirst()) { check(old.model, new.model, file, &tally) }
        }
        #expect(tally.plans > 0)
    }

    @Test func randomPlansHaveThem() throws {
        let first = setting("CHORDATA_MIGRATION_SEED", small: UInt64(1))
        let count = setting("CHORDATA_MIGRATION_PAIRS", small: UInt64(100))
        var tally = Tally()
        for seed in first..<first + count {
            let pair = try RandomPair(seed: seed)
            check(pair.source, pair.destination, pair.story, &tally)
            check(pair.destination, pair.source, "\(pair.story), reversed", &tally)
        }
        #expect(tally.isSufficient, "\(tally)")
    }
}
