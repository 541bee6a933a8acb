internal import ArgumentParser
internal import ChordataApple
internal import ChordataDiagnostics
internal import ChordataModel
internal import ChordataModelFile
internal import Foundation

/// `chordata hash`.
struct Hash: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Prints the version hashes that Core Data computes for a model.",
        discussion: """
            Examples: chordata hash Done.xcdatamodeld
                      chordata hash Done.xcdatamodeld --version 'Done 2' --format json
            Core Data opens a store with a model only if the hashes of all entities are equal. The digest and the \
            checksum are hashes over all entities: the metadata of stores has both, compiled models have the checksum. The \
            hashes of entities with derived or composite attributes, and of their subentities, cannot be computed \
            yet; without them, digest and checksum cannot be computed either.
            """
    )

    @Argument(help: "The model, an .xcdatamodeld or .xcdatamodel.") var model: String
    @Option(help: "The version; the current version by default.") var version: String?
    @Option(help: "The output format: text or json.") var format = OutputFormat.text

    func run() throws {
        let (bundle, _, diagnostics) = try load(model, format, empty: [("entities", "[]")])
        let chosen = bundle.versions[try bundle.index(ofVersion: version)]
        let hashes = VersionHashes(of: chosen.model)
        let names = chosen.model.entities.map(\.name).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        switch format {
        case .text:
            let width = max(names.map(\.count).max() ?? 0, "checksum".count)
            func line(_ name: String, _ value: String) {
                let text = name + String(repeating: " ", count: max(width - name.count, 0) + 2) + value
                print(escape(text, with: .message))
            }
            for name in names {
                line(
                    name,
                    hashes.entityVersionHashesByName[name].map(hexadecimal)
                        ?? "not computed: \(hashes.reasonsByEntityName[name] ?? "")"
                )
            }
            if let digest = hashes.digest, let checksum = hashes.checksum {
                print("")
                line("digest", digest)
                line("checksum", checksum)
            }
        case .json:
            let entities = names.map { name in
                jsonObject([
                    ("name", jsonString(name)),
                    ("hash", hashes.entityVersionHashesByName[name].map { jsonString(hexadecimal($0)) } ?? "null"),
                    ("reason", hashes.reasonsByEntityName[name].map(jsonString) ?? "null"),
                ])
            }
            print(
                jsonObject([
                    ("version", "1"), ("diagnostics", jsonDiagnostics(diagnostics)),
                    ("versionName", jsonString(chosen.name)), ("entities", jsonArray(entities)),
                    ("digest", hashes.digest.map(jsonString) ?? "null"),
                    ("checksum", hashes.checksum.map(jsonString) ?? "null"),
                ])
            )
        }
    }
}

/// Returns the hexadecimal digits of bytes.
private func hexadecimal(_ bytes: Data) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}
