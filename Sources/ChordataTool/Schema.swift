internal import ArgumentParser
internal import ChordataFiles
internal import ChordataModelFile
internal import ChordataSQL
internal import Foundation

/// `chordata schema`.
struct Schema: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Prints the SQL that creates a store of a model.",
        discussion: "Example: chordata schema Done.xcdatamodeld --version 'Done 2'"
    )

    @Argument(help: "The model, an .xcdatamodeld or .xcdatamodel.") var model: String
    @Option(help: "The version; the current one unless said otherwise.") var version: String?

    func run() throws {
        let bundle = try load(model)
        let chosen = bundle.versions[try bundle.index(ofVersion: version)]
        for statement in renderSchema(makeSchemaMapping(of: chosen.model)) { print(statement + ";") }
    }
}

/// Writes to standard error.
func printError(_ text: String) {
    FileHandle.standardError.write(Data(text.utf8))
}
