internal import ArgumentParser
internal import Chordata
internal import ChordataApple
internal import ChordataDiagnostics
internal import Foundation

/// `chordata inspect`.
struct Inspect: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Shows the version, object counts and schema drift of a store of Chordata or of Core Data.",
        discussion: """
            Examples: chordata inspect done.sqlite --format json
                      chordata inspect Default.sqlite --model Shop.xcdatamodeld
            For a store of Core Data, the command also shows how its model was found, the differences from each version of the \
            model that is given, and broken invariants. Metadata of the app is not shown.
            """
    )

    @Argument(help: "The store.") var store: String
    @Option(help: "The model of the app that wrote a store of Core Data, an .xcdatamodeld or .xcdatamodel.")
    var model: String?
    @Option(help: "The output format: text or json.") var format = OutputFormat.text

    func run() throws {
        try requireStoreFile(at: store)
        if isCoreDataStore(at: store) { return try inspectCoreDataStore() }
        guard model == nil else { throw misuse("--model is for stores of Core Data, and '\(store)' is not one") }
        let inspection = try orFail { () throws(StoreError) in try inspectStore(at: store) }
        switch format {
        case .text: print(text(of: inspection))
        case .json: print(json(of: inspection))
        }
    }

    private func text(of inspection: StoreInspection) -> String {
        var lines = [
            "Model: \(inspection.modelName)", "Version: \(inspection.versionName)", "Store: \(inspection.storeUUID)",
            "Objects:",
        ]
        lines += inspection.entities.map { "  \($0.entityName): \($0.count)" }
        if !inspection.fullTextIndexes.isEmpty { lines.append("Full-text indexes:") }
        lines += inspection.fullTextIndexes.map { index in
            "  \(index.name) (\(index.columns.joined(separator: ", "))): \(index.count)"
                + (index.isComplete
                    ? ""
                    : ", incomplete; to rebuild the index, call 'rebuildFullTextIndexes()' of the program's PersistentStore; "
                        + "the command line has no command for this")
        }
        if !inspection.migrations.isEmpty { lines.append("Migrations:") }
        lines += inspection.migrations.map {
            "  \($0.source) → \($0.destination), \($0.finished.formatted(.iso8601))"
        }
        switch inspection.drift {
        case nil: lines.append("Tables: not checked; the store was created before Chordata recorded its tables")
        case []?: lines.append("Tables: as Chordata created them")
        case let drift?:
            lines.append("Schema drift:")
            lines += drift.map { "  " + $0 }
        }
        return lines.joined(separator: "\n")
    }

    private func json(of inspection: StoreInspection) -> String {
        let entities = inspection.entities.map { entity in
            jsonObject([("name", jsonString(entity.entityName)), ("count", "\(entity.count)")])
        }
        let migrations = inspection.migrations.map { migration in
            jsonObject([
                ("from", jsonString(migration.source)), ("to", jsonString(migration.destination)),
                ("checksum", jsonString(migration.checksum)),
                ("finished", jsonString(migration.finished.formatted(.iso8601))),
            ])
        }
        let fullTextIndexes = inspection.fullTextIndexes.map { index in
            jsonObject([
                ("name", jsonString(index.name)), ("columns", jsonArray(index.columns.map(jsonString))),
                ("count", "\(index.count)"), ("isComplete", "\(index.isComplete)"),
            ])
        }
        return jsonObject([
            ("version", "1"), ("modelName", jsonString(inspection.modelName)),
            ("versionName", jsonString(inspection.versionName)), ("versionHash", jsonString(inspection.versionHash)),
            ("storeUUID", jsonString(inspection.storeUUID.uuidString)), ("entities", jsonArray(entities)),
            ("fullTextIndexes", jsonArray(fullTextIndexes)),
            ("migrations", jsonArray(migrations)),
            ("drift", inspection.drift.map { jsonArray($0.map(jsonString)) } ?? "null"),
        ])
    }
}
