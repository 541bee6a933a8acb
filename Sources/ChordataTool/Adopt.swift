internal import ArgumentParser
internal import Foundation

/// `chordata adopt`.
///
/// The rewriting needs swift-syntax, which users of Chordata should neither resolve nor compile, so it is in a separate
/// package. This command exists so that the name appears in the list of commands.
struct Adopt: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Prints the command that rewrites code written for Core Data, so that it compiles with Chordata.",
        discussion: """
            Example: chordata adopt Sources/ --check
            The files are rewritten by 'chordata-adopt', which is a separate package, because it needs swift-syntax. 'chordata \
            adopt' takes the same arguments, changes no file, prints the command to run, and ends with exit code 1.
            """
    )

    @Argument(
        parsing: .allUnrecognized,
        help: "The arguments of 'chordata-adopt': files and folders, --model, --check."
    )
    var arguments: [String] = []

    func run() throws {
        let words = (["swift run --package-path", shellWord(packagePath), "chordata-adopt"] + given).joined(
            separator: " "
        )
        printError(
            "error: 'chordata adopt' only prints the command that rewrites files, so no file was changed\n"
                + "remark: to rewrite the files, run '\(words)'\n"
        )
        throw ExitCode(1)
    }

    private var given: [String] { arguments.isEmpty ? ["Sources/"] : arguments.map(shellWord) }

    /// The path of the package in SwiftPM's checkout for the package in the working folder, or a placeholder.
    private var packagePath: String {
        let checkout = ".build/checkouts/chordata/Tools/Adopt"
        return FileManager.default.fileExists(atPath: checkout + "/Package.swift") ? checkout : "chordata/Tools/Adopt"
    }
}
