internal import ChordataDiagnostics

/// The versions and migrations that are released, with the values that identify them: `migrations.lock`.
///
/// Each of them has a line; new lines are appended. One more line, `head`, has the newest version, so that two branches
/// that both add a version have a merge conflict, although neither has released its version.
struct MigrationLock: Sendable, Hashable {
    private static let title =
        "# Released versions and migrations, which must not change. 'chordata migrate new' adds lines to this file; check it in."

    enum Kind: String {
        /// A version of the model, by its hash.
        case version
        /// A file, by its checksum.
        case migration
        /// The newest version, released or not, by its hash, so that branches that both add a version have a conflict.
        case head
    }

    struct Entry: Sendable, Hashable {
        var kind: Kind
        var name: String
        var checksum: String
        var line: Int
    }

    private(set) var entries: [Entry] = []
    /// The text of the file; existing lines are kept, and new lines are appended.
    private(set) var text: String

    /// Reads the file and reports its problems.
    init(reading files: MigrationFiles, _ diagnostics: inout [Diagnostic]) {
        text = files.lockText.map(normalizingLines) ?? Self.title + "\n"
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() where !line.isEmpty && !line.hasPrefix("#") {
            let parts = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 3, let kind = Kind(rawValue: parts[0]), !parts[1].isEmpty,
                self[kind, parts[2]] == nil, kind != .head || head == nil
            else {
                diagnostics.append(
                    Diagnostic(
                        .malformedMigrationLock,
                        "each line, except empty lines and comments, must consist of the word 'version', 'migration' or 'head', a checksum and a name, in this order and separated by spaces; two lines with the same word must have different names, and only one line can have the word 'head'; restore the file from version control, or after a merge of branches keep the lines of the branch whose versions are in an app that users have",
                        at: files.place(of: MigrationFiles.lockName, line: index + 1)
                    )
                )
                continue
            }
            entries.append(Entry(kind: kind, name: parts[2], checksum: parts[1], line: index + 1))
        }
    }

    subscript(kind: Kind, name: String) -> Entry? { entries.first { $0.kind == kind && $0.name == name } }

    /// Appends a line, unless there is a line of this kind with this name.
    mutating func add(_ kind: Kind, _ name: String, checksum: String) {
        guard self[kind, name] == nil else { return }
        entries.append(Entry(kind: kind, name: name, checksum: checksum, line: 0))
        append(kind, name, checksum)
    }

    /// Records which version is the newest one.
    mutating func setHead(_ name: String, checksum: String) {
        guard head?.name != name || head?.checksum != checksum else { return }
        entries.removeAll { $0.kind == .head }
        let others = text.split(separator: "\n", omittingEmptySubsequences: false)
            .filter { !$0.hasPrefix("\(Kind.head.rawValue) ") }
        text = others.joined(separator: "\n")
        entries.append(Entry(kind: .head, name: name, checksum: checksum, line: 0))
        append(.head, name, checksum)
    }

    /// The newest version when the file was written; `nil` in files that older releases of Chordata wrote.
    var head: Entry? { entries.first { $0.kind == .head } }

    private mutating func append(_ kind: Kind, _ name: String, _ checksum: String) {
        text += (text.hasSuffix("\n") ? "" : "\n") + "\(kind.rawValue) \(checksum) \(name)\n"
    }
}
