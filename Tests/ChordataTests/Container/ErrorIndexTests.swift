import Foundation
import Testing

/// The manual's page Errors has a row, with a cause and a remedy, for each public error and each of its cases.
struct ErrorIndexTests {
    private static let root = URL(filePath: #filePath).appending(path: "../../../..").standardized

    /// The public errors of the runtime's modules as symbol paths without arguments, such as `StoreError/Code/busy`.
    private static func errors() throws -> [String] {
        var found: [String] = []
        for module in ["Chordata", "ChordataModel", "ChordataPredicate", "ChordataSQL"] {
            let folder = root.appending(path: "Sources/\(module)")
            let paths = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
            for path in paths.sorted() where path.hasSuffix(".swift") {
                found += errors(in: try String(contentsOf: folder.appending(path: path), encoding: .utf8))
            }
        }
        return found
    }

    /// The errors that a source file declares.
    ///
    /// The formatter guarantees the indentation that this relies on.
    private static func errors(in source: String) -> [String] {
        var found: [String] = []
        var types: [String] = []
        for line in source.split(separator: "\n") {
            let depth = line.prefix { $0 == " " }.count / 4
            if types.count > depth, line.hasSuffix("}") { types.removeSubrange(depth...) }
            if line.hasSuffix(" {"), line.contains("public "),
                let match = line.firstMatch(of: /^ *public (?:struct|enum) (\w+): (.*) \{$/)
            {
                if depth == types.count, depth > 0 || match.2.split(separator: ", ").contains("Error") {
                    types.append(String(match.1))
                    if depth == 0, line.contains("struct ") { found.append(types[0]) }
                }
            } else if !types.isEmpty, depth == types.count, let match = line.firstMatch(of: /^ *case (\w+)/) {
                found.append((types + [String(match.1)]).joined(separator: "/"))
            }
        }
        return found
    }

    @Test func everyErrorHasARow() throws {
        let page = try String(
            contentsOf: Self.root.appending(path: "Sources/Chordata/Chordata.docc/Errors.md"),
            encoding: .utf8
        )
        let errors = try Self.errors()
        for name in ["StoreError/Code/busy", "FetchError/noText", "ValidationError/Failure/Code/invalidURI"] {
            #expect(errors.contains(name), "the sources are read")
        }
        for name in errors {
            let isType = !name.contains("/")
            let rows = page.split(separator: "\n").filter { line in
                // A type whose cases are listed in a table is described in the sentence before the table.
                guard line.hasPrefix("| ") || isType else { return false }
                return line.contains("``\(name)``") || line.contains("``\(name)(")
            }
            #expect(!rows.isEmpty, "\(name)")
            guard !isType else { continue }
            let cells = try #require(rows.last?.dropFirst().dropLast().split(separator: "|"))
            #expect(cells.count >= 3 && cells.suffix(2).allSatisfy { $0.count > 10 }, "\(name): cause and remedy")
        }
    }
}
