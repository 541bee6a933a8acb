package import Chordata
package import ChordataMigrationFiles
internal import ChordataModel
package import ChordataModelFile
internal import ChordataSQL

/// The result of migrating a store of one version to the current one.
package struct VerifiedMigration: Sendable {
    package enum Outcome: Sendable, Equatable {
        case verified
        /// The problems, in words.
        case failed([String])
        /// The reason why the migration cannot be verified.
        case unverifiable(String)
        /// The step without a migration, which the configuration accepts.
        case acceptedGap(String)
        /// The step whose stage only the program has.
        case needsStage(String)
    }

    package var source: String
    package var destination: String
    /// The number of objects of the store.
    package var objectCount: Int
    /// Remarks about steps with edited files, in words.
    package var notes: [String]
    package var outcome: Outcome
}

/// Migrates a store of each older version, with generated objects, to the current version, and compares its tables,
/// objects and references with the expected ones.
///
/// - Parameters:
///   - folder: The folder in which the stores are created and removed, one after the other.
///   - server: The server on which the stores are migrated; `nil` if they are migrated in their files.
///   - willVerify: A closure that receives the name of each older version before its store is created, and the
///     completed fraction.
package func verifyMigrations(
    of bundle: ModelBundle,
    _ files: MigrationFiles,
    objectsPerEntity: Int,
    in folder: String,
    on server: (any VerifyingServer)? = nil,
    willVerify: (_ versionName: String, _ done: Double) -> Void = { _, _ in },
    report: (VerifiedMigration) -> Void
) throws(StoreError) {
    let current = bundle.currentVersionIndex
    let steps = bundle.migrations(from: 0, to: current, files)
    let verifier = MigrationVerifier(
        bundle: bundle,
        steps: steps,
        matches: steps.map { ModelMatch(source: $0.source.model, destination: $0.destination.model) },
        definition: ModelDefinition(bundle, version: current, migrations: steps),
        mapping: makeSchemaMapping(of: bundle.currentVersion.model),
        folder: folder,
        server: server
    )
    for index in 0..<current {
        willVerify(bundle.versions[index].name, Double(index) / Double(current))
        report(try verifier.verify(from: index, objectsPerEntity: objectsPerEntity))
    }
}

/// A server that migrates copies of stores.
package protocol VerifyingServer {
    /// Copies the store in a file to the server, migrates the copy, and replaces the file with it.
    /// - Parameters:
    ///   - source: The version of the store.
    ///   - destination: The version after the migration.
    ///   - path: The path of the file.
    /// - Returns: The differences of the migrated tables from those of a new store on the server, in words.
    /// - Throws: `StoreError` when the server cannot be used, or when the migration fails.
    func migrate(from source: ModelDefinition, to destination: ModelDefinition, _ path: String) throws(StoreError)
        -> [String]
}

private struct MigrationVerifier {
    let bundle: ModelBundle
    let steps: [ModelMigration]
    let matches: [ModelMatch]
    let definition: ModelDefinition
    let mapping: SchemaMapping
    let folder: String
    let server: (any VerifyingServer)?

    func verify(from index: Int, objectsPerEntity: Int) throws(StoreError) -> VerifiedMigration {
        let version = bundle.versions[index]
        let contents = generateContents(of: version.model, objectsPerEntity: objectsPerEntity)
        var result = VerifiedMigration(
            source: version.name,
            destination: bundle.currentVersion.name,
            objectCount: contents.objects.count,
            notes: [],
            outcome: .verified
        )
        let chain = chain(from: index)
        if let gap = chain.map({ steps[$0] }).first(where: { sql(of: $0) == nil }) {
            let name = "'\(gap.source.name)' to '\(gap.destination.name)'"
            result.outcome =
                gap.isAcceptedGap
                ? .acceptedGap(name)
                : .unverifiable(
                    "\(name) cannot be inferred; write its file ('chordata migrate new --gaps'), or \(gap.gapRemedy)"
                )
            return result
        }
        if let step = chain.first(where: { steps[$0].hasStage }).map({ steps[$0] }) {
            result.outcome = .needsStage("'\(step.source.name)' to '\(step.destination.name)'")
            return result
        }
        do throws(StoreError) {
            let expected = try expectedContents(from: index, contents, chain, &result.notes)
            let problems = try problems(
                from: index,
                contents,
                to: bundle.currentVersionIndex,
                expected,
                checksValues: server != nil || chain.contains { steps[$0].isByHand }
            )
            if !problems.isEmpty { result.outcome = .failed(problems) }
        } catch {
            // Otherwise each version would be reported as wrong.
            if server != nil, Self.codesOfServers.contains(error.code) { throw error }
            result.outcome = .failed([error.message])
        }
        return result
    }

    /// The codes of errors that are not caused by a migration.
    private static let codesOfServers: Set<StoreError.Code> = [
        .cannotOpen, .connectionLost, .timedOut, .busy, .readOnly, .full, .outcomeUnknown,
    ]

    /// Returns the statements that migrate a store by a step; `nil` if the step has none.
    private func sql(of step: ModelMigration) -> String? { server == nil ? step.sql : step.postgresSQL }

    /// Returns the steps that migrate a store of a version.
    ///
    /// As in a program, they are found by hashes, because versions may be identical.
    private func chain(from index: Int) -> [Int] {
        var chain: [Int] = []
        var hash = bundle.versions[index].model.versionHash
        while hash != bundle.currentVersion.model.versionHash,
            let place = steps.lastIndex(where: { $0.changesStores && $0.source.model.versionHash == hash })
        {
            chain.append(place)
            hash = steps[place].destination.model.versionHash
        }
        return chain
    }

