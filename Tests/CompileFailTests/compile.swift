import Foundation

/// Generates the Swift code of a model, and compiles it with a snippet against the Chordata that the tests were built
/// with.
///
/// The code is compiled to SIL, because only then does the compiler check which values cross an isolation boundary.
/// - Parameters:
///   - options: Further options of the compiler.
///   - edit: Changes the generated files before they are compiled.
/// - Returns: The errors and warnings of the compiler.
func compile(
    _ snippet: Snippet,
    with model: String,
    options: [String] = [],
    edit: (_ file: URL) throws -> Void = { _ in }
) async throws -> [CompilerError] {
    try await compile(files: [Snippet.fileName: snippet.source], with: model, options: options, edit: edit)
}

/// Compiles snippets together, each in a file whose declarations are private.
///
/// The compiler checks isolation only after all types are correct, so there are several runs: the first with all
/// snippets, and each of the others without the snippets that had errors before.
/// - Returns: The errors and warnings by snippet, as if each were compiled alone.
func compile(_ snippets: [Snippet], with model: String) async throws -> [String: [CompilerError]] {
    var sources: [String: String] = [:]
    var names: [String: String] = [:]
    for (index, snippet) in snippets.enumerated() {
        let file = "Snippet\(index).swift"
        sources[file] = snippet.source.components(separatedBy: "\n").map { line in
            line.replacing(
                #/^((?:@\w+ )*)((?:final )?(?:actor|class|enum|func|let|protocol|struct|var) )/#,
                maxReplacements: 1
            ) { "\($0.1)private \($0.2)" }
        }.joined(separator: "\n")
        names[file] = snippet.testDescription
    }
    var found = Dictionary(uniqueKeysWithValues: names.values.map { ($0, [CompilerError]()) })
    var areErrors = true
    while areErrors, !sources.isEmpty {
        areErrors = false
        for (file, all) in Dictionary(grouping: try await compile(files: sources, with: model), by: \.file) {
            guard let name = names[file] else { throw Program.Missing(description: "no snippet has these: \(all)") }
            found[name] = all.map {
                CompilerError(file: Snippet.fileName, line: $0.line, message: $0.message, isWarning: $0.isWarning)
            }
            if all.allSatisfy(\.isWarning) { continue }
            areErrors = true
            sources[file] = nil
        }
    }
    return found
}

private func compile(
    files: [String: String],
    with model: String,
    options: [String] = [],
    edit: (_ file: URL) throws -> Void = { _ in }
) async throws -> [CompilerError] {
    let folder = FileManager.default.temporaryDirectory.appending(path: "chordata-compile-\(UUID().uuidString)")
    let version = folder.appending(path: "Shop.xcdatamodeld/Shop.xcdatamodel")
    try FileManager.default.createDirectory(at: version, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }  // The system deletes temporary files.
    try Data(model.utf8).write(to: version.appending(path: "contents"))
    for (name, source) in files { try Data(source.utf8).write(to: folder.appending(path: name)) }

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
        arguments + options + names + files.keys.sorted(),
        in: folder
    )
    let errors = compiled.text.split(separator: "\n").compactMap { line -> CompilerError? in
        guard let match = line.wholeMatch(of: /(?:.*\/)?(.+?):(\d+):\d+: (error|warning): (.*)/) else { return nil }
        return CompilerError(
            file: String(match.1),
            line: Int(match.2) ?? 0,
            message: String(match.4),
            isWarning: match.3 == "warning"
        )
    }
    // An error without a location is an error of the test.
    guard compiled.code == 0 || !errors.isEmpty else {
        throw Program.Missing(description: "the compiler cannot work:\n\(compiled.text)")
    }
    return errors
}
