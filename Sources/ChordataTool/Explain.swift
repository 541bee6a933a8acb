internal import ArgumentParser
internal import Chordata
internal import ChordataModel
internal import ChordataModelFile
internal import ChordataPostgres
internal import ChordataPredicate
internal import Foundation

/// `chordata explain`.
struct Explain: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Shows the SQL of a fetch and its query plan.",
        discussion: """
            Examples: chordata explain Done.xcdatamodeld --entity TodoItem --predicate 'done == NO' --sort 'createdAt DESC'
                      chordata explain Done.xcdatamodeld postgresql://app@db1/shop --schema done --entity TodoItem
            The command prints the predicate as a tree with resolved key paths, the SQL, the database's query plan, and \
            where an index would help. If a store is given, SQLite or the server makes the query plan for its contents; \
            otherwise SQLite makes it for an empty store. The store is only read, and the fetch does not run.
            """
    )

    @Argument(help: "The model, an .xcdatamodeld or .xcdatamodel.") var model: String
    @Argument(
        help:
            "A store of the model, for whose contents the query plan is made: a path, or a connection string of a PostgreSQL server; without it, SQLite makes the query plan for an empty store."
    ) var store: String?
    @OptionGroup var server: ServerPlaceOptions
    @Option(help: "The entity whose objects are fetched.") var entity: String
    @Option(help: "The condition, as a format string; write a value instead of each $variable.") var predicate: String?
    @Option(help: "The search in the full-text index of the entity, such as 'swift data*'.") var matching: String?
    @Option(help: "Key paths separated by commas, each followed by ASC (default) or DESC.") var sort: String?
    @Option(help: "The maximum number of objects; 0 for no limit.") var limit = 0
    @Option(help: "The version of the model; the current version by default.") var version: String?
    @Option(help: "The output format: text or json.") var format = OutputFormat.text

    func run() throws {
        let bundle = try load(model).bundle
        let chosen = bundle.versions[try bundle.index(ofVersion: version)].model
        guard chosen.entity(named: entity) != nil else {
            let names = chosen.entities.map { "'\($0.name)'" }.joined(separator: ", ")
            throw misuse("there is no entity '\(entity)'; the entities are \(names)")
        }
        let place = try store.map { try StorePlace($0, server) }
        if place == nil, server.schema != nil {
            throw misuse("--schema needs a store on a server; add its connection string")
        }
        let explanation: FetchExplanation
        do {
            var request = FetchRequest<ManagedObject>(entityName: entity).limit(limit)
            if let predicate { request = try request.where(format: predicate) }
            if let matching { request = try request.matching(matching) }
            for key in try sortKeys() { request = request.sorted(by: key) }
            switch place {
            case nil: explanation = try explainFetch(request, in: chosen)
            case .file(let path)?: explanation = try explainFetch(request, in: chosen, storeAt: path)
            case .server(let server)?:
                explanation = try explainFetch(request, in: chosen, server.database, schemaName: server.schema)
            }
        } catch {
            printError("error: \(error)\n")
            throw ExitCode(1)
        }
        switch format {
        case .text: print(text(of: explanation))
        case .json:
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            print(String(decoding: try encoder.encode(explanation), as: UTF8.self))
        }
    }

    /// Returns the sort keys of the option `--sort`.
    private func sortKeys() throws -> [SortKey] {
        try (sort ?? "").split(separator: ",").map { part in
            let words = part.split(separator: " ")
            guard let path = words.first, ["", "ASC", "DESC"].contains(words.dropFirst().joined().uppercased()) else {
                throw ValidationError(
                    "'\(part)' is not a valid sort key; write a key path, optionally followed by ASC or DESC"
                )
            }
            return SortKey(
                String(path),
                order: words.dropFirst().joined().uppercased() == "DESC" ? .descending : .ascending
            )
        }
    }

    private func text(of explanation: FetchExplanation) -> String {
        var parts = [
            ("Predicate", explanation.tree), ("SQL", [explanation.sql]), ("Values", explanation.bindings),
            ("Plan", explanation.plan), ("Remarks", explanation.remarks),
        ]
        parts.removeAll { $0.1.isEmpty }
        return parts.map { title, lines in ([title + ":"] + lines.map { "  " + $0 }).joined(separator: "\n") }
            .joined(separator: "\n")
    }
}
