internal import ArgumentParser
internal import ChordataModelFile
internal import ChordataSQL

/// `chordata schema`.
struct Schema: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Prints the SQL that creates a store of a model.",
        discussion: "Example: chordata schema Done.xcdatamodeld --version 'Done 2'"
    )

    @Argument(help: "The model, an .xcdatamodeld or .xcdatamodel.") var model: String
    @Option(help: "The version; the current one unless said otherwise.") var version: String?

    func run() throws {
        let bundle = try load(model).bundle
        let chosen = bundle.versions[try bundle.index(ofVersion: version)]
        for statement in renderSchema(makeSchemaMapping(of: chosen.model)) { print(statement + ";") }
    }
}
