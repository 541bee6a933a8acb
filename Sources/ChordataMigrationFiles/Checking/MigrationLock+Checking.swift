internal import ChordataDiagnostics
internal import ChordataModel
internal import ChordataModelFile

extension MigrationLock {
    /// Checks that released versions and migrations are unchanged.
    func check(_ bundle: ModelBundle, _ files: MigrationFiles) -> [Diagnostic] {
        let steps = bundle.migrationFileNames + bundle.postgresMigrationFileNames
        let changes = entries.compactMap { entry -> Diagnostic? in
            let inLock = files.place(of: MigrationFiles.lockName, line: entry.line)
            switch entry.kind {
            case .head: return nil  // Its only purpose is to differ between branches.
            case .version:
                guard let version = bundle.versions.first(where: { $0.name == entry.name }) else {
                    return Diagnostic(
                        .modifiedReleasedMigration,
                        "version '\(entry.name)' is released but no longer in the model, so its stores cannot be "
                            + "migrated; restore it from version control",
                        at: inLock
                    )
                }
                guard version.model.versionHash != entry.checksum else { return nil }
                return Diagnostic(
                    .modifiedReleasedMigration,
                    "version '\(entry.name)' was changed after it was released, so its stores can no longer be "
                        + "opened; undo the change, and make it in a new version",
                    at: version.locations.model
                )
            case .migration:
                guard let text = files.texts[entry.name] else {
                    return Diagnostic(
                        .modifiedReleasedMigration,
                        "'\(entry.name)' is released but missing; restore it from version control",
                        at: inLock
                    )
                }
                guard steps.contains(entry.name) else {
                    let hasVersions = bundle.hasVersions(ofStep: entry.name)
                    // A released version that was removed is reported by its own line.
                    if !hasVersions, isStepOfRemovedVersion(entry.name, bundle) { return nil }
                    return Diagnostic(
                        .modifiedReleasedMigration,
                        hasVersions
                            ? "'\(entry.name)' is released, but its two versions are no longer consecutive, because another "
                                + "version comes between them; order that version last: \(bundle.orderExplanation)"
                            : "'\(entry.name)' is released, but a version of its step is no longer in the model; restore it "
                                + "from version control",
                        at: inLock
                    )
                }
                guard MigrationText(text).checksum != entry.checksum else { return nil }
                return Diagnostic(
                    .modifiedReleasedMigration,
                    "the file was changed after it was released, but stores that ran it will not run it again; undo "
                        + "the change, and change stores in a new version",
                    at: files.place(of: entry.name)
                )
            }
        }
        return changes + (versionBehindCurrent(bundle).map { [$0] } ?? bundle.checkVersionsAfterCurrent())
    }

    /// Returns a Boolean value that indicates whether a migration file is from or to a released version that the model
    /// does not have any more.
    private func isStepOfRemovedVersion(_ fileName: String, _ bundle: ModelBundle) -> Bool {
        entries.contains { entry in
            guard entry.kind == .version, !bundle.versions.contains(where: { $0.name == entry.name }) else {
                return false
            }
            return fileName.hasPrefix("\(entry.name) to ") || fileName.contains(" to \(entry.name).")
        }
    }

    /// Finds a released version that comes after the current one, whose stores therefore cannot be migrated.
    private func versionBehindCurrent(_ bundle: ModelBundle) -> Diagnostic? {
        // The check is for the current version that the bundle names, not for an older version to generate code of.
        guard !bundle.isHistory,
            let version = bundle.versions[(bundle.currentVersionIndex + 1)...].last(where: {
                self[.version, $0.name] != nil
            })
        else { return nil }
        let current = bundle.currentVersion.name
        return Diagnostic(
            .modifiedReleasedMigration,
            "version '\(version.name)' is released and comes after '\(current)', the current one, so its stores "
                + "cannot be migrated; make '\(version.name)' the current version again, or order '\(current)' last: "
                + "\(bundle.orderExplanation)",
            at: bundle.currentVersionLocation ?? bundle.currentVersion.locations.model
        )
    }

    /// Finds released versions whose step is not among the released migrations, so that its file might be changed.
    func holes(in bundle: ModelBundle, _ files: MigrationFiles) -> [Diagnostic] {
        bundle.versions.indices.dropFirst().compactMap { index in
            let version = bundle.versions[index].name
            guard let entry = self[.version, version],
                // Another version in between is reported already.
                !entries.contains(where: { $0.kind == .migration && $0.name.hasSuffix(" to \(version).sql") }),
                // Migrations that cannot be inferred may have been left out.
                let step = bundle.migrations(from: index - 1, to: index, files).first, step.changesStores,
                step.isInferred
            else { return nil }
            return Diagnostic(
                .malformedMigrationLock,
                "version '\(version)' is released, but its migration '\(step.fileName)' has no line in "
                    + "'\(MigrationFiles.lockName)'; restore this line from version control, or, if there never was such a "
                    + "line, run 'chordata migrate new', which adds it",
                at: files.place(of: MigrationFiles.lockName, line: entry.line)
            )
        }
    }
}

extension ModelBundle {
    /// Returns a Boolean value that indicates whether the bundle has both versions of the step of a migration file.
    fileprivate func hasVersions(ofStep fileName: String) -> Bool {
        versions.contains { source in
            versions.contains { destination in
                fileName == MigrationFiles.name(from: source.name, to: destination.name)
                    || fileName == MigrationFiles.postgresName(from: source.name, to: destination.name)
            }
        }
    }
}
