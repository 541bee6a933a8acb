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
            Nothing is lost, unknown elements and attributes and comments included. Prints the files that changed, or with \
            --check would change, which is exit code 2. When a file cannot be read, none is written.
            """
    )

    @Argument(help: "The models: .xcdatamodeld with all versions, .xcdatamodel, or the 'contents' file of one.")
    var models: [String]
    @Flag(help: "Only tells which files would change.") var check = false

    func run() throws {
        var changes: [(path: String, contents: [UInt8])] = []
        var diagnostics: [Diagnostic] = []
        for path in models {
            let loaded = loadModelSource(at: path)
            diagnostics += loaded.diagnostics
            for version in loaded.source?.versions ?? [] {
                let formatted = formatModel(version.file)
                diagnostics += formatted.diagnostics
                if let contents = formatted.contents, contents != version.file.contents {
                    changes.append((version.file.path, contents))
                }
            }
        }
        try report(diagnostics.sortedByLocation())
        for change in changes {
            // A link stays one; the file it leads to is written, as a whole or not at all.
            let file = URL(fileURLWithPath: change.path).resolvingSymlinksInPath()
            if !check { try Data(change.contents).write(to: file, options: .atomic) }
            print(change.path)
        }
        if check, !changes.isEmpty { throw ExitCode(2) }
    }
}
