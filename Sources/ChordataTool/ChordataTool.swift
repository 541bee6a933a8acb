internal import ArgumentParser

/// The command line for people.
@main
struct ChordataTool: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "chordata",
        abstract:
            "Works with Core Data models: checks, formats, draws and compares them, and generates Swift and SQL from them.",
        discussion:
            "Exit codes: 0 fine, 1 errors, 2 files that would change or stores that need migration, 64 wrong usage.",
        version: "0.1.0",
        subcommands: [
            Generate.self, Validate.self, Format.self, Graph.self, Diff.self, Schema.self, Explain.self, Migrate.self,
            Inspect.self,
            Diagnostics.self,
        ]
    )
}
