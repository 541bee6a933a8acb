package import ChordataDiagnostics
package import ChordataMigration
internal import ChordataModel
package import ChordataModelFile

/// The step from one version of a model to the next.
package struct ModelMigration: Sendable {
    package let source: ModelVersion
    package let destination: ModelVersion
    /// `nil` where it cannot be inferred.
    package let plan: MigrationPlan?
    package let diagnostics: [Diagnostic]

    init(from source: ModelVersion, to destination: ModelVersion) {
        self.source = source
        self.destination = destination
        (plan, diagnostics) = planMigration(
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
    }

    /// Whether stores have to do anything.
    package var changesStores: Bool { source.model.versionHash != destination.model.versionHash }
    /// The statements as text; `nil` where there is no way.
    package var sql: String? { plan.map(renderMigration) }
}

extension ModelBundle {
    /// The steps between two versions, in order.
    package func migrations(from first: Int, to last: Int) -> [ModelMigration] {
        zip(versions[first...last], versions[first...last].dropFirst()).map { ModelMigration(from: $0, to: $1) }
    }

    /// The names of the versions by their hashes; of versions that do not differ in what a store holds the first one's.
    package var versionNames: [String: String] {
        var names: [String: String] = [:]
        for version in versions where names[version.model.versionHash] == nil {
            names[version.model.versionHash] = version.name
        }
        return names
    }
}

extension [ModelMigration] {
    /// What a build has to say of the steps up to the current version.
    ///
    /// What earlier steps dropped is history; where there is no way, there is none for every older store.
    var buildDiagnostics: [Diagnostic] {
        enumerated().flatMap { index, step in
            step.diagnostics.filter { index == count - 1 || $0.id == .migrationNotInferred }
        }
    }
}
