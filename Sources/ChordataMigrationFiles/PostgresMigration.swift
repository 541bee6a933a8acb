internal import ChordataDiagnostics
internal import ChordataMigration
internal import ChordataModelFile

/// The SQL of a step for stores on PostgreSQL servers, which is rendered from the same plan as the SQL for SQLite.
struct PostgresMigration: Sendable {
    let sql: String?
    /// The contents of the file, unless it is hand-written or released.
    let generatedText: MigrationText?
    let diagnostics: [Diagnostic]

    init(
        _ plan: MigrationPlan?,
        from source: ModelVersion,
        to destination: ModelVersion,
        _ changesStores: Bool,
        _ files: MigrationFiles,
        _ lock: MigrationLock
    ) {
        guard files.hasPostgresStores, changesStores else {
            (sql, generatedText, diagnostics) = (nil, nil, [])
            return
        }
        let name = MigrationFiles.postgresName(from: source.name, to: destination.name)
        let text = files.texts[name].map { MigrationText($0) }
        if let text, lock[.migration, name] != nil || !text.isGenerated {
            (sql, generatedText, diagnostics) = (text.text, nil, [])
            return
        }
        let inferred = plan.flatMap { renderPostgresMigration($0, from: source.model, to: destination.model) }
            .map(normalizingLines)
        let versions = MigrationText.versions(source.model, destination.model)
        sql = inferred
        let isFresh = text.map { $0.isInferred(as: inferred) && $0.versions == versions } ?? false
        generatedText = isFresh ? text : inferred.map { MigrationText(generated: $0, for: versions) }
        diagnostics = text == nil || isFresh ? [] : [staleMigration(files.place(of: name))]
    }
}
