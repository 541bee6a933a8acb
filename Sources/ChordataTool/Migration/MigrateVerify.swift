internal import ArgumentParser
internal import Chordata
internal import ChordataDiagnostics
internal import ChordataGeneration
internal import ChordataMigrationFiles
internal import ChordataModelFile
internal import ChordataVerification
internal import Foundation

/// `chordata migrate verify`.
struct MigrateVerify: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Makes a store of each older version with test objects, migrates it, and checks the result.",
        discussion: """
            Examples: chordata migrate verify Done.xcdatamodeld
                      chordata migrate verify Done.xcdatamodeld postgresql://test@localhost/test
            With the connection string of a PostgreSQL server, the stores are migrated there, with the SQL for PostgreSQL: \
            each in a new schema, whose name begins with 'chordata_verify_' and which is dropped afterwards. Use a server \
            for tests. \
            A migrated store must have the tables of a new store, all objects, values and references that the rules of \
            migration keep, and no dangling references. The exit code is 1 if a store does not meet these conditions, or \
            if it cannot be checked because it needs a stage in Swift: only your app has the stage, and its tests must \
            check it. --skip-stages skips the stores that need a stage; if all stores need one, the exit code is still \
            1. A gap that 'migrations' in 'chordata.json' accepts is not a failure.
            """
    )

    @Argument(help: "The model, an .xcdatamodeld.") var model: String
    @Argument(help: "The connection string of a PostgreSQL server; without it, the stores are files.")
    var server: String?
    @Option(help: "The number of objects of each entity.") var objects = 6
    @Flag(help: "Skips stores that need a stage of the app instead of failing.") var skipStages = false
    @Option(help: "The output format: text or json.") var format = OutputFormat.text

    func validate() throws {
        guard (1...10_000).contains(objects) else {
            throw ValidationError("--objects must be a number from 1 to 10000")
        }
    }

    func run() throws {
        let parts = [("migrations", "[]")]
        let verifyingServer = try server.map(makeServer)
        let (bundle, configuration, loading) = try load(
            model,
            format,
            empty: parts,
            hasPostgresStores: server != nil
        )
        // Diagnostics of single steps are reported below, except for those that the configuration has made errors.
        let raised = checkMigrations(
            of: bundle,
            configuration.migrationFiles,
            configuration: configuration.configuration,
            isStrict: configuration.isStrict
        ).diagnostics
            .filter { $0.severity == .error && $0.id.severity != .error }
        let found = checkVersions(
            of: bundle,
            configuration.migrationFiles,
            configuration: configuration.configuration,
            isStrict: configuration.isStrict
        )
        let diagnostics =
            try loading + report(found + raised.filter { !found.contains($0) }, format, empty: parts)
        guard bundle.currentVersionIndex > 0 else {
            printError("remark: '\(bundle.currentVersion.name)' has no older version, so there is nothing to verify\n")
            if format == .json { printJSON(diagnostics, []) }
            return
        }
        var isVerified = true
        var hasVerified = false
        var hasAcceptedGap = false
        var needsStage = false
        var items: [String] = []
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try orFail { () throws(StoreError) in
            try verifyMigrations(
                of: bundle,
                configuration.migrationFiles,
                objectsPerEntity: objects,
                in: folder.path,
                on: verifyingServer,
                willVerify: { showProgress($1, "verifying the migration from '\($0)'") }
            ) { item in
                clearProgress()
                switch item.outcome {
                case .verified: hasVerified = true
                case .acceptedGap: hasAcceptedGap = true
                case .needsStage:
                    needsStage = true
                    if !skipStages { isVerified = false }
                case .unverifiable, .failed: isVerified = false
                }
                switch format {
                case .text:
                    print(text(of: item))
                    // Each step may take long, and the reader of a pipe waits for its output.
                    fflush(nil)
                case .json: items.append(json(of: item))
                }
            }
        }
        if format == .json { printJSON(diagnostics, items) }
        if isVerified, !hasVerified, hasAcceptedGap, !needsStage {
            printError(
                "remark: all older versions come before an accepted gap, so nothing was verified\n"
            )
            return
        }
        if isVerified, !hasVerified {
            printError(
                "error: every older version needs a stage, which is code of your program and cannot run here, or comes before an accepted gap, so nothing was verified; test the stages in your program\n"
            )
        }
        if !isVerified || !hasVerified { throw ExitCode(1) }
    }

    /// Returns the server of a connection string.
    private func makeServer(_ connectionString: String) throws -> TestSchemas {
        guard isConnectionString(connectionString) else {
            throw misuse(
                "the second argument must be a connection string, such as 'postgresql://user@host/database'; to verify the "
                    + "migrations of files, give only the model"
            )
        }
        return TestSchemas(connectionString: connectionString)
    }

    private func printJSON(_ diagnostics: [Diagnostic], _ items: [String]) {
        print(
            jsonObject([
                ("version", "1"), ("diagnostics", jsonDiagnostics(diagnostics)), ("migrations", jsonArray(items)),
            ])
        )
    }

    private func text(of item: VerifiedMigration) -> String {
        let name =
            item.notes.map { $0 + "\n" }.joined()
            + "\(item.source) → \(item.destination), \(item.objectCount) objects: "
        switch item.outcome {
        case .verified: return name + "verified"
        case .unverifiable(let reason): return name + "not verified, because \(reason)"
        case .acceptedGap(let step): return name + "not verified, because \(step) is an accepted gap"
        case .needsStage(let step):
            return name
                + "not verified, because \(step) has a stage, which is Swift code of the app that 'chordata' cannot run"
        case .failed(let problems):
            let rest = problems.count > 10 ? ["and \(problems.count - 10) more"] : []
            return name + "wrong" + (problems.prefix(10) + rest).map { "\n  " + $0 }.joined()
        }
    }

    private func json(of item: VerifiedMigration) -> String {
        let (outcome, messages): (String, [String]) =
            switch item.outcome {
            case .verified: ("verified", [])
            case .unverifiable(let reason): ("unverifiable", [reason])
            case .acceptedGap(let step): ("acceptedGap", [step])
            case .needsStage(let step): ("needsStage", [step])
            case .failed(let problems): ("failed", problems)
            }
        return jsonObject([
            ("from", jsonString(item.source)), ("to", jsonString(item.destination)), ("objects", "\(item.objectCount)"),
            ("notes", jsonArray(item.notes.map(jsonString))), ("outcome", jsonString(outcome)),
            ("messages", jsonArray(messages.map(jsonString))),
        ])
    }
}
