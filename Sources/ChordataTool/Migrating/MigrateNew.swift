internal import ArgumentParser
internal import ChordataFiles
internal import ChordataGeneration
internal import ChordataModelFile

/// `chordata migrate new`.
struct MigrateNew: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new",
        abstract: "Writes the SQL of migrations into files beside the model, to review, edit and check in.",
        discussion: """
            Example: chordata migrate new Done.xcdatamodeld
            The files are Migrations/Done/<from> to <to>.sql. A file is written anew as long as nobody has edited it and its \
            version is not released. Versions are released once there is a newer one, or with --release; migrations.lock \
            lists them, and a build fails if one of them was changed.
            """
    )

    @Argument(help: "The model, an .xcdatamodeld.") var model: String
    @Flag(help: "The current version is released, too.") var release = false
    @Flag(help: "Write files for steps of history that cannot be inferred, too.") var gaps = false

    func run() throws {
        let (bundle, configuration) = try load(model)
        let files = configuration.migrationFiles
        try report(bundle.check(files) + (files.isEmpty ? bundle.checkMigrationFileNames(files) : []))
        let changes = MigrationFileChanges(of: bundle, files, isRelease: release, fillsGaps: gaps)
        if !changes.files.isEmpty {
            _ = try orFail(writing: files.folder) { try writeFiles(changes.files, to: files.folder) }
        }
        for (name, change) in changes.changes {
            switch change {
            case .generated: print("wrote \(files.folder)\(name)")
            case .toBeWritten: print("wrote \(files.folder)\(name), which cannot be inferred: write its statements")
            case .kept: print("kept \(files.folder)\(name), which was written by hand")
            case .gap: print("no \(files.folder)\(name), which cannot be inferred and is history: --gaps writes it")
            }
        }
        for name in changes.released { print("released: \(name)") }
        if changes.files.isEmpty { print("Nothing to write.") }
    }
}
