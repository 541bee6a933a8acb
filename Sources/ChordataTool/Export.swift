internal import ArgumentParser
internal import Chordata
internal import ChordataApple
internal import ChordataDiagnostics
internal import Foundation

/// `chordata export`.
struct Export: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Exports a store into a store of Core Data.",
        discussion: """
            Examples: chordata export shop.sqlite --into Default-copy.sqlite
                      chordata export shop.sqlite --new Default.sqlite --model Shop.xcdatamodeld
            With --into, the changes since the import are written to an existing file: the store that was imported, or a \
            copy of it. Objects of the file that differ are updated, objects that only the exported store has are inserted, and objects that \
            the exported store does not have are deleted. With --new, a complete store is created. The \
            result is checked before the target changes; if an error occurs, the target is unchanged.
            """
    )

    @Argument(help: "The store to export.") var store: String
    @Option(help: "The store of Core Data from which the exported store was imported, or a copy of it.")
    var into: String?
    @Option(help: "The path of a new store of Core Data.") var new: String?
    @Option(help: "The model of both stores, an .xcdatamodeld or .xcdatamodel; optional with --into.")
    var model: String?
    @Option(
        help:
            "A decimal attribute, 'Entity.property', whose values may lose digits after the fifteenth; repeat the option for more."
    )
    var accept: [String] = []
    @Option(help: "The output format: text or json.") var format = OutputFormat.text

    func validate() throws {
        guard (into == nil) != (new == nil) else { throw ValidationError("give either --into or --new") }
        guard new == nil || model != nil else {
            throw ValidationError("--new needs the model of the store; add --model")
        }
    }

    func run() throws {
        try requireStore(at: store)
        if let into { try requireStoreFile(at: into) }
        let versions = try model.map { try loadVersions(of: $0) } ?? []
        let exported: ExportedStore
        func show(_ progress: ExportProgress) {
            showProgress(Double(progress.completedStepCount) / Double(progress.totalStepCount), "export")
        }
        do {
            exported =
                if let into {
                    try exportCoreDataStore(
                        at: store,
                        into: into,
                        versions: versions,
                        acceptedLosses: Set(accept),
                        progress: show
                    )
                } else {
                    try exportNewCoreDataStore(
                        at: store,
                        to: new ?? "",
                        versions: versions,
                        acceptedLosses: Set(accept),
                        progress: show
                    )
                }
            clearProgress()
        } catch {
            clearProgress()
            printError("error: \(escape("\(error)", with: .message))\n")
            throw ExitCode(1)
        }
        switch format {
        case .text:
            print(
                "Exported to \(into ?? new ?? ""): \(exported.insertedCount) inserted, \(exported.updatedCount) updated, "
                    + "\(exported.deletedCount) deleted"
            )
        case .json:
            print(
                jsonObject([
                    ("version", "1"), ("inserted", "\(exported.insertedCount)"),
                    ("updated", "\(exported.updatedCount)"),
                    ("deleted", "\(exported.deletedCount)"),
                ])
            )
        }
    }
}
