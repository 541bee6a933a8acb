internal import ChordataDiagnostics
internal import ChordataMigration
internal import ChordataModel
package import ChordataModelFile

/// What `chordata migrate new` does to the files of a model's migrations.
package struct MigrationFileChanges: Sendable {
    /// What becomes of a file.
    package enum Change: Sendable, Hashable {
        case generated
        /// Nobody can infer it, so the statements are to be written.
        case toBeWritten
        /// It has other text than what would be generated, and is not touched.
        case kept
        /// Nobody can infer it, it is history, and it has no file.
        case gap
    }

    /// The files to write, by name, the lock included.
    package private(set) var files: [GeneratedFile] = []
    /// What there is to tell of single files.
    package private(set) var changes: [(name: String, change: Change)] = []
    /// The files and versions that are released from now on.
    package private(set) var released: [String] = []

    /// - Parameters:
    ///   - isRelease: whether the current version is released, too; those before it are once there is a newer one.
    ///   - stages: the versions whose steps are to have stages in Swift.
    ///   - fillsGaps: whether steps of history that cannot be inferred get a file as well.
    package init(
        of bundle: ModelBundle,
        _ files: MigrationFiles,
        stages: Set<String> = [],
        isRelease: Bool = false,
        fillsGaps: Bool = false
    ) {
        let last = bundle.currentVersionIndex
        let steps = bundle.migrations(from: 0, to: last, files, stages: stages)
        var diagnostics: [Diagnostic] = []
        var lock = MigrationLock(reading: files, &diagnostics)
        let locked = lock.entries.count
        var texts = files.texts
        for step in steps where step.changesStores && step.origin != .released {
            let name = step.fileName
            if step.origin == .written {
                changes.append((name, .kept))
                continue
            }
            if step.sql == nil, step.destination.name != bundle.currentVersion.name, !fillsGaps {
                changes.append((name, .gap))
                continue
            }
            let text = step.sql.map { MigrationText(generated: $0).text } ?? Self.skeleton(of: step)
            guard texts[name] != text else { continue }
            texts[name] = text
            self.files.append(GeneratedFile(name: name, contents: text))
            changes.append((name, step.sql == nil ? .toBeWritten : .generated))
        }
        for (index, version) in bundle.versions[...last].enumerated() where index < last || isRelease {
            if index > 0, steps[index - 1].changesStores {
                let text = texts[steps[index - 1].fileName].map { MigrationText($0) }
                if let text, text.hasStatements {
                    lock.add(.migration, steps[index - 1].fileName, checksum: text.checksum)
                } else if index == last {
                    break  // What is yet to be written is not released.
                }
            }
            lock.add(.version, version.name, checksum: version.model.versionHash)
        }
        released = lock.entries.dropFirst(locked).map { "\($0.kind.rawValue) '\($0.name)'" }
        if !released.isEmpty { self.files.append(GeneratedFile(name: MigrationFiles.lockName, contents: lock.text)) }
    }

    /// A file in which the reasons stand why nobody can infer what to do.
    private static func skeleton(of step: ModelMigration) -> String {
        let reasons = step.diagnostics.filter { $0.id == .migrationNotInferred }.map { "-- \(oneLine($0.message))" }
        let lines =
            [migrationTitle(step.source.name, step.destination.name), "--"] + reasons + [
                "--",
                "-- Write the statements here that take a store's tables from those of the one version to those of the other:",
                "-- 'chordata schema --version' prints both, 'chordata migrate verify' tries it out.",
                "--",
                "-- Or let the program do what cannot be inferred: 'chordata migrate new --stage' writes all the rest.",
            ]
        return lines.joined(separator: "\n") + "\n"
    }
}
