package import ChordataDiagnostics
package import ChordataMigration
internal import ChordataModel
package import ChordataModelFile
internal import ChordataSQL

/// The step from one version of a model to the next.
package struct ModelMigration: Sendable {
    /// The source of the SQL of a step.
    package enum Origin: String, Sendable, Hashable {
        /// The two models, compared on each access.
        case planned
        /// A hand-written or edited file.
        case written
        /// A file that is released.
        case released
    }

    package let source: ModelVersion
    package let destination: ModelVersion
    package let origin: Origin
    /// A Boolean value that indicates whether the SQL is hand-written or edited, so that it may differ from the
    /// inferred statements.
    package let isByHand: Bool
    /// A Boolean value that indicates whether the step has a stage, which is code of the program.
    package let hasStage: Bool
    /// The inferred statements; `nil` if they cannot be inferred, or come from a file.
    package let plan: MigrationPlan?
    /// The statements as text; `nil` if the step has no migration.
    package let sql: String?
    package let diagnostics: [Diagnostic]
    /// A Boolean value that indicates whether the step changes stores.
    package let changesStores: Bool

    /// A Boolean value that indicates whether the step has no migration and the configuration file accepts this.
    package let isAcceptedGap: Bool
    /// The name of the model's configuration file in messages.
    private let configurationFileName: String
    /// A Boolean value that indicates whether the two models determine the whole migration.
    let isInferred: Bool
    /// A Boolean value that indicates whether the file of the step has no statements yet.
    let lacksStatements: Bool
    /// The contents of the file; `nil` if the step cannot be inferred and its file is not written yet.
    let fileText: MigrationText?
    /// The SQL for stores on PostgreSQL servers.
    private let postgres: PostgresMigration

    /// - Parameters:
    ///   - indistinguishableVersions: The diagnostic of a destination that has the hash of an earlier version.
    ///   - isStage: A Boolean value that indicates whether the step gets a stage, even if its file declares none.
    init(
        from source: ModelVersion,
        to destination: ModelVersion,
        indistinguishableVersions: [Diagnostic],
        _ files: MigrationFiles,
        _ lock: MigrationLock,
        isStage: Bool,
        acceptsGap: Bool,
        mappingModel: MappingModelFile?,
        configurationFileName: String
    ) {
        self.configurationFileName = configurationFileName
        self.source = source
        self.destination = destination
        changesStores = source.model.versionHash != destination.model.versionHash
        let name = MigrationFiles.name(from: source.name, to: destination.name)
        let isReleased = lock[.migration, name] != nil
        var text = changesStores ? files.texts[name].map { MigrationText($0) } : nil
        // A file without statements is replaced.
        if isStage, !isReleased, let empty = text, empty.statements.isEmpty, !empty.hasStage { text = nil }
        isByHand = text?.isGenerated == false
        hasStage = changesStores && (text?.hasStage == true || isStage && !isByHand && !isReleased)
        let planned = planMigration(
            from: source.model,
            to: destination.model,
            sourceName: source.name,
            destinationName: destination.name,
            isStage: hasStage,
            locate: { entity, property in
                guard let entity else { return destination.locations.model }
                return property.flatMap { destination.locations.property($0, of: entity) }
                    ?? destination.locations.entity(entity)
            },
            rename: { destination.locations.renaming($1, of: $0, identifier: $2) }
        )
        isInferred = planned.plan.map { $0.stage?.tasks.isEmpty ?? true } ?? false
        let plannedSQL = planned.plan.map { normalizingLines(renderMigration($0)) }
        let versions = MigrationText.versions(source.model, destination.model)
        postgres = PostgresMigration(planned.plan, from: source, to: destination, changesStores, files, lock)
        if let text, isReleased || isByHand {
            origin = isReleased ? .released : .written
            plan = isReleased && text.isInferred(as: plannedSQL) ? planned.plan : nil
            sql = text.text
            fileText = text
            isAcceptedGap = false
            lacksStatements = !isReleased && text.statements.isEmpty && planned.plan?.hasStatements != false
            // Released migrations are immutable, so no diagnostics are reported for them.
            diagnostics =
                indistinguishableVersions
                + (isReleased
                    ? []
                    : planned.diagnostics.filter { $0.id != .migrationNotInferred }
                        + Self.problems(of: text, versions, files, name, isEmpty: lacksStatements))
                + postgres.diagnostics
            return
        }
        origin = .planned
        plan = planned.plan
        sql = plannedSQL
        lacksStatements = false
        // Files that older releases of Chordata wrote do not have the hashes of their versions.
        let isFresh = text.map { $0.isInferred(as: plannedSQL) && ($0.versions ?? versions) == versions } ?? false
        fileText = isFresh ? text : plannedSQL.map { MigrationText(generated: $0, for: versions) }
        let isAcceptedGap = acceptsGap && sql == nil
        self.isAcceptedGap = isAcceptedGap
        // A gap has no migration, so it neither loses nor rounds values.
        diagnostics =
            (isAcceptedGap ? [] : planned.diagnostics.map { $0.naming(mappingModel) }) + indistinguishableVersions
            + (text == nil || isFresh ? [] : [staleMigration(files.place(of: name))]) + postgres.diagnostics
            + (changesStores ? [] : Self.unseen(planned.plan, source, destination))
    }

    /// The remedy if no store from before the step exists any more, with the setting to write.
    package var gapRemedy: String {
        "accept the gap in \(configurationFileName): {\"migrations\": {\"gaps\": [{\"from\": \(jsonString(source.name)), "
            + "\"to\": \(jsonString(destination.name))}]}}"
    }

    /// The line of a statement in its file, counted from 1.
    package func line(ofStatementAt index: Int) -> Int? {
        let statements = fileText?.statements ?? []
        return statements.indices.contains(index) ? statements[index].line : nil
    }

    /// The statements for stores on PostgreSQL servers; `nil` if the model has no such stores, or if the statements can
    /// be neither inferred nor found in a file.
    package var postgresSQL: String? { postgres.sql }
    /// The contents of the file for stores on PostgreSQL servers, unless it is hand-written or released.
    var generatedPostgresText: MigrationText? { postgres.generatedText }
    /// The name of the file of the step for stores on PostgreSQL servers.
    package var postgresFileName: String { MigrationFiles.postgresName(from: source.name, to: destination.name) }

    /// The name of the file of the step.
    package var fileName: String { MigrationFiles.name(from: source.name, to: destination.name) }

    /// Returns a diagnostic about a change that does not affect stores, because the two versions have the same hash.
    private static func unseen(_ plan: MigrationPlan?, _ source: ModelVersion, _ destination: ModelVersion)
        -> [Diagnostic]
    {
        // Indexes are changed when a store is opened.
        let steps = (plan?.steps ?? []).filter { $0.kind != .createIndex && $0.kind != .dropIndex }
        guard let change = steps.flatMap(\.causes).first, let entity = change.entityName else { return [] }
        return [indistinguishableVersion(of: destination, with: source, entity: entity, property: change.name)]
    }

    /// The problems of a hand-written file.
    private static func problems(
        of text: MigrationText,
        _ versions: String,
        _ files: MigrationFiles,
        _ name: String,
        isEmpty: Bool
    ) -> [Diagnostic] {
        let isStale = text.versions.map { $0 != versions } ?? false
        return (isEmpty ? [emptyMigration(files.place(of: name))] : [])
            + (isStale ? [staleMigration(files.place(of: name, line: 2), writtenFor: versions)] : [])
            + text.statements.filter { Self.refusedKeywords.contains($0.keyword) }.map {
                unrunnableMigration($0.keyword, at: files.place(of: name, line: $0.line))
            }
    }

    /// The keywords of statements that are not allowed in a transaction, or would end it.
    private static let refusedKeywords: Set<String> = [
        "BEGIN", "COMMIT", "END", "ROLLBACK", "SAVEPOINT", "RELEASE", "ATTACH", "DETACH", "PRAGMA", "VACUUM",
    ]
}

