internal import ArgumentParser
internal import Chordata
internal import ChordataApple
internal import ChordataDiagnostics
internal import ChordataModelFile
internal import ChordataPostgres
internal import Foundation

/// `chordata inspect`.
struct Inspect: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Shows the version, object counts and schema drift of a store of Chordata or of Core Data.",
        discussion: """
            Examples: chordata inspect done.sqlite --format json
                      chordata inspect Default.sqlite --model Shop.xcdatamodeld
                      chordata inspect postgresql://app@db1/shop --schema done --model Done.xcdatamodeld
            For a store of Core Data, the command also shows how its model was found, the differences from each version of the \
            model that is given, and broken invariants. The columns of a store on a server are compared with those of the \
            model, if it is given. Metadata of the app is not shown.
            """
    )

    @Argument(help: "The store: a path, or a connection string of a PostgreSQL server.") var store: String
    @OptionGroup var server: ServerPlaceOptions
    @Option(help: "The model, an .xcdatamodeld or .xcdatamodel; used for stores of Core Data and stores on a server.")
    var model: String?
    @Option(help: "The output format: text or json.") var format = OutputFormat.text

    func run() throws {
        let inspection: StoreInspection
        switch try StorePlace(store, server) {
        case .file(let path):
            try requireStoreFile(at: path)
            if isCoreDataStore(at: path) { return try inspectCoreDataStore() }
            guard model == nil else {
                throw misuse("--model is for stores of Core Data and on servers, and '\(path)' is neither")
            }
            inspection = try orFail { () throws(StoreError) in try inspectStore(at: path) }
        case .server(let server):
            let models = try model.map { try load($0).bundle.versions.map(\.model) } ?? []
            inspection = try orFail { () throws(StoreError) in
                try inspectStore(in: server.database, schemaName: server.schema, models: models)
            }
        }
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
        case nil where isConnectionString(store):
            lines.append(
                model == nil
                    ? "Tables: not checked; give the model with --model to compare them"
                    : "Tables: not checked; the model does not have the version of the store"
            )
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
