package import ChordataDiagnostics
package import ChordataMigrationFiles
internal import Foundation

/// Reads the migration files of a model: those of the folder `Migrations/<Model>` beside it, if the folder exists.
///
/// An `.xcdatamodel` without a bundle, or its `contents` file, has no migration files.
package func loadMigrationFiles(
    besideModelAt path: String
) -> (files: MigrationFiles, diagnostics: [Diagnostic]) {
    let place = ModelPlace(path)
    guard let name = place.name, place.isBundle else { return (MigrationFiles(), []) }
    var files = MigrationFiles(folder: "\(place.folder)Migrations/\(name)/")
    var diagnostics = orphanedMigrationFolders(in: place.folder)
    func refuse(_ entry: String, _ message: String) {
        let place = SourceLocation(file: files.folder + entry, line: 1, column: 1)
        diagnostics.append(Diagnostic(.unreadableFile, message, at: place))
    }
    let entries: [String]
    do {
        entries = try FileManager.default.contentsOfDirectory(atPath: files.folder)
    } catch CocoaError.fileReadNoSuchFile {
        return (files, diagnostics)  // Most models have no migration files.
    } catch {
        refuse("", "the folder cannot be read: \(error.localizedDescription)")
        return (files, diagnostics)
    }
    // Hidden files are ignored: editors and other systems create them beside the files to which they belong.
    for entry in entries.sorted()
    where entry == MigrationFiles.lockName || entry.hasSuffix(".sql") && !entry.hasPrefix(".") {
        guard let bytes = readRegularFile(at: files.folder + entry, followsLinks: true, limit: maximumSize + 1),
            bytes.count <= maximumSize, !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self)
        else {
            refuse(
                entry,
                "the file cannot be read; check that it exists, is readable, and is UTF-8 without NUL of at most "
                    + "\(maximumSize >> 20) MiB"
            )
            continue
        }
        // Some editors write a byte order mark at the beginning.
        let unmarked = String(text.trimmingPrefix("\u{FEFF}"))
        if entry == MigrationFiles.lockName {
            files.lockText = unmarked
        } else {
            files.texts[entry] = unmarked
        }
    }
    return (files, diagnostics)
}

/// The maximum number of bytes of a file.
private let maximumSize = 16 << 20
