internal import ArgumentParser
internal import ChordataConfiguration
internal import ChordataDiagnostics
internal import ChordataFiles
internal import ChordataGeneration
internal import ChordataMigrationFiles
internal import ChordataModelFile

/// `chordata migrate new`.
struct MigrateNew: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new",
        abstract: "Writes the SQL of migrations into files beside the model, to review, edit and check in.",
        discussion: """
            Example: chordata migrate new Done.xcdatamodeld
            The files are Migrations/Done/<from> to <to>.sql. This command rewrites a file until you edit it or its destination version is \
            released. This command releases all versions before the current one, and with --release the current one too; migrations.lock lists \
            released versions, and a build fails if one of them was changed. The SQL of an edited file is tested on a \
            store without objects before it is released.
            """
    )

    @Argument(help: "The model, an .xcdatamodeld.") var model: String
    @Option(
        name: .customLong("stage"),
        help:
            "The destination version of a step that cannot be inferred completely; a MigrationStage in your app does the rest."
    )
    var stages: [String] = []
    @Flag(help: "Releases the current version too.") var release = false
    @Flag(help: "Also writes files for steps to versions before the current version that cannot be inferred.")
    var gaps = false

    func run() throws {
        let (bundle, configuration) = try load(model)
        let files = configuration.migrationFiles
        guard !files.folder.isEmpty else {
            printError(
                "error: \(model) is a single version, which has no migrations; give the path of its '.xcdatamodeld'\n"
            )
            throw ExitCode(1)
        }
        let found =
            bundle.check(files, isRepairing: true) + (files.isEmpty ? bundle.checkMigrationFileNames(files) : [])
        try report(found.applying(configuration.configuration, isStrict: false).sortedByLocation())
        for version in stages { try requireFree(version, bundle, files) }
        let changes = MigrationFileChanges(
            of: bundle,
            files,
            stages: Set(stages),
            isRelease: release,
            fillsGaps: gaps
        )
        if release, let step = changes.unreleased {
            printError("error: \(reason(step, files))\n")
            throw ExitCode(1)
        }
        // Released migrations are immutable.
        try report(try tryStatements(of: changes.releasedByHand, in: bundle, files))
        if !changes.files.isEmpty {
            _ = try orFail(writing: files.folder) { try writeFiles(changes.files, to: files.folder) }
        }
        for (name, change) in changes.changes {
            switch change {
            case .generated: print("wrote \(files.folder)\(name)")
            case .toBeWritten:
                print("wrote \(files.folder)\(name): its step cannot be inferred; write its statements")
            case .kept: print("kept \(files.folder)\(name), which was edited")
            case .acceptedGap:
                print(
                    "did not write \(files.folder)\(name): its step cannot be inferred and is an accepted gap in "
                        + "\(bundle.configurationFileName); use --gaps to write it"
                )
            case .gap:
                print(
                    "did not write \(files.folder)\(name): its step cannot be inferred and migrates to a version "
                        + "before the current one; use --gaps to write it"
                )
            }
        }
        for name in changes.released { print("released: \(name)") }
        if changes.files.isEmpty {
            print("Nothing to write.")
        } else if changes.released.isEmpty, changes.files.contains(where: { $0.name == MigrationFiles.lockName }) {
            print("wrote \(files.folder)\(MigrationFiles.lockName)")
        }
    }

    /// The reason why the last version of a step is not released.
    private func reason(_ step: ModelMigration, _ files: MigrationFiles) -> String {
        let beginning = "version '\(step.destination.name)' cannot be released, because "
        return beginning
            + (step.sql == nil
                ? "the step from '\(step.source.name)' cannot be inferred; run 'chordata migrate new' without "
                    + "--release, and write the statements of the file that it creates; or run it with --stage "
                    + "'\(step.destination.name)', and write a stage in your app"
                : "\(files.folder)\(step.fileName) has no statements yet; write them, or remove the file")
    }

    /// Checks that a stage can be added to the step to a version.
    private func requireFree(_ version: String, _ bundle: ModelBundle, _ files: MigrationFiles) throws {
        let index = try bundle.index(ofVersion: version)
        guard index > 0, let step = bundle.migrations(from: index - 1, to: index, files, stages: [version]).first else {
            throw misuse("'\(version)' is the first version, so there is no step to it; \(bundle.orderExplanation)")
        }
        guard !step.hasStage else { return }
        let cause =
            if !step.changesStores {
                "stores of '\(step.source.name)' need no migration to '\(version)', so there is no step in which a stage could run"
            } else if step.origin == .released {
                "\(files.folder)\(step.fileName) is released and must not change; add a new version of the model, "
                    + "and run this command with --stage and the name of the new version"
            } else {
                "\(files.folder)\(step.fileName) was edited, so the command does not change it; add the line "
                    + "'-- stage' to it where the stage must run, or remove the file"
            }
        throw misuse(cause)
    }
}
