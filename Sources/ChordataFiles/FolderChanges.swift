package import ChordataMigrationFiles
internal import Foundation

/// The difference between a folder and the generated files of a model.
package struct FolderChanges: Sendable {
    /// The files that are missing or have other bytes.
    package var written: [GeneratedFile] = []
    /// The names of files of an earlier run for the same model that are not generated any more.
    package var removed: [String] = []

    /// The names of all files that change, sorted.
    package var names: [String] { (written.map(\.name) + removed).sorted() }

    /// Compares a folder, which need not exist, with all files of one model.
    ///
    /// A file belongs to the same model if it has the first line of generated code and the name of a generated file, by
    /// the model's own name or its configured name. Files that the user wrote or renamed are never removed.
    package init(writing files: [GeneratedFile], ofModel model: String, to folder: String) throws {
        written = files.filter { !hasContents(Data($0.contents.utf8), at: folder + "/" + $0.name) }
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder) else { return }
        guard isFolder.boolValue else { throw NotAFolder() }
        guard let header = files.first?.contents.prefix(while: { $0 != "\n" }) else { return }
        let expected = Set(files.map(\.name))
        let owners = [model] + files.prefix(1).map { String($0.name.dropLast(".swift".count)) }
        removed = try FileManager.default.contentsOfDirectory(atPath: folder).filter { name in
            guard let match = name.wholeMatch(of: /(.+?)(?:\+Entities\d+)?\.swift/) else { return false }
            return owners.contains(String(match.1)) && !expected.contains(name)
                && readRegularFile(at: folder + "/" + name, followsLinks: false, limit: header.utf8.count + 1)
                    == Data("\(header)\n".utf8)
        }
    }

    /// Writes and removes files, so that the folder has the generated files.
    ///
    /// Unchanged files are not written, so that nothing is compiled again unnecessarily.
    package func apply(to folder: String) throws {
        try writeFiles(written, to: folder)
        for name in removed { try FileManager.default.removeItem(atPath: folder + "/" + name) }
    }
}

private struct NotAFolder: LocalizedError {
    var errorDescription: String? { "it is not a folder" }
}
