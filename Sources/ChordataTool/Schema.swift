internal import ArgumentParser
internal import ChordataApple
internal import ChordataDiagnostics
internal import ChordataModel
internal import ChordataModelFile
internal import ChordataSQL

/// `chordata schema`.
struct Schema: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Prints the SQL that creates a store of a model.",
        discussion: """
            Example: chordata schema Done.xcdatamodeld --version 'Done 2' --format json
            With --core-data, the command prints the tables and indexes in which Core Data stores the objects of the model.
            """
    )

    @Argument(help: "The model, an .xcdatamodeld or .xcdatamodel.") var model: String
    @Option(help: "The version; the current version by default.") var version: String?
    @Flag(help: "Prints the SQL of Core Data's store.") var coreData = false
    @Option(help: "The output format: text or json.") var format = OutputFormat.text

    func run() throws {
        let (bundle, _, diagnostics) = try load(model, format, empty: [("tables", "[]"), ("statements", "[]")])
        let chosen = bundle.versions[try bundle.index(ofVersion: version)]
        if coreData {
            let statements = coreDataStatements(of: chosen.model)
            switch format {
            case .text: for statement in statements { print(statement + ";") }
            case .json:
                print(
                    jsonObject([
                        ("version", "1"), ("diagnostics", jsonDiagnostics(diagnostics)),
                        ("versionName", jsonString(chosen.name)),
                        ("statements", jsonArray(statements.map(jsonString))),
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
