internal import Adopt
internal import ArgumentParser
internal import Foundation

/// `chordata-adopt`.
@main
struct AdoptCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "chordata-adopt",
        abstract:
            "Rewrites code for Core Data where it needs the Objective-C runtime, so that it compiles with Chordata.",
        discussion: """
            Example: chordata-adopt Sources/ --check
            Classes of the model inherit from their generated classes and lose their '@NSManaged' declarations, '#keyPath' \
            becomes a generated property key, '#selector' of a sort descriptor becomes a comparison, and the URL of a \
            compiled model in a bundle becomes the URL of the generated model. The setting 'usesScalarValueType' in the \
            model is adapted to the types of the removed declarations. Code that needs a decision is reported with its \
            line and is not changed. Files with syntax errors are also reported and not changed. The changed files and the diff are printed to \
            the standard output, the reports to the standard error.
            Exit codes: 0 fine, 1 errors, or with --check files that would change, 64 wrong usage.
            """
    )

    @Argument(help: "Swift files and folders.") var paths: [String]
    @Option(
        name: .customLong("model"),
        help:
            "A model, .xcdatamodeld or .xcdatamodel; repeat the option for more. By default, all models in the folders are used."
    )
    var models: [String] = []
    @Flag(help: "Prints the changes as a unified diff, and writes nothing.") var check = false

    func run() throws {
        var adoption = Adoption(of: paths, models: models)
        if !check { adoption.write() }
        for report in adoption.reports { printError(report.text) }
        for change in adoption.changes { print(check ? change.diff : change.path, terminator: check ? "" : "\n") }
        let models = adoption.changes.count(where: \.isModel)
        let count = adoption.changes.count - models
        if adoption.hasErrors, count == 0 {
            printError("no file is changed, because there are errors")
            throw ExitCode(1)
        }
        let files = "\(adoption.fileCount) \(adoption.fileCount == 1 ? "file" : "files")"
        printError(
            count == 0
                ? "\(files), nothing to change"
                : "\(check ? "would change" : "changed") \(count) of \(files)"
                    + (models == 0 ? "" : " and \(models) \(models == 1 ? "model" : "models")")
        )
        if adoption.hasErrors || check && count > 0 { throw ExitCode(1) }
    }

    private func printError(_ line: String) {
        FileHandle.standardError.write(Data((line + "\n").utf8))
    }
}