extension Diagnostic {
    /// The diagnostic with a note about the mapping model of a step that cannot be inferred.
    fileprivate func naming(_ mappingModel: MappingModelFile?) -> Diagnostic {
        guard id == .migrationNotInferred, let mappingModel else { return self }
        var diagnostic = self
        diagnostic.notes.append(
            Note(
                "'chordata migrate mapping --swift' prints a stage in Swift for this mapping model, which Core Data uses for the step",
                at: SourceLocation(file: mappingModel.path, line: 1, column: 1)
            )
        )
        return diagnostic
    }
}

extension ModelBundle {
    /// The steps between two versions, in order.
    ///
    /// - Parameter stages: The destination versions of steps that get a stage, in addition to those whose files have
    ///   one.
    package func migrations(
        from first: Int,
        to last: Int,
        _ files: MigrationFiles,
        stages: Set<String> = []
    ) -> [ModelMigration] {
        var ignored: [Diagnostic] = []
        // The problems of the lock are reported by ``check(_:)``.
        let lock = MigrationLock(reading: files, &ignored)
        let indistinguishableVersions = indistinguishableVersions(upTo: last)
        return versions.indices[first...last].dropFirst().map { index in
            ModelMigration(
                from: versions[index - 1],
                to: versions[index],
                indistinguishableVersions: indistinguishableVersions[index] ?? [],
                files,
                lock,
                isStage: stages.contains(versions[index].name),
                acceptsGap: acceptsGap(from: versions[index - 1].name, to: versions[index].name),
                mappingModel: mappingModels.first {
                    $0.source == versions[index - 1].name && $0.destination == versions[index].name
                },
                configurationFileName: configurationFileName
            )
        }
    }

    /// The names of the versions, by hash; of several versions with the same hash, the name of the first one.
    package var versionNames: [String: String] {
        var names: [String: String] = [:]
        for version in versions where names[version.model.versionHash] == nil {
            names[version.model.versionHash] = version.name
        }
        return names
    }
}
