internal import ChordataDiagnostics

/// The files of a model's migrations, which are beside it in `Migrations/<Model>`.
package struct MigrationFiles: Sendable, Hashable {
    /// What the list of released migrations is called.
    package static let lockName = "migrations.lock"

    /// The folder, with a slash at its end.
    package var folder: String
    /// The texts of the SQL files, by name.
    package var texts: [String: String]
    /// The text of the lock, or `nil`.
    package var lockText: String?

    package init(folder: String = "", texts: [String: String] = [:], lockText: String? = nil) {
        self.folder = folder
        self.texts = texts
        self.lockText = lockText
    }

    /// A Boolean value that indicates whether the list is empty.
    package var isEmpty: Bool { texts.isEmpty && lockText == nil }

    /// What the file of a step is called.
    package static func name(from source: String, to destination: String) -> String {
        "\(source) to \(destination).sql"
    }

    /// The beginning of a file.
    func place(of name: String, line: Int = 1) -> SourceLocation {
        SourceLocation(file: folder + name, line: line, column: 1)
    }
}
