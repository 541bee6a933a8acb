internal import ArgumentParser
internal import ChordataDiagnostics
internal import ChordataFiles
internal import ChordataModelFile
internal import Foundation

/// `chordata format`.
struct Format: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Writes model files in Xcode's order and layout.",
        discussion: """
            Example: chordata format --check Models/*.xcdatamodeld
            Unknown elements, unknown attributes and comments are kept. The command prints the files that changed. With \
            --check it prints the files that would change, and if there are any, the exit code is 2. If a file cannot \
            be read, no file is written.
            """
    )

    @Argument(help: "The models: .xcdatamodeld with all versions, .xcdatamodel, or the 'contents' file of a version.")
    var models: [String]
    @Flag(help: "Lists the files that would change, and writes nothing.") var check = false

    func run() throws {
        var changes: [(path: String, contents: [UInt8])] = []
        var diagnostics: [Diagnostic] = []
        var seen: Set<String> = []
        for path in models {
            let loaded = loadModelSource(at: path)
            diagnostics += loaded.diagnostics
            if let source = loaded.source {
                diagnostics += checkFormats(of: source)
            }
            if let source = loaded.source, source.versions.isEmpty, source.unreadVersions.isEmpty {
                let place = SourceLocation(file: path, line: 1, column: 1)
                diagnostics.append(
                    Diagnostic(
                        .noVersions,
                        "there is no model at this path; give the path of a model",
                        at: place
                    )
                )
            }
            for version in loaded.source?.versions ?? [] {
                // A file that is given several times is formatted once.
                let file = URL(fileURLWithPath: version.file.path).resolvingSymlinksInPath().path
                guard seen.insert(file).inserted else { continue }
                let formatted = formatModel(version.file)
                diagnostics += formatted.diagnostics
                if let contents = formatted.contents, contents != version.file.contents {
                    changes.append((version.file.path, contents))
                }
            }
        }
        try report(diagnostics.sortedByLocation())
        for change in changes {
            if !check {
                try orFail(writing: change.path) { try replaceContents(of: change.path, with: change.contents) }
            }
            print(change.path)
        }
        let files = counted(seen.count, "file")
        if changes.isEmpty {
            summarize("\(files), nothing to change")
        } else {
            summarize("\(check ? "would change" : "changed") \(changes.count) of \(files)")
        }
        if check, !changes.isEmpty {
            let words = models.map(shellWord).joined(separator: " ")
            printError(
                "remark: to format the \(changes.count == 1 ? "file" : "files"), run 'chordata format \(words)'\n"
            )
            throw ExitCode(2)
        }
    }
}

/// Replaces a file atomically.
///
/// A symbolic link to the file is kept, and so are the file's permissions.
private func replaceContents(of path: String, with contents: [UInt8]) throws {
    let file = URL(fileURLWithPath: path).resolvingSymlinksInPath()
    let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
    try Data(contents).write(to: file, options: .atomic)
    if let permissions = attributes[.posixPermissions] {
        try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: file.path)
    }
}
