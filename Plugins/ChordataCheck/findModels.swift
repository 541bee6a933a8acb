import Foundation

/// The models in the folder of a target, sorted by path.
///
/// The folder is searched, because a model should be listed under `exclude:` and is then not among the target's files.
/// Links are followed, as they are for sources. Hidden folders are not searched, nor are those of other targets and
/// packages.
func findModels(in folder: URL, except others: [URL]) throws -> [URL] {
    let path = folder.resolvingSymlinksInPath().path
    var seen = Set(others.map { $0.resolvingSymlinksInPath().path }).subtracting([path])
    return try search(folder, &seen).sorted { $0.path < $1.path }
}

private func search(_ folder: URL, _ seen: inout Set<String>) throws -> [URL] {
    // A link may refer to a folder above it.
    guard seen.insert(folder.resolvingSymlinksInPath().path).inserted else { return [] }
    return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().flatMap { name -> [URL] in
        let entry = folder.appending(path: name)
        if name.hasPrefix(".") { return [] }
        if isModel(entry) { return [entry] }
        let manifest = entry.appending(path: "Package.swift")
        guard isFolder(entry), !FileManager.default.fileExists(atPath: manifest.path) else { return [] }
        return try search(entry, &seen)
    }
}

func isModel(_ file: URL) -> Bool { ["xcdatamodeld", "xcdatamodel"].contains(file.pathExtension) }

func isFolder(_ file: URL) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: file.path, isDirectory: &isFolder) && isFolder.boolValue
}
