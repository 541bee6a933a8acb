import ChordataConfiguration
import ChordataDiagnostics
import ChordataFiles
import ChordataGeneration
import ChordataMigrationFiles
import Foundation

/// Returns the diagnostics that a build would report for the files of an example, with paths relative to the example's
/// folder.
/// - Parameter id: The diagnostic that the example is for, because one diagnostic is not reported by builds.
func run(_ example: [ExampleFile], of id: DiagnosticID) throws -> [Diagnostic] {
    let folder = FileManager.default.temporaryDirectory.appending(path: "chordata-example-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }  // A remaining folder is harmless.
    for file in example {
        let place = folder.appending(path: file.path)
        let parent = file.contents == nil ? place : place.deletingLastPathComponent()
        try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
        try file.contents.map { try Data($0.utf8).write(to: place) }
    }
    guard let name = example.first?.path.split(separator: "/").first.map(String.init) else { return [] }
    if name.hasSuffix(".json") {
        return readConfiguration(path: name, contents: Array((example[0].contents ?? "").utf8)).diagnostics
    }
    let loaded = loadModel(at: folder.path + "/" + name, configuration: GeneratorConfiguration())
    let generated = loaded.bundle.map { generateFiles(of: $0, configuration: loaded.configuration).diagnostics }
    // As 'chordata migrate lint' reports it.
    let linted = loaded.bundle.map { bundle in
        lintMigrations(
            of: bundle,
            loaded.configuration.migrationFiles,
            configuration: loaded.configuration.configuration,
            isStrict: loaded.configuration.isStrict
        ).diagnostics
            .filter { $0.id == .migrationBreaksReaders && id == $0.id }
    }
    return (loaded.diagnostics + (generated ?? []) + (linted ?? [])).sortedByLocation().map {
        $0.moved(from: folder.path + "/")
    }
}

extension Diagnostic {
    fileprivate func moved(from folder: String) -> Diagnostic {
        func moved(_ location: SourceLocation?) -> SourceLocation? {
            location.map {
                SourceLocation(file: $0.file.replacing(folder, with: ""), line: $0.line, column: $0.column)
            }
        }
        var copy = self
        copy.location = moved(location)
        copy.notes = notes.map { Note($0.message, at: moved($0.location)) }
        copy.fixIts = fixIts.map { fixIt in
            var fixIt = fixIt
            fixIt.location = moved(fixIt.location) ?? fixIt.location
            return fixIt
        }
        return copy
    }
}
