package import ChordataDiagnostics
internal import ChordataModel
package import ChordataModelFile

extension ModelBundle {
    /// Checks the migration files: released files must be unchanged, and each file must belong to a step.
    ///
    /// - Parameter isRepairing: A Boolean value that indicates whether `migrations.lock` may lack the entries that
    ///   `chordata migrate new` adds.
    package func check(_ files: MigrationFiles, isRepairing: Bool = false) -> [Diagnostic] {
        var diagnostics: [Diagnostic] = []
        let lock = MigrationLock(reading: files, &diagnostics)
        diagnostics += lock.check(self, files)
        diagnostics += checkAcceptedGaps(files)
        if !isRepairing { diagnostics += lock.holes(in: self, files) }
        if !files.isEmpty { diagnostics += checkMigrationFileNames(files) }
        let names = migrationFileNames
        for (name, text) in files.texts.sorted(by: { $0.key < $1.key })
        where !names.contains(name) && !postgresMigrationFileNames.contains(name) && lock[.migration, name] == nil {
            let near = names.map { "'\($0)'" }.joined(separator: ", ")
            diagnostics.append(
                Diagnostic(
                    .orphanedMigration,
                    "the file does not belong to a step between two versions of the model that needs a migration"
                        + (names.isEmpty || names.count > 3 ? "" : "; the files of those steps are \(near)")
                        + "; rename it to '<from> to <to>.sql', or remove it",
                    at: files.place(of: name),
                    // An unedited file can be generated again.
                    severity: MigrationText(text).isGenerated ? nil : .error
                )
            )
        }
        return diagnostics
    }

    /// The names of the files of steps that change stores.
    var migrationFileNames: [String] {
        zip(versions, versions.dropFirst()).filter { $0.model.versionHash != $1.model.versionHash }
            .map { MigrationFiles.name(from: $0.name, to: $1.name) }
    }

    /// The names of the files of the same steps for stores on PostgreSQL servers.
    var postgresMigrationFileNames: [String] {
        zip(versions, versions.dropFirst()).filter { $0.model.versionHash != $1.model.versionHash }
            .map { MigrationFiles.postgresName(from: $0.name, to: $1.name) }
    }

    /// Checks that each step can have a file of its own.
    package func checkMigrationFileNames(_ files: MigrationFiles) -> [Diagnostic] {
        var seen: Set<String> = []
        return migrationFileNames.compactMap { name in
            let isUnwritable = name.unicodeScalars.contains { scalar in
                // A line of the lock contains the name, so the name must not contain a line break.
                [.control, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory)
                    || scalar == "/"
            }
            // Hidden files are ignored, because editors and other systems create them.
            let isHidden = name.hasPrefix(".")
            guard isUnwritable || isHidden || !seen.insert(name).inserted else { return nil }
            return Diagnostic(
                .orphanedMigration,
                isUnwritable
                    ? "'\(name)' is not a valid file name; give the version a name without control characters"
                    : isHidden
                        ? "'\(name)' would be a hidden file; give the version a name that does not begin with a dot"
                        : "two steps of the model would have the file '\(name)'; give one of their versions another name",
                at: files.place(of: ""),
                severity: .error
            )
        }
    }
}
