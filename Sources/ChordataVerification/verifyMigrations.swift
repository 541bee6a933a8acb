internal import Chordata
internal import ChordataGeneration
internal import ChordataMigration
internal import ChordataModel
package import ChordataModelFile
internal import ChordataSQL
internal import Foundation

/// What became of a store of one version that was migrated to the current one.
package struct VerifiedMigration: Sendable {
    package enum Outcome: Sendable, Equatable {
        case verified
        /// What is wrong, in words.
        case failed([String])
        /// Why there is no way to find out.
        case unverifiable(String)
    }

    package var source: String
    package var destination: String
    /// How many objects the store had.
    package var objectCount: Int
    package var outcome: Outcome
}

/// Migrates a store of each older version to the current one, full of generated objects, and compares what it has then with what it
/// is to have: tables, objects, references.
///
/// - Parameter folder: the stores are made there, one after the other, and removed.
package func verifyMigrations(
    of bundle: ModelBundle,
    objectsPerEntity: Int,
    in folder: String,
    report: (VerifiedMigration) -> Void
) throws {
    let current = bundle.currentVersionIndex
    let steps = bundle.migrations(from: 0, to: current)
    let verifier = MigrationVerifier(
        bundle: bundle,
        steps: steps,
        definition: ModelDefinition(bundle, version: current, migrations: steps),
        mapping: makeSchemaMapping(of: bundle.currentVersion.model),
        folder: folder
    )
    for index in 0..<current {
        let contents = generateContents(of: bundle.versions[index].model, objectsPerEntity: objectsPerEntity)
        report(
            VerifiedMigration(
                source: bundle.versions[index].name,
                destination: bundle.currentVersion.name,
                objectCount: contents.objects.count,
                outcome: try verifier.verify(from: index, contents)
            )
        )
    }
}

private struct MigrationVerifier {
    let bundle: ModelBundle
    let steps: [ModelMigration]
    let definition: ModelDefinition
    let mapping: SchemaMapping
    let folder: String

    func verify(from index: Int, _ contents: StoreContents) throws -> VerifiedMigration.Outcome {
        if let gap = steps[index...].first(where: { $0.changesStores && $0.sql == nil }) {
            return .unverifiable("'\(gap.source.name)' to '\(gap.destination.name)' cannot be inferred")
        }
        let path = "\(folder)/\(index).sqlite"
        try makeStore(bundle.versions[index], contents, at: path)
        do throws(StoreError) {
            try MigrationManager(model: definition, path: path, options: StoreOptions(synchronous: .normal))
                .migrateStore()
        } catch {
            return .failed([error.message])
        }
        var expected = contents
        for step in steps[index...] {
            expected = expected.migrated(by: ModelMatch(source: step.source.model, destination: step.destination.model))
        }
        let problems = try problems(ofStoreAt: path, expected)
        try PersistentStoreCoordinator.destroyPersistentStore(at: path)
        return problems.isEmpty ? .verified : .failed(problems)
    }

    /// Makes a store as a program of an older version had it.
    private func makeStore(_ version: ModelVersion, _ contents: StoreContents, at path: String) throws(StoreError) {
        _ = try PersistentContainer(
            model: ModelDefinition(name: bundle.name, versionName: version.name, model: version.model),
            path: path,
            options: StoreOptions(synchronous: .normal)
        )
        let connection = try SQLiteConnection(path: path, mode: .readWriteCreate)
        try contents.write(to: connection, makeSchemaMapping(of: version.model))
    }

    private func problems(ofStoreAt path: String, _ expected: StoreContents) throws(StoreError) -> [String] {
        let connection = try SQLiteConnection(path: path, mode: .readOnly)
        let tables = try connection.rows(
            "SELECT \"name\" FROM sqlite_schema WHERE \"type\" = 'table' AND \"name\" NOT LIKE 'sqlite_%'"
        )
        let names = Set(tables.compactMap { if case .text(let name)? = $0.first { name } else { nil } })
        var problems = try PhysicalSchema(of: names, in: connection).differences(from: PhysicalSchema(mapping))
        for row in try connection.rows("PRAGMA integrity_check(10)") where row != [.text("ok")] {
            if case .text(let text)? = row.first { problems.append(text) }
        }
        for row in try connection.rows("SELECT DISTINCT \"table\", \"parent\" FROM pragma_foreign_key_check") {
            guard case .text(let table) = row[0], case .text(let parent) = row[1] else { continue }
            problems.append("rows of '\(table)' refer to rows of '\(parent)' that do not exist")
        }
        let (contents, strays) = try StoreContents.read(from: connection, mapping)
        return problems + strays + contents.differences(from: expected)
    }
}
