internal import ChordataDiagnostics
internal import ChordataModel
internal import ChordataModelFile

/// The versions and migrations that are released, with what tells them from all others: `migrations.lock`.
///
/// A line each, new ones at the end, so that branches that both add a version conflict where they meet.
struct MigrationLock: Sendable, Hashable {
    private static let title =
        "# Released versions and migrations, which must not change. 'chordata migrate new' adds to it; check it in."

    enum Kind: String {
        /// A version of the model, by its hash.
        case version
        /// A file, by its checksum.
        case migration
    }

    struct Entry: Sendable, Hashable {
        var kind: Kind
        var name: String
        var checksum: String
        var line: Int
    }

    private(set) var entries: [Entry] = []
    /// The whole file; what is in it stays, and lines are added.
    private(set) var text: String

    /// Reads the file; what is wrong with it is told.
    init(reading files: MigrationFiles, _ diagnostics: inout [Diagnostic]) {
        text = files.lockText ?? Self.title + "\n"
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (index, line) in lines.enumerated() where !line.isEmpty && !line.hasPrefix("#") {
            let parts = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 3, let kind = Kind(rawValue: parts[0]), !parts[1].isEmpty,
                self[kind, parts[2]] == nil
            else {
                diagnostics.append(
                    Diagnostic(
                        .malformedMigrationLock,
                        "a line has 'version' or 'migration', a checksum and a name, and no name twice; restore the file from "
                            + "version control, or after a merge keep the lines of the branch that is released",
                        at: files.place(of: MigrationFiles.lockName, line: index + 1)
                    )
                )
                continue
            }
            entries.append(Entry(kind: kind, name: parts[2], checksum: parts[1], line: index + 1))
        }
    }

    subscript(kind: Kind, name: String) -> Entry? { entries.first { $0.kind == kind && $0.name == name } }

    /// Adds what is not there.
    mutating func add(_ kind: Kind, _ name: String, checksum: String) {
        guard self[kind, name] == nil else { return }
        entries.append(Entry(kind: kind, name: name, checksum: checksum, line: 0))
        text += (text.hasSuffix("\n") ? "" : "\n") + "\(kind.rawValue) \(checksum) \(name)\n"
    }
}

extension MigrationLock {
    /// Checks that what is released is as it was.
    func check(_ bundle: ModelBundle, _ files: MigrationFiles) -> [Diagnostic] {
        let steps = bundle.migrationFileNames
        return entries.compactMap { entry in
            let inLock = files.place(of: MigrationFiles.lockName, line: entry.line)
            switch entry.kind {
            case .version:
                guard let version = bundle.versions.first(where: { $0.name == entry.name }) else {
                    return Diagnostic(
                        .changedRelease,
                        "version '\(entry.name)' is released, and the model has it no longer, so its stores cannot be migrated; "
                            + "restore it from version control",
                        at: inLock
                    )
                }
                guard version.model.versionHash != entry.checksum else { return nil }
                return Diagnostic(
                    .changedRelease,
                    "version '\(entry.name)' was changed since it was released, so its stores cannot be opened any more; undo that, "
                        + "and make the change in a new version",
                    at: version.locations.model
                )
            case .migration:
                guard let text = files.texts[entry.name] else {
                    return Diagnostic(
                        .changedRelease,
                        "'\(entry.name)' is released, and is not there; restore it from version control",
                        at: inLock
                    )
                }
                guard steps.contains(entry.name) else {
                    return Diagnostic(
                        .changedRelease,
                        "'\(entry.name)' is released, but its two versions do not follow each other any more; rename the version that "
                            + "is new so that it comes last",
                        at: inLock
                    )
                }
                guard MigrationText(text).checksum != entry.checksum else { return nil }
                return Diagnostic(
                    .changedRelease,
                    "the file was changed since it was released, and stores that are migrated already will not be migrated again; undo "
                        + "that, and change stores in a new version",
                    at: files.place(of: entry.name)
                )
            }
        }
    }
}
