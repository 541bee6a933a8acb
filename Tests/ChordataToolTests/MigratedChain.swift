import Chordata
import ChordataFiles
import ChordataGeneration
import ChordataMigration
import ChordataMigrationFiles
import ChordataModel
import ChordataModelFile
import ChordataSQL
import ChordataTestSupport
import ChordataVerification
import Foundation
import Testing

/// The versions of a model, and a store of the first version, which the command migrates to the last version.
struct MigratedChain {
    let workspace: Workspace
    /// The kinds of the steps between the versions.
    let kinds: Set<MigrationStep.Kind>
    private let bundle: ModelBundle
    private let old: StoreContents
    private let new: StoreContents

    init(_ workspace: Workspace, _ versions: [String], objectsPerEntity: Int) throws {
        self.workspace = workspace
        for (index, text) in versions.enumerated() {
            try workspace.write(text, to: "M.xcdatamodeld/M \(index + 1).xcdatamodel/contents")
        }
        try workspace.write(currentVersionFile("M \(versions.count)"), to: "M.xcdatamodeld/.xccurrentversion")
        let loaded = loadModel(at: workspace.path("M.xcdatamodeld"), configuration: GeneratorConfiguration())
        bundle = try #require(loaded.bundle, "\(loaded.diagnostics)")
        old = generateContents(of: bundle.versions[0].model, objectsPerEntity: objectsPerEntity)
        let steps = bundle.migrations(from: 0, to: versions.count - 1, MigrationFiles())
        #expect(steps.allSatisfy { $0.plan != nil })
        kinds = Set(steps.flatMap { $0.plan?.allSteps.map(\.kind) ?? [] })
        new = steps.reduce(old) { contents, step in
            contents.migrated(by: ModelMatch(source: step.source.model, destination: step.destination.model))
        }
        let path = workspace.path("pristine.sqlite")
        _ = try PersistentContainer(
            model: ModelDefinition(name: "M", versionName: "M 1", model: bundle.versions[0].model),
            path: path
        )
        let connection = try SQLiteConnection(path: path, mode: .readWriteCreate)
        try old.write(to: connection, makeSchemaMapping(of: bundle.versions[0].model))
    }

    func makeTrial() throws -> KillTrial {
        let (first, last) = (bundle.versions[0], bundle.versions[bundle.versions.count - 1])
        return KillTrial(
            workspace: workspace,
            program: try Program.chordata.find(),
            arguments: ["migrate", "run", "m.sqlite", "--model", "M.xcdatamodeld"],
            oldVersion: first.name,
            newVersion: last.name,
            expectOld: { try expect(old, first.model, $0, $1) },
            expectNew: expectNew
        )
    }

    func expectNew(_ connection: SQLiteConnection, _ when: String) throws {
        try expect(new, bundle.versions[bundle.versions.count - 1].model, connection, when)
    }

    private func expect(
        _ contents: StoreContents,
        _ model: ManagedObjectModel,
        _ connection: SQLiteConnection,
        _ when: String
    ) throws {
        let mapping = makeSchemaMapping(of: model)
        let read = try StoreContents.read(from: connection, mapping)
        let differences = read.unexpectedValues + read.contents.differences(from: contents)
        expectEqual(differences.prefix(5), [], "\(when)")
        let schema = try PhysicalSchema(of: PhysicalSchema(mapping).tables, in: connection)
        expectEqual(schema.differences(from: PhysicalSchema(mapping)), [], "\(when)")
    }
}
