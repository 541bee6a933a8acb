internal import ArgumentParser

/// `chordata model`.
struct Model: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Creates models and versions of models, and extracts them from stores of Core Data.",
        discussion: "Example: chordata model new Sources/App/Shop --entity 'Item: title String, done Boolean'",
        subcommands: [ModelNew.self, ModelAddVersion.self, ModelExtract.self]
    )
}
