internal import ArgumentParser
internal import Chordata
internal import ChordataConfiguration
internal import ChordataDiagnostics
internal import ChordataGeneration
internal import ChordataMigration
internal import ChordataMigrationFiles
internal import ChordataModel
internal import ChordataModelFile
internal import ChordataPostgres
internal import ChordataVerification

/// `chordata migrate plan`.
struct MigratePlan: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plan",
        abstract:
            "Prints the SQL that migrates a store to another version, with the model change for each statement.",
        discussion: """
            Examples: chordata migrate plan Done.xcdatamodeld (from the version before the current one)
                      chordata migrate plan Done.xcdatamodeld --from 'Done' --to 'Done 3' --format json
                      chordata migrate plan Done.xcdatamodeld done.sqlite (from the version of the store)
                      chordata migrate plan Done.xcdatamodeld postgresql://app@db1/shop --schema done
            With a store, the plan begins with its version, and the SQL is that of its database; the store is not changed. \
            Changes that lose data or cannot be inferred are reported on standard error, or in the JSON's diagnostics; \
            the exit code is 1 if a step has no migration, or if there are errors.
            """
    )

    @Argument(help: "The model, an .xcdatamodeld.") var model: String
    @Argument(help: "The store to migrate: a path, or a connection string of a PostgreSQL server.") var store: String?
    @OptionGroup var server: ServerPlaceOptions
    @Option(
        help: "The version to start from; by default the version of the store, or the version before the end version."
    )
    var from: String?
    @Option(help: "The version to end with; the current version by default.") var to: String?
    @Option(help: "The output format: text or json.") var format = OutputFormat.text

    func run() throws {
        let parts = [("steps", "[]")]
        let place = try storePlace()
        let isOnServer = if case .server = place { true } else { false }
        var (bundle, configuration, loading) = try load(model, format, empty: parts, hasPostgresStores: isOnServer)
        let found = checkVersions(
            of: bundle,
            configuration.migrationFiles,
            configuration: configuration.configuration,
            isStrict: configuration.isStrict
        )
        loading += try report(found, format, empty: parts)
        let last = try bundle.index(ofVersion: to)
        let storeVersion = try place.map {
            try index(ofVersionOf: $0, in: bundle, upTo: last, configuration.migrationFiles)
        }
        let first = try storeVersion ?? from.map { try bundle.index(ofVersion: $0) } ?? last - 1
        if storeVersion == last {
            printError(
                "remark: the store has the version '\(bundle.versions[last].name)', so there is nothing to plan\n"
            )
            if format == .json { printJSON(loading, [], sql: \.sql) }
            return
        }
        guard bundle.versions.count > 1 else {
            printError("remark: '\(bundle.versions[last].name)' has no older version, so there is nothing to plan\n")
            if format == .json { printJSON(loading, [], sql: \.sql) }
            return
        }
        guard first >= 0 else {
            throw misuse("there is no version before '\(bundle.versions[last].name)'; \(bundle.orderExplanation)")
        }
        guard first < last else {
            throw misuse(
                "there is no migration from '\(bundle.versions[first].name)' to '\(bundle.versions[last].name)': "
                    + "migrations go from a version to a later one, and \(bundle.orderExplanation)"
            )
        }
        let steps = bundle.migrations(from: first, to: last, configuration.migrationFiles)
        let diagnostics = steps.flatMap(\.diagnostics).applying(configuration.configuration, isStrict: false)
        func sql(_ step: ModelMigration) -> String? { isOnServer ? step.postgresSQL : step.sql }
        switch format {
        case .text:
            printError(renderText(diagnostics))
            print(steps.map { text(of: $0, sql: sql($0)) }.joined(separator: "\n"), terminator: "")
        case .json: printJSON(loading + diagnostics, steps, sql: sql)
        }
        if diagnostics.hasErrors || steps.contains(where: { $0.changesStores && sql($0) == nil }) {
            throw ExitCode(1)
        }
    }

    /// Returns the place of the store; `nil` without a store.
    private func storePlace() throws -> StorePlace? {
        guard let store else {
            guard server.schema == nil else {
                throw misuse("--schema needs a store on a server; add its connection string after the model")
            }
            return nil
        }
        guard from == nil else {
            throw misuse("the plan begins with the version of the store, so remove --from, or do not give a store")
        }
        return try StorePlace(store, server)
    }

    /// Returns the index of the version that a store has, or of the last version that is the same.
    /// - Parameter last: The index of the version with which the plan ends.
    private func index(
        ofVersionOf place: StorePlace,
        in bundle: ModelBundle,
        upTo last: Int,
        _ files: MigrationFiles
    ) throws -> Int {
        let definition = bundle.makeDefinition(files)
        let inspection: StoreInspection
        switch place {
        case .file(let path):
            try requireStore(at: path)
            inspection = try orFail { () throws(StoreError) in
                _ = try MigrationManager(model: definition, path: path).pendingMigrations()
                return try inspectStore(at: path)
            }
        case .server(let server):
            inspection = try orFail { () throws(StoreError) in
                _ = try pendingMigrations(of: definition, in: server.database, schemaName: server.schema)
                return try inspectStore(in: server.database, schemaName: server.schema)
            }
        }
        let known = bundle.versions.indices.filter { bundle.versions[$0].model.versionHash == inspection.versionHash }
        // Identical versions are one version for a migration, which begins at the last of them.
        if known.contains(last) { return last }
        guard let index = known.last(where: { $0 < last }) ?? known.first else {
            preconditionFailure("a store with migrations must have a version of the model")
        }
        return index
    }

    private func printJSON(
        _ diagnostics: [Diagnostic],
        _ steps: [ModelMigration],
        sql: (ModelMigration) -> String?
    ) {
        print(
            jsonObject([
                ("version", "1"), ("diagnostics", jsonDiagnostics(diagnostics)),
                ("steps", jsonArray(steps.map { json(of: $0, sql: sql($0)) })),
            ])
        )
    }

    private func text(of step: ModelMigration, sql: String?) -> String {
        let names = "'\(step.source.name)' to '\(step.destination.name)'"
        guard step.changesStores else { return "-- \(names): stores need no migration\n" }
        if let sql { return sql }
        return step.hasStage
            ? "-- \(names) has a stage, which stores on a server do not support yet\n"
            : "-- \(names) cannot be inferred\n"
    }

    private func json(of step: ModelMigration, sql: String?) -> String {
        jsonObject([
            ("from", jsonString(step.source.name)), ("to", jsonString(step.destination.name)),
            ("fromHash", jsonString(step.source.model.versionHash)),
            ("toHash", jsonString(step.destination.model.versionHash)),
            ("origin", jsonString(step.origin.rawValue)), ("hasStage", "\(step.hasStage)"),
            ("steps", jsonArray((step.changesStores ? step.plan?.allSteps ?? [] : []).map(json))),
            ("sql", sql.map(jsonString) ?? "null"),
        ])
    }

    private func json(of step: MigrationStep) -> String {
        jsonObject([
            ("kind", jsonString(step.kind.rawValue)), ("table", jsonString(step.table)),
            ("reasons", jsonArray(step.comments.map(jsonString))), ("losesData", "\(step.losesData)"),
            ("dependsOnData", "\(step.dependsOnData)"), ("statements", jsonArray(step.statements.map(jsonString))),
        ])
    }
}
