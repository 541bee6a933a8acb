internal import ArgumentParser
internal import Chordata
internal import ChordataApple
internal import ChordataDiagnostics
internal import ChordataModel
internal import ChordataModelFile
internal import ChordataPostgres
internal import ChordataSQL

/// `chordata schema`.
struct Schema: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Prints the SQL that creates a store of a model.",
        discussion: """
            Example: chordata schema Done.xcdatamodeld --version 'Done 2' --format json
            With --core-data, the command prints the tables and indexes in which Core Data stores the objects of the model, \
            and with --server those of a store on a server. Only servers with PostgreSQL are supported; the SQL for the \
            others is experimental, because it has not been run on them.
            """
    )

    @Argument(help: "The model, an .xcdatamodeld or .xcdatamodel.") var model: String
    @Option(help: "The version; the current version by default.") var version: String?
    @Flag(help: "Prints the SQL of Core Data's store.") var coreData = false
    @Option(
        help: "Prints the SQL of a store on a server: \(Self.serverNames).",
        transform: { name in
            guard let profile = PostgresProfile(rawValue: name) else {
                throw misuse("'\(name)' is not a supported server; choose one of \(Self.serverNames)")
            }
            return profile
        }
    ) var server: PostgresProfile?
    @Option(name: .customLong("schema"), help: "The name of the schema of a store on a server.") var schemaName: String?
    @Option(help: "The output format: text or json.") var format = OutputFormat.text

    private static let serverNames = PostgresProfile.allCases.map(\.rawValue).joined(separator: ", ")

    func run() throws {
        guard !coreData || server == nil else {
            throw misuse("--core-data and --server cannot be combined; choose one of them")
        }
        if let schemaName {
            if server == nil { throw misuse("--schema is for stores on a server; add --server") }
            try orFail { () throws(StoreError) in try requireSchemaName(schemaName, place: "--schema") }
        } else if server != nil {
            throw misuse("--server needs the name of the schema; add --schema")
        }
        let (bundle, _, diagnostics) = try load(model, format, empty: [("tables", "[]"), ("statements", "[]")])
        let chosen = bundle.versions[try bundle.index(ofVersion: version)]
        var otherStatements = coreData ? coreDataStatements(of: chosen.model) : nil
        if let server, let schemaName {
            otherStatements =
                ["BEGIN"] + server.schemaStatements(named: schemaName)
                + renderPostgresSchema(makePostgresMapping(of: chosen.model), server) + ["COMMIT"]
        }
        if let otherStatements {
            switch format {
            case .text: for statement in otherStatements { print(statement + ";") }
            case .json:
                print(
                    jsonObject([
                        ("version", "1"), ("diagnostics", jsonDiagnostics(diagnostics)),
                        ("versionName", jsonString(chosen.name)),
                        ("statements", jsonArray(otherStatements.map(jsonString))),
                    ])
                )
            }
            return
        }
        let mapping = makeSchemaMapping(of: chosen.model)
        switch format {
        case .text: for statement in renderSchema(mapping) { print(statement + ";") }
        case .json:
            print(
                jsonObject([
                    ("version", "1"), ("diagnostics", jsonDiagnostics(diagnostics)),
                    ("versionName", jsonString(chosen.name)),
                    ("versionHash", jsonString(chosen.model.versionHash)),
                    ("tables", jsonArray(mapping.tables.map(json))),
                    ("statements", jsonArray(renderSchema(mapping).map(jsonString))),
                ])
            )
        }
    }

    private func json(of table: Table) -> String {
        let columns = table.columns.map { column in
            jsonObject([
                ("name", jsonString(column.name)), ("type", jsonString(column.type.rawValue)),
                ("isNotNull", "\(column.isNotNull)"), ("references", column.references.map(jsonString) ?? "null"),
            ])
        }
        let indexes = table.indexes.map { index in
            let columns = index.elements.map { element in
                jsonObject([("name", jsonString(element.columnName)), ("isAscending", "\(element.isAscending)")])
            }
            return jsonObject([
                ("name", jsonString(index.name)), ("isUnique", "\(index.isUnique)"), ("columns", jsonArray(columns)),
            ])
        }
        return jsonObject([
            ("name", jsonString(table.name)), ("columns", jsonArray(columns)), ("indexes", jsonArray(indexes)),
        ])
    }
}
