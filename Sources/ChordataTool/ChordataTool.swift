internal import ArgumentParser
internal import ChordataPredicate
internal import Foundation

/// The program.
@main
enum Program {
    static func main() async {
        if let message = unknownCommand(Array(CommandLine.arguments.dropFirst())) {
            printError("Error: \(message)\n")
            exit(ExitCode.validationFailure.rawValue)
        }
        await ChordataTool.main()
    }

    /// The message for a command that does not exist; the parser would report an unexpected argument.
    private static func unknownCommand(_ arguments: [String]) -> String? {
        var command: any ParsableCommand.Type = ChordataTool.self
        var path = "chordata"
        for argument in arguments {
            let subcommands = command.configuration.subcommands
            guard !subcommands.isEmpty, !argument.hasPrefix("-"), argument != "help" else { return nil }
            guard let next = subcommands.first(where: { $0._commandName == argument }) else {
                let names = subcommands.map { $0._commandName }
                let suggestion = nearestName(to: argument, among: names).map { "did you mean '\($0)'?" }
                return "'\(path)' has no command '\(argument)'; "
                    + (suggestion ?? "the commands are \(names.joined(separator: ", "))")
            }
            command = next
            path += " " + argument
        }
        return nil
    }
}

/// The root command of the command-line tool for people.
struct ChordataTool: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "chordata",
        abstract:
            "Works with Core Data models: checks, formats, draws and compares them, and generates Swift and SQL from them.",
        discussion:
            "Exit codes: 0: success; 1: errors; 2: files would change, or a store needs migration; 64: wrong usage.",
        version: "0.1.0",
        subcommands: [
            Model.self, Generate.self, Check.self, Validate.self, Format.self, Graph.self, Diff.self, Hash.self,
            Schema.self, Explain.self, Migrate.self, Inspect.self, Copy.self, Import.self, Export.self,
            Adopt.self, Diagnostics.self,
        ]
    )
}
