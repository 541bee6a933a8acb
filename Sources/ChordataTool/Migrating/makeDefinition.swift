internal import ArgumentParser
@_spi(Generated) internal import Chordata
internal import ChordataDiagnostics
internal import ChordataMigration
internal import ChordataModel
internal import ChordataModelFile

/// The plan of one step between two versions that stand one behind the other.
struct PlannedStep {
    let source: ModelVersion
    let destination: ModelVersion
    /// `nil` where it cannot be inferred.
    let plan: MigrationPlan?
    let diagnostics: [Diagnostic]

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
    var changesStores: Bool { source.model.versionHash != destination.model.versionHash }
}

extension ModelBundle {
    /// The steps between two versions, in order.
    func steps(from first: Int, to last: Int) -> [PlannedStep] {
        zip(versions[first...last], versions[first...last].dropFirst()).map { PlannedStep(from: $0, to: $1) }
    }

    /// The model as a program has it whose current version is one of these.
    func definition(version index: Int) -> ModelDefinition {
        let current = versions[index]
        var names: [String: String] = [:]
        for version in versions { names[version.model.versionHash, default: version.name] = version.name }
        let migrations = steps(from: 0, to: index).filter(\.changesStores).compactMap { step in
            step.plan.map { plan in
                ModelDefinition.Migration(
                    source: step.source.name,
                    sourceHash: step.source.model.versionHash,
                    destination: step.destination.name,
                    destinationHash: step.destination.model.versionHash,
                    sql: renderMigration(plan)
                )
            }
        }
        return ModelDefinition(
            name: name,
            versionName: current.name,
            model: current.model,
            migrations: migrations,
            versionNames: names
        )
    }
}

/// Ends the command with what a store has to say.
func orFail<Value>(_ body: () throws(StoreError) -> Value) throws -> Value {
    do throws(StoreError) {
        return try body()
    } catch {
        printError("error: \(error)\n")
        throw ExitCode(1)
    }
}
