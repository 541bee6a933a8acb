internal import ChordataDiagnostics
internal import ChordataModel
package import ChordataModelFile

/// The changes of `chordata migrate new` to the files of a model's migrations.
package struct MigrationFileChanges: Sendable {
    /// The change of a file.
    package enum Change: Sendable, Hashable {
        case generated
        /// A file without statements is written, because the step cannot be inferred.
        case toBeWritten
        /// The file was edited and is not changed.
        case kept
        /// No file is written, because the step cannot be inferred and its destination is not the current version.
        case gap
        /// No file is written, because the step cannot be inferred and the configuration file accepts the gap.
        case acceptedGap
    }

    /// The files to write, by name, the lock included.
    package private(set) var files: [GeneratedFile] = []
    /// The changes of single files.
    package private(set) var changes: [(name: String, change: Change)] = []
    /// The files and versions that are released from now on.
    package private(set) var released: [String] = []
    /// The released steps whose files are hand-written or edited.
    package private(set) var releasedByHand: [ModelMigration] = []
    /// The step that prevents the release of the current version, because its statements are not written yet.
    package private(set) var unreleased: ModelMigration?

    /// - Parameters:
    ///   - isRelease: A Boolean value that indicates whether the current version is released, too; earlier versions are
    ///     released as soon as there is a newer one.
    ///   - stages: The destination versions of the steps that get a stage in Swift.
    ///   - fillsGaps: A Boolean value that indicates whether older steps that cannot be inferred get a file as well.
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
        for step in steps {
            guard let text = step.generatedPostgresText else { continue }
            let name = step.postgresFileName
            guard texts[name].map({ MigrationText($0) }) != text else { continue }
            texts[name] = text.text
            self.files.append(GeneratedFile(name: name, contents: text.text))
            changes.append((name, .generated))
        }
        for step in steps where step.changesStores && step.origin != .released {
            let name = step.fileName
            if step.origin == .written {
                changes.append((name, .kept))
                continue
            }
            if step.isAcceptedGap, !fillsGaps {
                changes.append((name, .acceptedGap))
                continue
            }
            if step.sql == nil, step.destination.name != bundle.currentVersion.name, !fillsGaps {
                changes.append((name, .gap))
                continue
            }
            let text = step.fileText ?? Self.skeleton(of: step)
            guard texts[name].map({ MigrationText($0) }) != text else { continue }
            texts[name] = text.text
            self.files.append(GeneratedFile(name: name, contents: text.text))
            changes.append((name, step.sql == nil ? .toBeWritten : .generated))
        }
        for (index, version) in bundle.versions[...last].enumerated()
        where index < last || isRelease || lock[.version, version.name] != nil {
            if index > 0, steps[index - 1].changesStores {
                let step = steps[index - 1]
                if let text = texts[step.fileName], step.sql != nil, !step.lacksStatements {
                    if step.origin == .written, lock[.migration, step.fileName] == nil { releasedByHand.append(step) }
                    lock.add(.migration, step.fileName, checksum: MigrationText(text).checksum)
                    if files.hasPostgresStores, let text = texts[step.postgresFileName] {
                        lock.add(.migration, step.postgresFileName, checksum: MigrationText(text).checksum)
                    }
                } else if index == last, !step.isAcceptedGap {
                    // A file whose statements are not written yet is not released.
                    if lock[.version, version.name] == nil { unreleased = step }
                    break
                }
            }
            lock.add(.version, version.name, checksum: version.model.versionHash)
        }
        released = lock.entries.dropFirst(locked).map { "\($0.kind.rawValue) '\($0.name)'" }
        // A lock of an older release of Chordata, without the line 'head', gets it when other lines are added.
        if lock.head != nil || !released.isEmpty {
            lock.setHead(bundle.currentVersion.name, checksum: bundle.currentVersion.model.versionHash)
        }
        if lock.text != files.lockText.map(normalizingLines), !lock.entries.isEmpty {
            self.files.append(GeneratedFile(name: MigrationFiles.lockName, contents: lock.text))
        }
    }

    private static func skeleton(of step: ModelMigration) -> MigrationText {
        MigrationText(
            skeletonFrom: step.source.name,
            to: step.destination.name,
            for: MigrationText.versions(step.source.model, step.destination.model),
            reasons: step.diagnostics.filter { $0.id == .migrationNotInferred }.map(\.message)
        )
    }
}
