internal import ArgumentParser
internal import ChordataApple
internal import ChordataDiagnostics
internal import ChordataModel
internal import Foundation

/// `chordata model extract`.
struct ModelExtract: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "extract",
        abstract: "Writes the model that a store of Core Data contains.",
        discussion: """
            Example: chordata model extract Default.sqlite --output Sources/App/Shop.xcdatamodeld
            A store contains the model with which Core Data opened it last; only old stores contain no model. The parts that a model file \
            cannot have, such as default values of the app's own classes, are listed.
            """
    )

    @Argument(help: "The store of Core Data.") var store: String
    @Option(name: .shortAndLong, help: "The path of the new model, with or without '.xcdatamodeld'.") var output: String

    func run() throws {
        let path = output.hasSuffix(".xcdatamodeld") ? output : output + ".xcdatamodeld"
        let name = String((path.split(separator: "/").last ?? "").dropLast(".xcdatamodeld".count))
        guard !name.isEmpty, !name.hasPrefix(".") else {
            throw misuse("'\(path)' has no name before '.xcdatamodeld'; add a name")
        }
        guard !FileManager.default.fileExists(atPath: path) else {
            throw misuse("\(path) exists already; choose another path")
        }
        try requireStoreFile(at: store)
        let extracted = try orFail { () throws(CoreDataStoreError) in try extractModel(ofStoreAt: store) }
        let contents = try renderModelXML(extracted.model)
        try writeNewModel(at: path, name: name, contents: contents)
        for omission in extracted.omissions {
            printError("warning: not in the model file: \(escape(omission, with: .message))\n")
        }
        print(path)
        summarize("created \(path) with \(counted(extracted.model.entities.count, "entity", plural: "entities"))")
    }
}
