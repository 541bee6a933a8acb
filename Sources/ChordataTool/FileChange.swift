internal import ChordataDiagnostics

/// A file that is not up to date, and the command that writes it.
struct FileChange {
    var path: String
    var command: String
    /// The lines for people.
    var explanation: String

    init(path: String, command: String, explanation: String) {
        (self.path, self.command, self.explanation) = (path, command, explanation)
    }

    /// A migration file or the lock.
    init(migrationFile path: String, ofModel model: String) {
        self.path = path
        command = "chordata migrate new \(shellWord(model))"
        explanation = "error: \(path) is not up to date\nremark: to update the file, run '\(command)'\n"
    }

    var json: String { jsonObject([("file", jsonString(path)), ("command", jsonString(command))]) }
    /// The annotation for GitHub Actions.
    var annotation: String { renderGitHub(file: path, error: "the file is not up to date; run '\(command)'") }
}