    /// Returns the expected objects after the migration of an older version.
    ///
    /// They follow from the rules, and after a step with an edited file from its statements.
    private func expectedContents(
        from index: Int,
        _ contents: StoreContents,
        _ chain: [Int],
        _ notes: inout [String]
    ) throws(StoreError) -> StoreContents {
        var expected = contents
        for place in chain {
            let inferred = expected.migrated(by: matches[place])
            guard steps[place].isByHand else {
                expected = inferred
                continue
            }
            // The statements for a server are compared with those for files.
            expected = try migrated(from: index, contents, to: place + 1, on: nil) {
                connection,
                mapping,
                _ throws(StoreError) in
                try StoreContents.read(from: connection, mapping).contents
            }
            // Values that are computed from the time differ from store to store.
            expected = expected.leavingOutDerivedValues(of: steps[place].destination.model, and: inferred)
            let remarks = expected.remarks(onInferred: inferred).joined(separator: ", ")
            notes.append("'\(steps[place].fileName)' was edited: \(remarks)")
        }
        return expected
    }

    /// Migrates a store with objects, and calls a closure with a connection to the result.
    private func migrated<Value>(
        from index: Int,
        _ contents: StoreContents,
        to last: Int,
        on server: (any VerifyingServer)?,
        _ body: (SQLiteConnection, SchemaMapping, _ problems: [String]) throws(StoreError) -> Value
    ) throws(StoreError) -> Value {
        let path = "\(folder)/\(index)-\(last).sqlite"
        let version = bundle.versions[index]
        let source = ModelDefinition(name: bundle.name, versionName: version.name, model: version.model)
        try makeStore(source, contents, at: path)
        let isCurrent = last == bundle.currentVersionIndex
        let definition =
            isCurrent ? definition : ModelDefinition(bundle, version: last, migrations: Array(steps[..<last]))
        var problems: [String] = []
        if let server {
            problems = try server.migrate(from: source, to: definition, path)
        } else {
            var options = StoreOptions(synchronous: .normal)
            options.requiresAllStages = false
            try MigrationManager(model: definition, path: path, options: options).migrateStore()
        }
        let value = try body(
            // FTS5's check of an index is a statement that could write.
            SQLiteConnection(path: path, mode: .readWriteCreate),
            isCurrent ? mapping : makeSchemaMapping(of: bundle.versions[last].model),
            problems
        )
        try PersistentStoreCoordinator.destroyPersistentStore(at: path)
        return value
    }

    /// Creates a store as a program of an older version would have it.
    private func makeStore(_ version: ModelDefinition, _ contents: StoreContents, at path: String) throws(StoreError) {
        _ = try PersistentContainer(model: version, path: path, options: StoreOptions(synchronous: .normal))
        let connection = try SQLiteConnection(path: path, mode: .readWriteCreate)
        let mapping = makeSchemaMapping(of: version.model)
        try connection.allowTriggers(of: mapping.fullTextIndexes)
        try contents.write(to: connection, mapping)
    }

    /// Returns the problems of a migrated store.
    /// - Parameter checksValues: Whether statements of a file may have removed values of required attributes.
    private func problems(
        from index: Int,
        _ contents: StoreContents,
        to last: Int,
        _ expected: StoreContents,
        checksValues: Bool
    ) throws(StoreError) -> [String] {
        try migrated(from: index, contents, to: last, on: server) { connection, mapping, found throws(StoreError) in
            var problems = try found + schemaProblems(connection, mapping)
            for row in try connection.rows("PRAGMA integrity_check(10)") where row != [.text("ok")] {
                if case .text(let text)? = row.first { problems.append(text) }
            }
            for row in try connection.rows("SELECT DISTINCT \"table\", \"parent\" FROM pragma_foreign_key_check") {
                guard case .text(let table) = row[0], case .text(let parent) = row[1] else { continue }
                problems.append("rows of '\(table)' reference rows of '\(parent)' that do not exist")
            }
            let (contents, unexpectedValues) = try StoreContents.read(from: connection, mapping)
            if checksValues { problems += contents.missingValues(of: bundle.versions[last].model) }
            return problems + unexpectedValues + contents.differences(from: expected)
        }
    }

    /// Returns the differences from a new store.
    private func schemaProblems(_ connection: SQLiteConnection, _ mapping: SchemaMapping) throws(StoreError) -> [String]
    {
        let tables = try connection.rows(
            // The tables of full-text indexes are compared by their statements.
            "SELECT \"name\" FROM sqlite_schema WHERE \"type\" = 'table' AND \"name\" NOT LIKE 'sqlite\\_%' ESCAPE '\\' "
                + "AND \"name\" NOT LIKE '\\_fulltext\\_%' ESCAPE '\\'"
        )
        let names = Set(tables.compactMap { if case .text(let name)? = $0.first { name } else { nil } })
        let found = Set(
            try readIndexes(connection).map { words(of: $0.elements, of: $0.tableName, isUnique: $0.isUnique) }
        )
        let wanted = Set(
            mapping.tables.flatMap { table in
                table.indexes.map { words(of: $0.elements, of: table.name, isUnique: $0.isUnique) }
            }
        )
        return try PhysicalSchema(of: names, in: connection).differences(from: PhysicalSchema(mapping))
            + wanted.subtracting(found).sorted().map { "\($0) is missing" }
            + found.subtracting(wanted).sorted().map { "\($0) is not part of Chordata's schema" }
            + fullTextProblems(of: mapping, connection)
    }

    /// Returns a description of an index by its columns, because index names may have numbers.
    private func words(of elements: [Index.Element]?, of tableName: String, isUnique: Bool) -> String {
        let columns = elements?.map { "'\($0.columnName)'\($0.isAscending ? "" : " descending")" }.joined(
            separator: ", "
        )
        return "\(isUnique ? "unique " : "")index of '\(tableName)' by \(columns ?? "an expression")"
    }
}
