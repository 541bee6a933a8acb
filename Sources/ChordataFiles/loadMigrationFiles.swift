package import ChordataDiagnostics
package import ChordataGeneration
internal import Foundation

/// Reads the files of a model's migrations: `Migrations/<Model>` beside it, if that is there.
package func loadMigrationFiles(
    besideModelAt path: String
) -> (files: MigrationFiles, diagnostics: [Diagnostic]) {
    let place = ModelPlace(path)
    guard let name = place.name else { return (MigrationFiles(), []) }
    var files = MigrationFiles(folder: "\(place.folder)Migrations/\(name)/")
    var diagnostics: [Diagnostic] = []
    // That there is no such folder is what most models have.
    let entries = (try? FileManager.default.contentsOfDirectory(atPath: files.folder)) ?? []
    for entry in entries.sorted() where entry == MigrationFiles.lockName || entry.hasSuffix(".sql") {
        guard let bytes = readRegularFile(at: files.folder + entry, followsLinks: true, limit: maximumSize + 1),
            bytes.count <= maximumSize, let text = String(validating: bytes, as: UTF8.self)
        else {
            diagnostics.append(
                Diagnostic(
                    .unreadableFile,
                    "the file cannot be read; is it there, is it UTF-8 of at most \(maximumSize >> 20) MiB, and may you read it?",
                    at: SourceLocation(file: files.folder + entry, line: 1, column: 1)
                )
            )
            continue
        }
        if entry == MigrationFiles.lockName { files.lockText = text } else { files.texts[entry] = text }
    }
    return (files, diagnostics)
}

/// How many bytes a file has at most.
private let maximumSize = 16 << 20
