internal import ChordataDiagnostics
internal import ChordataFiles

/// A file that is not up to date, and the command that writes it.
struct FileChange {
    var path: String
    var command: String
    /// The explanation for people.
    var explanation: String
    /// The line of the first difference, and what is different, for an annotation.
    private var difference: (line: Int?, text: String)

    /// A file with generated code.
    init(generatedFile name: String, in folder: String, _ changes: FolderChanges, command: String) {
        path = "\(folder)/\(name)"
        self.command = command
        difference = changes.difference(of: name, in: folder)
        explanation = changes.explanation(of: name, in: folder) + "remark: to update the file, run '\(command)'\n"
    }

    /// A migration file or the lock.
    init(migrationFile path: String, ofModel model: String) {
        self.path = path
        command = "chordata migrate new \(shellWord(model))"
        difference = (nil, "is not up to date")
        explanation = "error: \(path) is not up to date\nremark: to update the file, run '\(command)'\n"
    }

    var json: String { jsonObject([("file", jsonString(path)), ("command", jsonString(command))]) }
    /// The annotation for GitHub Actions.
    var annotation: String {
        renderGitHub(file: path, line: difference.line, error: "the file \(difference.text); run '\(command)'")
    }
}
