internal import ChordataDiagnostics
internal import ChordataFiles
internal import ChordataMigrationFiles

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
    init(migrationFile name: String, _ files: MigrationFiles, ofModel model: String) {
        path = files.folder + name
        command = "chordata migrate new \(shellWord(model))"
        let isLock = name == MigrationFiles.lockName
        let isMissing = isLock ? files.lockText == nil : files.texts[name] == nil
        difference = (nil, isMissing ? "is missing" : "is not up to date")
        let remedy =
            if isLock, isMissing, !files.texts.isEmpty {
                "restore the file from version control; only if it never existed, run '\(command)', which releases the "
                    + "versions as they are now"
            } else {
                "to \(isMissing ? "write" : "update") the file, run '\(command)'"
            }
        explanation = "error: \(path) \(difference.text)\nremark: \(remedy)\n"
    }

    var json: String { jsonObject([("file", jsonString(path)), ("command", jsonString(command))]) }
    /// The annotation for GitHub Actions.
    var annotation: String {
        renderGitHub(file: path, line: difference.line, error: "the file \(difference.text); run '\(command)'")
    }
}
