import Foundation

/// Generates the Swift of a model, and compiles it with a snippet against the Chordata that the tests were built with.
///
/// As far as SIL, because only then the compiler looks at which values reach which isolation.
/// - Parameters:
///   - options: More for the compiler.
///   - edit: Changes the generated files before they are compiled.
/// - Returns: What the compiler finds wrong, errors and warnings.
func compile(
    _ snippet: Snippet,
    with model: String,
    options: [String] = [],
    edit: (_ file: URL) throws -> Void = { _ in }
) async throws -> [CompilerError] {
    let folder = FileManager.default.temporaryDirectory.appending(path: "chordata-compile-\(UUID().uuidString)")
    let version = folder.appending(path: "Shop.xcdatamodeld/Shop.xcdatamodel")
    try FileManager.default.createDirectory(at: version, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }  // What is left of it is the system's to clear.
    try Data(model.utf8).write(to: version.appending(path: "contents"))
    try Data(snippet.source.utf8).write(to: folder.appending(path: Snippet.fileName))

    let generated = try await Program.run(
        Program.product("chordata-generate"),
        ["Shop.xcdatamodeld", "--output", ".", "--strict"],
        in: folder
    )
    guard generated.code == 0 else { throw Program.Missing(description: "no code was generated:\n\(generated.text)") }
    let names = ["Shop.swift", "Shop+Entities0.swift"]
    for name in names { try edit(folder.appending(path: name)) }

    let arguments = [
        "swiftc", "-swift-version", "6", "-parse-as-library", "-module-name", "Shop", "-wmo", "-emit-sil", "-o",
        "/dev/null",
        "-I", try Program.product("Modules").path,
        "-Xcc", "-fmodule-map-file=\(try Program.product("CChordataSQLite.build/module.modulemap").path)",
    ]
    let compiled = try await Program.run(
        URL(fileURLWithPath: "/usr/bin/env"),
        arguments + options + names + [Snippet.fileName],
        in: folder
    )
    let errors = compiled.text.split(separator: "\n").compactMap { line -> CompilerError? in
        guard let match = line.wholeMatch(of: /(?:.*\/)?(.+?):(\d+):\d+: (?:error|warning): (.*)/) else { return nil }
        return CompilerError(file: String(match.1), line: Int(match.2) ?? 0, message: String(match.3))
    }
    // An error without a place is one of the test.
    guard compiled.code == 0 || !errors.isEmpty else {
        throw Program.Missing(description: "the compiler cannot work:\n\(compiled.text)")
    }
    return errors
}
