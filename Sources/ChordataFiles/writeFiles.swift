package import ChordataMigrationFiles
internal import Foundation

/// Writes files into a folder, each only if its bytes change, so that nothing is compiled again unnecessarily.
/// - Returns: The names of the files that changed.
@discardableResult
package func writeFiles(_ files: [GeneratedFile], to folder: String) throws -> [String] {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    var changed: [String] = []
    for file in files {
        let path = folder + "/" + file.name
        let contents = Data(file.contents.utf8)
        if hasContents(contents, at: path) { continue }
        // The file is written atomically, because an editor and a build may run the tool at the same time.
        try contents.write(to: URL(fileURLWithPath: path), options: .atomic)
        changed.append(file.name)
    }
    return changed
}
