internal import ChordataConfiguration
package import ChordataDiagnostics
internal import ChordataModel
package import ChordataModelFile

/// Finds types that a model and other models of the same module both generate at the top level of the module.
///
/// - Parameter others: The other models of the module, each with its path and its configuration.
package func checkOtherModels(
    _ bundle: ModelBundle,
    path: String,
    configuration: GeneratorConfiguration,
    others: [(path: String, bundle: ModelBundle, configuration: GeneratorConfiguration)]
) -> [Diagnostic] {
    let own = topLevelTypes(of: bundle, GenerationContext(bundle, configuration))
    return others.flatMap { other in
        let names = Dictionary(
            topLevelTypes(of: other.bundle, GenerationContext(other.bundle, other.configuration)).map { ($0.name, $0) },
            uniquingKeysWith: { first, _ in first }
        )
        return own.compactMap { type -> Diagnostic? in
            guard let conflict = names[type.name] else { return nil }
            return Diagnostic(
                .generatedNameConflict,
                "\(type.owner) of '\(path)' needs the type name '\(type.name)', which already belongs to "
                    + "\(conflict.owner) of '\(other.path)'; \(type.remedy(in: bundle.name))",
                at: type.entityName.flatMap { bundle.currentVersion.locations.entity($0) }
            )
        }
    }
}

/// A type at the top level of the generated code.
private struct TopLevelType {
    var name: String
    /// `nil` for the type of the model itself.
    var entityName: String?

    var owner: String { entityName.map { "entity '\($0)'" } ?? "the model" }

    func remedy(in model: String) -> String {
        guard let entityName else { return "give one of the models another 'name' in its configuration file" }
        return "give the entity another 'class' in '\(model).chordata.json': "
            + "{ \"entities\": { \"\(entityName)\": { \"class\": \"\(model)\(entityName)\" } } }"
    }
}

private func topLevelTypes(of bundle: ModelBundle, _ context: GenerationContext) -> [TopLevelType] {
    // The structs of composites are inside the model's type.
    [TopLevelType(name: context.modelType, entityName: nil)]
        + bundle.currentVersion.model.entities.filter { entity in
            // A class that is imported or written by hand may serve several models.
            context.configuration.entities[entity.name]?.module == nil
                && context.namer.codeGeneration(of: entity) == .class
        }.map { TopLevelType(name: context.namer.generatedClassName(of: $0), entityName: $0.name) }
}
