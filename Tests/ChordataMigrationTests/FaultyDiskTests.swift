import CFaultyDisk
@_spi(Generated) import Chordata
import ChordataMigration
import ChordataModel
import ChordataTestSupport
import Foundation
import Testing

/// Migrates a store while one call to the disk fails: the store is old or new, the error is correct, and another
/// attempt completes the migration.
///
/// `CHORDATA_FAULT_STRIDE` is the distance between failing calls: with 1, every call fails once. The tests use the
/// smallest number of changes that cover all kinds of steps; with `CHORDATA_FAULTS=all`, they use all changes of
/// ``PlanMigrationTests``.
@Suite(.serialized)
struct FaultyDiskTests {
    /// Returns the smallest number of changes that cover all kinds of steps in migrations without a stage.
    private static func changes() throws -> [(change: PlanMigrationTests.Change, plan: MigrationPlan)] {
        var all = try PlanMigrationTests.allChanges.compactMap { change in
            try hasDifferentVersionHashes(change) ? (change: change, plan: try plan(change)) : nil
        }
        switch ProcessInfo.processInfo.environment["CHORDATA_FAULTS"] {
        case "all": return all
        case nil, "": break
        case let other?: Issue.record("CHORDATA_FAULTS is '\(other)', not 'all'")
        }
        var missing = Set(all.flatMap { $0.plan.steps.map(\.kind) })
        var chosen: [(change: PlanMigrationTests.Change, plan: MigrationPlan)] = []
        while !missing.isEmpty {
            let index = all.indices.max { left, right in
                missing.intersection(all[left].plan.steps.map(\.kind)).count
                    < missing.intersection(all[right].plan.steps.map(\.kind)).count
            }
            let next = all.remove(at: try #require(index))
            missing.subtract(next.plan.steps.map(\.kind))
            chosen.append(next)
        }
        return chosen
    }

    /// Swapped names do not change the hash, so no store is migrated (`CD0413`).
    private static func hasDifferentVersionHashes(_ change: PlanMigrationTests.Change) throws -> Bool {
        try ManagedObjectModel(entities: change.source).versionHash
            != ManagedObjectModel(entities: change.destination).versionHash
    }

    static func plan(_ change: PlanMigrationTests.Change, isStage: Bool = false) throws -> MigrationPlan {
        let planned = planMigration(
            from: try ManagedObjectModel(entities: change.source),
            to: try ManagedObjectModel(entities: change.destination),
            sourceName: "1",
            destinationName: "2",
            isStage: isStage,
            locate: { _, _ in nil }
        )
        return try #require(planned.plan)
    }

    /// A change that needs stages in the program.
    private static var stagedChange: PlanMigrationTests.Change {
        func person(_ attributes: [AttributeDescription]) -> [EntityDescription] {
            [EntityDescription(name: "Person", attributes: attributes)]
        }
        func text(_ name: String, isOptional: Bool) -> AttributeDescription {
            AttributeDescription(name: name, attributeType: .string, isOptional: isOptional)
        }
        return PlanMigrationTests.Change(
            name: "a name becomes two",
            source: person([text("name", isOptional: true)]),
            destination: person([text("first", isOptional: false), text("last", isOptional: false)]),
            setUp: "INSERT INTO Person (_id, _version, name) VALUES (1, 1, 'A B'), (2, 1, 'C D'), (3, 1, 'E F')",
            query: "",
            rows: []
        )
    }

    /// Stages for this change: one in batches, and one for all objects at once.
    private static let stages: [MigrationStage] = [
        .batched(from: "1", to: "2", entityName: "Person", attributeNames: ["first"], batchSize: 2) { person in
            ["first": (person.value(forKey: "name") as? String)?.prefix(1).description]
        },
        .custom(
            from: "1",
            to: "2",
            didMigrate: { migration in
                for person in try migration.objects.fetch(FetchRequest<ManagedObject>(entityName: "Person")) {
                    let name = try migration.previousValue(forKey: "name", of: person) as? String
                    person.setValue(name?.suffix(1).description, forKey: "last")
                }
            }
        ),
    ]

    /// Creates a new folder.
    ///
    /// The disk fails only for files whose path contains this folder's prefix.
    func withFaultyFolder(_ body: (String) throws -> Void) throws {
        try #require(faulty_disk_install() == 0)
        let folder = FileManager.default.temporaryDirectory.appending(path: "faulty-disk-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }  // The system deletes temporary files.
        try body(folder)
    }

    private func expectOldOrNew(_ trial: FaultyTrial) throws {
        var total = FaultyTrial.Outcomes()
        for fault in FaultyTrial.Fault.allCases {
            let outcomes = try trial.failEveryCall(fault)
            total += outcomes
            if FaultyTrial.stride == 1 { expectAllKinds(outcomes, "\(trial.name), \(fault)") }
        }
        // If some calls are skipped, those of one fault can have the same outcome.
        expectAllKinds(total, trial.name)
    }

    private func expectAllKinds(_ outcomes: FaultyTrial.Outcomes, _ place: String) {
        // After the commit the store is new, whichever call fails then.
        #expect(outcomes.old > 0 && outcomes.new > 0 && outcomes.failures > 0, "\(place): \(outcomes)")
    }

    /// The changes of these tests have steps of all kinds.
    @Test func changesCoverAllKindsOfSteps() throws {
        let plans = try Self.changes().map(\.plan) + [Self.plan(Self.stagedChange, isStage: true)]
        expectEqual(Set(plans.flatMap { $0.allSteps.map(\.kind) }), Set(MigrationStep.Kind.allCases))
    }

    @Test func aStoreIsOldOrNew() throws {
        try withFaultyFolder { folder in
            for (index, (change, plan)) in try Self.changes().enumerated() {
                let trial = try FaultyTrial(change, plan, folder: "\(folder)/\(index)")
                try expectOldOrNew(trial)
                // Another attempt does not depend on the change, so one change is sufficient.
                if index == 0 { try trial.failEveryCall(.once, andAgain: true) }
            }
        }
    }

    @Test func aStoreWithStagesIsOldOrNew() throws {
        try withFaultyFolder { folder in
            let plan = try Self.plan(Self.stagedChange, isStage: true)
            let trial = try FaultyTrial(Self.stagedChange, plan, stages: Self.stages, folder: folder + "/stages")
            #expect(trial.new.contains { $0.contains("\"E\"") && $0.contains("\"F\"") }, "\(trial.new)")
            try expectOldOrNew(trial)
            try trial.failEveryCall(.once, andAgain: true)
        }
    }
}
