@_spi(Generated) import Chordata
import ChordataDiagnostics
import ChordataMigration
import ChordataModel
import ChordataSQL
import ChordataTestSupport
import ChordataVerification
import Foundation
import Testing

/// A random model with objects, and the result of random edits of both.
struct RandomPair {
    let seed: UInt64
    let before: RandomStore
    let after: RandomStore
    let source: ManagedObjectModel
    let destination: ManagedObjectModel
    /// The names of the edits that were made.
    let edits: [String]
    let planned: (plan: MigrationPlan?, diagnostics: [Diagnostic])

    private static let allEdits: [(name: String, make: @Sendable (inout RandomStore) -> Bool)] = [
        (
            "add attribute",
            { randomStore in
                guard let name = randomStore.entities.map(\.name).randomElement(using: &randomStore.random) else {
                    return false
                }
                randomStore.addAttribute(to: name, isNew: true)
                return true
            }
        ),
        ("remove attribute", { $0.removeAttribute() }), ("rename attribute", { $0.renameAttribute() }),
        ("reuse name", { $0.renameAttributeAndReuseName() }), ("swap attributes", { $0.swapAttributes() }),
        ("clear attribute's identifier", { $0.clearAttributeIdentifier() }),
        ("require attribute", { $0.requireAttribute() }), ("free attribute", { $0.freeAttribute() }),
        ("retype attribute", { $0.retypeAttribute() }), ("retype number", { $0.retypeNumber() }),
        // Few of these edits affect a value that does not fit, so they are listed several times.
        ("retype number", { $0.retypeNumber() }), ("retype number", { $0.retypeNumber() }),
        ("toggle transience", { $0.toggleTransience() }),
        ("toggle external storage", { $0.toggleExternalStorage() }), ("add uniqueness", { $0.addUniqueness() }),
        ("move attribute up", { $0.moveAttributeUp() }), ("move attribute down", { $0.moveAttributeDown() }),
        ("add entity", { $0.addNewEntity() }), ("remove entity", { $0.removeEntity() }),
        ("rename entity", { $0.renameEntity() }), ("swap entities", { $0.swapEntities() }),
        ("clear entity's identifier", { $0.clearEntityIdentifier() }),
        ("insert superentity", { $0.insertSuperentity() }), ("toggle abstract", { $0.toggleAbstract() }),
        ("leave hierarchy", { $0.leaveHierarchy() }), ("join hierarchy", { $0.joinHierarchy() }),
        ("add relationship", { $0.addNewRelationship() }), ("remove relationship", { $0.removeRelationship() }),
        ("rename relationship", { $0.renameRelationship() }), ("toggle to-many", { $0.toggleToMany() }),
        ("toggle order", { $0.toggleOrder() }), ("add inverse", { $0.addInverse() }), ("retarget", { $0.retarget() }),
        ("change rules", { $0.changeRules() }), ("move relationship up", { $0.moveRelationshipUp() }),
        ("clear relationship's identifier", { $0.clearRelationshipIdentifier() }),
    ]

    static var editNames: Set<String> { Set(allEdits.map(\.name)) }

    init(seed: UInt64) throws {
        self.seed = seed
        var randomStore = RandomStore(seed: seed)
        randomStore.populate()
        before = randomStore
        source = try randomStore.model()
        var edits: [String] = []
        for _ in 0..<randomStore.random.below(4) + 1 {
            for _ in 0..<20 {
                let edit = randomStore.random.pick(Self.allEdits)
                guard edit.make(&randomStore) else { continue }
                edits.append(edit.name)
                break
            }
        }
        self.edits = edits
        after = randomStore
        destination = try randomStore.model()
        planned = planMigration(
            from: source,
            to: destination,
            sourceName: "1",
            destinationName: "2",
            locate: { _, _ in nil }
        )
    }

    /// A description for debugging.
    var story: String { "seed \(seed): " + after.story.joined(separator: "; ") }
    var isInferable: Bool { after.isInferable(from: before) }

    // MARK: Migrating

    /// A database of the older version with its objects.
    func makeDatabase() throws -> ScratchDatabase {
        let database = try ScratchDatabase()
        let mapping = makeSchemaMapping(of: source)
        for statement in renderSchema(mapping) { try database.run(statement) }
        try before.contents.write(to: database.connection, mapping)
        return database
    }

    static func freshSchema(of model: ManagedObjectModel) throws -> Set<String> {
        let fresh = try ScratchDatabase()
        for statement in renderSchema(makeSchemaMapping(of: model)) { try fresh.run(statement) }
        return try fresh.schema()
    }

    static func run(_ sql: String, in database: ScratchDatabase) throws {
        try database.run("PRAGMA foreign_keys=OFF; BEGIN; \(sql)COMMIT; PRAGMA foreign_keys=ON")
    }

    /// Returns the problems that the SQL of a migration causes, as texts.
    func problems(of sql: String) throws -> [String] {
        let database = try makeDatabase()
        do {
            try Self.run(sql, in: database)
        } catch {
            return ["fails: \(error)"]
        }
        return try problems(of: database)
    }

    private func problems(of database: ScratchDatabase) throws -> [String] {
        var problems = try database.schema().symmetricDifference(Self.freshSchema(of: destination)).sorted()
        // With other tables, the objects cannot be read.
        guard problems.isEmpty else { return problems }
        let read = try StoreContents.read(from: database.connection, makeSchemaMapping(of: destination))
        problems += read.unexpectedValues + read.contents.differences(from: after.contents)
        problems += try database.rows("PRAGMA foreign_key_check").map { "foreign key: \($0)" }
        problems += try database.rows("PRAGMA integrity_check").filter { $0 != "ok" }
        return problems
    }

    /// Returns the problems of a migration that must stop because of a value that does not fit.
    func problemsOfStopping(_ sql: String) throws -> [String] {
        let database = try makeDatabase()
        do {
            try Self.run(sql, in: database)
            return ["does not stop, though there are values that do not fit: \(after.misfits)"]
        } catch let error as StoreError {
            guard error.message.contains("CHECK constraint failed") else { return ["stops with: \(error)"] }
        }
        try database.run("ROLLBACK")
        let read = try StoreContents.read(from: database.connection, makeSchemaMapping(of: source))
        return read.unexpectedValues + read.contents.differences(from: before.contents)
    }

    /// Returns the problems of a store that the runtime migrated with the same SQL.
    func problemsOfRuntime(_ sql: String, folder: URL) throws -> [String] {
        let path = folder.appending(path: "\(seed).sqlite").path
        _ = try PersistentContainer(model: ModelDefinition(name: "M", versionName: "1", model: source), path: path)
        try before.contents.write(
            to: SQLiteConnection(path: path, mode: .readWriteCreate),
            makeSchemaMapping(of: source)
        )
        let definition = oneStep(from: source, to: destination, sql)
        var problems: [String] = []
        do throws(StoreError) {
            try MigrationManager(model: definition, path: path).migrateStore()
            if after.stops { problems.append("does not stop") }
        } catch {
            if !after.stops || error.code != .migrationFailed { problems.append("fails: \(error)") }
        }
        let database = try ScratchDatabase(SQLiteConnection(path: path, mode: .readWriteCreate))
        if !after.stops { return try problems + self.problems(of: database) }
        let read = try StoreContents.read(from: database.connection, makeSchemaMapping(of: source))
        return problems + read.unexpectedValues + read.contents.differences(from: before.contents)
    }
}
