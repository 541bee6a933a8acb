import Chordata
import ChordataDiagnostics
import ChordataMigration
import ChordataModel
import ChordataSQL
import ChordataVerification
import Foundation
import Testing

/// Random models with objects, and random edits of both: a migrated store has the objects that the edits make, and the schema of a
/// fresh one; and the rules of `migrate verify` say the same as the edits.
///
/// `CHORDATA_MIGRATION_PAIRS` says how many pairs of models, `CHORDATA_MIGRATION_SEED` with which seed to begin.
struct RandomMigrationTests {
    private static let edits: [@Sendable (inout World) -> Bool] = [
        { world in
            guard let name = world.entities.map(\.name).randomElement(using: &world.random) else { return false }
            world.addAttribute(to: name, isNew: true)
            return true
        },
        { $0.removeAttribute() }, { $0.renameAttribute() }, { $0.swapAttributes() }, { $0.requireAttribute() },
        { $0.freeAttribute() }, { $0.retypeAttribute() }, { $0.toggleTransience() }, { $0.toggleExternalStorage() },
        { $0.moveAttributeUp() }, { $0.moveAttributeDown() },
        { $0.addNewEntity() }, { $0.removeEntity() }, { $0.renameEntity() }, { $0.swapEntities() },
        { $0.insertSuperentity() }, { $0.toggleAbstract() }, { $0.leaveHierarchy() }, { $0.joinHierarchy() },
        { $0.addNewRelationship() }, { $0.removeRelationship() }, { $0.renameRelationship() }, { $0.toggleToMany() },
        { $0.toggleOrder() }, { $0.addInverse() }, { $0.retarget() },
    ]

    private static func number(_ key: String, _ standard: UInt64) -> UInt64 {
        ProcessInfo.processInfo.environment[key].flatMap { UInt64($0) } ?? standard
    }

    @Test func migratedStoresHaveWhatTheEditsMake() throws {
        let first = Self.number("CHORDATA_MIGRATION_SEED", 1)
        let count = Self.number("CHORDATA_MIGRATION_PAIRS", 500)
        print("seeds \(first) to \(first + count - 1)")
        var refused = 0
        for seed in first..<first + count { refused += try check(seed) ? 0 : 1 }
        // Most can be inferred, and some cannot.
        #expect(refused < Int(count) / 2)
        #expect(count < 100 || refused > 0)
    }

    /// - Returns: whether the migration could be inferred.
    private func check(_ seed: UInt64) throws -> Bool {
        var world = World(seed: seed)
        world.populate()
        let (before, source) = (world, try world.model())
        for _ in 0..<world.random.below(4) + 1 {
            for _ in 0..<20 where world.random.pick(Self.edits)(&world) { break }
        }
        let isInferable = world.isInferable(from: before)
        let destination = try world.model()
        let planned = planMigration(
            from: source,
            to: destination,
            sourceName: "1",
            destinationName: "2",
            locate: { _, _ in nil }
        )
        let story = "seed \(seed): " + world.story.joined(separator: "; ")
        #expect(
            (planned.plan != nil) == isInferable,
            "\(story)\n\(planned.diagnostics.filter { $0.id == .migrationNotInferred }.map(\.message))"
        )
        if !isInferable || seed % 5 == 0 { try checkStage(before, source, destination, story) }
        guard let plan = planned.plan, isInferable else { return false }
        let database = try ScratchDatabase()
        let mapping = makeSchemaMapping(of: source)
        for statement in renderSchema(mapping) { try database.run(statement) }
        try before.contents.write(to: database.connection, mapping)
        let written = try StoreContents.read(from: database.connection, mapping)
        #expect(written.strays + written.contents.differences(from: before.contents) == [], "seed \(seed) as written")
        let sql = renderMigration(plan)
        do {
            try database.run("PRAGMA foreign_keys=OFF; BEGIN; \(sql)COMMIT; PRAGMA foreign_keys=ON")
        } catch {
            Issue.record("\(story)\n\(error)\n\(sql)")
            return true
        }
        let fresh = try ScratchDatabase()
        for statement in renderSchema(makeSchemaMapping(of: destination)) { try fresh.run(statement) }
        let (schema, wanted) = (try database.schema(), try fresh.schema())
        #expect(schema.symmetricDifference(wanted).sorted() == [], "\(story)\n\(sql)")
        let read = try StoreContents.read(from: database.connection, makeSchemaMapping(of: destination))
        #expect(read.strays + read.contents.differences(from: world.contents) == [], "\(story)\n\(sql)")
        let ruled = before.contents.migrated(by: ModelMatch(source: source, destination: destination))
        #expect(ruled.differences(from: world.contents) == [], "\(story)")
        #expect(try database.rows("PRAGMA foreign_key_check").isEmpty, "\(story)\n\(sql)")
        #expect(try database.rows("PRAGMA integrity_check") == ["ok"], "\(story)")
        return true
    }

    /// Whatever the pair, a step with a stage has the tables of a fresh store where the stage runs, and all objects that are not removed.
    private func checkStage(
        _ before: World,
        _ source: ManagedObjectModel,
        _ destination: ManagedObjectModel,
        _ story: String
    ) throws {
        let planned = planMigration(
            from: source,
            to: destination,
            sourceName: "1",
            destinationName: "2",
            isStage: true,
            locate: { _, _ in nil }
        )
        var plan = try #require(planned.plan, "\(story)\n\(planned.diagnostics.map(\.message))")
        // What is checked behind the stage is its own work.
        plan.stage?.steps = []
        let sql = renderMigration(plan)
        let database = try ScratchDatabase()
        let mapping = makeSchemaMapping(of: source)
        for statement in renderSchema(mapping) { try database.run(statement) }
        try before.contents.write(to: database.connection, mapping)
        do {
            try database.run("PRAGMA foreign_keys=OFF; BEGIN; \(sql)COMMIT; PRAGMA foreign_keys=ON")
        } catch {
            Issue.record("\(story)\n\(error)\n\(sql)")
            return
        }
        let fresh = try ScratchDatabase()
        let freshMapping = makeSchemaMapping(of: destination)
        for statement in renderSchema(freshMapping) { try fresh.run(statement) }
        #expect(try database.schema().symmetricDifference(fresh.schema()).sorted() == [], "\(story)\n\(sql)")
        let match = ModelMatch(source: source, destination: destination)
        let kept = before.contents.objects.filter { match.destinationEntity(of: $0.value.entityName) != nil }
        let tables = Set(freshMapping.entities.map(\.tableName)).sorted()
        let rows = try tables.flatMap { try database.rows("SELECT _id FROM \(quoteIdentifier($0))") }
        #expect(Set(rows) == Set(kept.keys.map { "\($0)" }), "\(story)\n\(sql)")
        #expect(try database.rows("PRAGMA foreign_key_check").isEmpty, "\(story)\n\(sql)")
    }
}
