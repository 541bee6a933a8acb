import Foundation

/// A temporary folder that a test writes its models into and runs the programs in.
struct Workspace: Sendable {
    let folder: URL

    func path(_ name: String) -> String { folder.appending(path: name).path }

    /// Writes a file, and the folders above it.
    func write(_ text: String, to name: String) throws {
        let file = folder.appending(path: name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try Data(text.utf8).write(to: file)
    }

    func read(_ name: String) throws -> String { try String(contentsOf: folder.appending(path: name), encoding: .utf8) }

    func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path(name)) }

    /// Returns the names of the items in a folder, or no names if the folder does not exist.
    func names(in name: String) throws -> [String] {
        exists(name) ? try FileManager.default.contentsOfDirectory(atPath: path(name)).sorted() : []
    }

    /// Writes a model of one version, which has the model's name.
    func writeModel(_ name: String, _ contents: String) throws {
        try write(contents, to: "\(name).xcdatamodeld/\(name).xcdatamodel/contents")
    }

    /// Writes a model of the versions `name` and `name 2`, of which the second is the current one.
    func writeModel(_ name: String, old: String, new: String) throws {
        try writeModel(name, old)
        try write(new, to: "\(name).xcdatamodeld/\(name) 2.xcdatamodel/contents")
        try write(currentVersionFile("\(name) 2"), to: "\(name).xcdatamodeld/.xccurrentversion")
    }

    /// Writes `chordata.json` with levels, a line for each.
    func writeLevels(_ levels: KeyValuePairs<String, String>) throws {
        let lines = levels.map { "    \"\($0)\": \"\($1)\"" }.joined(separator: ",\n")
        try write("{\n  \"diagnostics\": {\n\(lines)\n  }\n}\n", to: "chordata.json")
    }

    // MARK: File attributes

    func link(_ name: String, to destination: String) throws {
        try FileManager.default.createSymbolicLink(atPath: path(name), withDestinationPath: destination)
    }

    /// Returns the type of a file, without following a link.
    func type(of name: String) throws -> FileAttributeType? {
        try FileManager.default.attributesOfItem(atPath: path(name))[.type] as? FileAttributeType
    }

    /// A time in the past, which a file keeps only if it is not written.
    static let longAgo = Date(timeIntervalSince1970: 1_000_000_000)

    func age(_ name: String) throws {
        try FileManager.default.setAttributes([.modificationDate: Self.longAgo], ofItemAtPath: path(name))
    }

    func isAged(_ name: String) throws -> Bool {
        try FileManager.default.attributesOfItem(atPath: path(name))[.modificationDate] as? Date == Self.longAgo
    }

    func permissions(of name: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path(name))[.posixPermissions] as? Int
    }

    // MARK: Runs

    /// Runs `chordata` in the folder, or in a folder inside it.
    func chordata(_ arguments: String..., in name: String = "", path: String = "") async throws -> Program.Result {
        try await Program.chordata.run(arguments, in: folder.appending(path: name), path: path)
    }
}

/// Runs a test in a workspace of its own, and removes the workspace.
func withWorkspace<Value>(_ body: (Workspace) async throws -> Value) async throws -> Value {
    let folder = FileManager.default.temporaryDirectory.appending(path: "chordata-tool-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }  // The system deletes temporary files.
    return try await body(Workspace(folder: folder))
}
