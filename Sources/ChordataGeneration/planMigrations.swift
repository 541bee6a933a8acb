internal import ChordataDiagnostics
internal import ChordataMigration
internal import ChordataModel
internal import ChordataModelFile

/// A migration as it stands in generated code.
struct GeneratedMigration {
    let source: ModelVersion
    let destination: ModelVersion
    let sql: String
}

/// Plans the migrations from each version to the next, up to the current one.
func planMigrations(of bundle: ModelBundle) -> (migrations: [GeneratedMigration], diagnostics: [Diagnostic]) {
    var migrations: [GeneratedMigration] = []
    var diagnostics: [Diagnostic] = []
    let versions = bundle.versions[...bundle.currentVersionIndex]
    for (source, destination) in zip(versions, versions.dropFirst()) {
        let planned = planMigration(
            from: source.model,
            to: destination.model,
            sourceName: source.name,
            destinationName: destination.name,
            locate: { entity, property in
                guard let entity else { return destination.locations.model }
                return property.flatMap { destination.locations.property($0, of: entity) }
                    ?? destination.locations.entity(entity)
            }
        )
        // What earlier steps dropped is history; where there is no way, there is none for every older store.
        let isLast = destination.name == bundle.currentVersion.name
        diagnostics += planned.diagnostics.filter { isLast || $0.id == .migrationNotInferred }
        if let plan = planned.plan {
            migrations.append(GeneratedMigration(source: source, destination: destination, sql: renderMigration(plan)))
        }
    }
    return (migrations, diagnostics)
}
