package import ChordataDiagnostics
package import ChordataModelFile
internal import Foundation

/// Reads an `.xcdatamodeld` or a stand-alone `.xcdatamodel` from the disk.
package func loadModelBundle(at path: String) -> (bundle: ModelBundle?, diagnostics: [Diagnostic]) {
    var path = path
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    var diagnostics: [Diagnostic] = []
    let place = SourceLocation(file: path, line: 1, column: 1)
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue else {
        return (
            nil, [Diagnostic(.unreadableFile, "there is no model here; give the path of an '.xcdatamodeld'", at: place)]
        )
    }
    func read(_ path: String) -> ModelSourceFile? {
        guard let contents = FileManager.default.contents(atPath: path) else {
            diagnostics.append(
                Diagnostic(
                    .unreadableFile,
                    "the file cannot be read; is it there, and may you read it?",
                    at: SourceLocation(file: path, line: 1, column: 1)
                )
            )
            return nil
        }
        return ModelSourceFile(path: path, contents: Array(contents))
    }
    func name(_ file: String) -> String { String(file.dropLast(".xcdatamodel".count)) }

    var source = ModelBundleSource(path: path, versions: [])
    if path.hasSuffix(".xcdatamodel") {
        let folder = path.split(separator: "/").last.map(String.init) ?? path
        if let file = read(path + "/contents") { source.versions = [.init(name: name(folder), file: file)] }
    } else {
        let entries: [String]
        do {
            entries = try FileManager.default.contentsOfDirectory(atPath: path).sorted()
        } catch {
            return (
                nil,
                [Diagnostic(.unreadableFile, "the folder cannot be read: \(error.localizedDescription)", at: place)]
            )
        }
        for entry in entries where entry.hasSuffix(".xcdatamodel") {
            if let file = read("\(path)/\(entry)/contents") {
                source.versions.append(.init(name: name(entry), file: file))
            }
        }
        if entries.contains(".xccurrentversion") { source.currentVersionFile = read(path + "/.xccurrentversion") }
    }
    guard diagnostics.isEmpty else { return (nil, diagnostics) }
    return readModelBundle(source)
}
