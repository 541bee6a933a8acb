internal import ArgumentParser
internal import Chordata
internal import ChordataDiagnostics
internal import ChordataGeneration
internal import ChordataPostgres
internal import ChordataVerification

/// `chordata copy`.
struct Copy: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Copies a store from a file to a PostgreSQL server, or from a server to a file.",
        discussion: """
            Examples: chordata copy done.sqlite postgresql://app@db1/shop --schema done --model Done.xcdatamodeld
                      chordata copy postgresql://app@db1/shop done.sqlite --schema done --model Done.xcdatamodeld
            The copy has the identifier, the object IDs, the row versions and the metadata of the store, but not its \
            persistent history. The target must be empty; it has the store only after all rows were compared, so a copy \
            that was ended can be started again. End all programs that write to the store first.
            """
    )

    @Argument(help: "The store: a path, or a connection string of a PostgreSQL server.") var store: String
    @Argument(help: "The place of the copy: a connection string if the store is a file, otherwise a path.")
    var target: String
    @OptionGroup var server: ServerPlaceOptions
    @Option(help: "The model, an .xcdatamodeld.") var model: String
    @Option(help: "The output format: text or json.") var format = OutputFormat.text

    func run() throws {
        switch (isConnectionString(store), isConnectionString(target)) {
        case (true, true):
            throw misuse("both stores are on servers; copy between servers with 'pg_dump' and 'pg_restore'")
        case (false, false):
            throw misuse(
                "neither '\(store)' nor '\(target)' is a connection string, such as 'postgresql://user@host/database'; to copy "
                    + "a store from file to file, use PersistentStoreCoordinator.replacePersistentStore(at:withStoreAt:), "
                    + "or 'VACUUM INTO' of the program sqlite3"
            )
        case (true, false), (false, true): break
        }
        let (bundle, configuration) = try load(model)
        let definition = bundle.makeDefinition(configuration.migrationFiles)
        let copier = StoreCopier(model: definition)
        defer { clearProgress() }
        let outcome: StoreCopier.Outcome
        switch (try place(of: store), try place(of: target)) {
        case (.file(let path), .server(let server)):
            try requireStore(at: path)
            outcome = try orFail { () throws(StoreError) in
                try copier.copy(storeAt: path, to: server.configuration, progress: show)
            }
        case (.server(let server), .file(let path)):
            outcome = try orFail { () throws(StoreError) in
                try copier.copy(server.configuration, toStoreAt: path, progress: show)
            }
        case (.file, .file), (.server, .server): preconditionFailure("one of the stores must be on a server")
        }
        clearProgress()
        printOutcome(outcome)
    }

    private func place(of argument: String) throws -> StorePlace {
        isConnectionString(argument) ? try StorePlace(argument, server) : .file(argument)
    }

    private func show(_ progress: StoreCopier.Progress) {
        let verb =
            switch progress.phase {
            case .copying: "copying"
            case .comparing: "comparing"
            }
        showProgress(
            Double(progress.completedRowCount) / Double(max(progress.totalRowCount, 1)),
            "\(verb) '\(progress.tableName)'"
        )
    }

    private func printOutcome(_ outcome: StoreCopier.Outcome) {
        switch format {
        case .text:
            let rows = counted(outcome.tables.reduce(0) { $0 + $1.rowCount }, "row")
            let tables = counted(outcome.tables.count, "table")
            print(
                outcome.wasComplete
                    ? "The copy exists already: \(rows) in \(tables) are identical."
                    : "Copied \(rows) in \(tables), and compared all of them."
            )
        case .json:
            let tables = outcome.tables.map { table in
                jsonObject([("name", jsonString(table.name)), ("rowCount", "\(table.rowCount)")])
            }
            print(
                jsonObject([
                    ("version", "1"), ("wasComplete", "\(outcome.wasComplete)"), ("tables", jsonArray(tables)),
                ])
            )
        }
    }
}
