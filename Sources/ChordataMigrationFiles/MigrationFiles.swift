internal import ChordataDiagnostics

/// The files of a model's migrations, which are beside it in `Migrations/<Model>`.
package struct MigrationFiles: Sendable, Hashable {
    /// The name of the list of released migrations.
    package static let lockName = "migrations.lock"

    /// The folder, with a slash at its end.
    package var folder: String
    /// The texts of the SQL files, by name.
    package var texts: [String: String]
    /// The text of `migrations.lock`; `nil` if the file does not exist.
    package var lockText: String?
    /// A Boolean value that indicates whether each step also has SQL for stores on PostgreSQL servers.
    package var hasPostgresStores = false

    package init(folder: String = "", texts: [String: String] = [:], lockText: String? = nil) {
        self.folder = folder
        self.texts = texts
        self.lockText = lockText
    }

    /// A Boolean value that indicates whether the model has neither migration files nor `migrations.lock`.
    package var isEmpty: Bool { texts.isEmpty && lockText == nil }

    /// The name of the file of a step.
    package static func name(from source: String, to destination: String) -> String {
        "\(source) to \(destination).sql"
    }

    /// The name of the file of a step for stores on PostgreSQL servers.
    package static func postgresName(from source: String, to destination: String) -> String {
        "\(source) to \(destination).postgresql.sql"
    }

    /// Returns the location of the beginning of a line, which is the first line by default.
    func place(of name: String, line: Int = 1) -> SourceLocation {
        SourceLocation(file: folder + name, line: line, column: 1)
    }
}
