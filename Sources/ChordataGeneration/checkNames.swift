internal import ChordataDiagnostics
internal import ChordataModel
internal import ChordataModelFile

/// Finds names that cannot stand in Swift as they are, and what cannot be generated yet.
func checkNames(_ version: ModelVersion, _ namer: Namer) -> [Diagnostic] {
    var diagnostics: [Diagnostic] = []
    for entity in version.model.entities {
        for attribute in entity.declaredAttributes where attribute.attributeType == .composite {
            diagnostics.append(
                Diagnostic(
                    .unsupportedFeature,
                    "composite attribute '\(attribute.name)' of '\(entity.name)' cannot be generated yet; "
                        + "use plain attributes instead",
                    at: version.locations.property(attribute.name, of: entity.name)
                )
            )
        }
        let names = entity.declaredAttributes.map(\.name) + entity.declaredRelationships.map(\.name)
        for name in names where Namer.runtimeMembers.contains(name) {
            diagnostics.append(
                Diagnostic(
                    .nameConflict,
                    "'\(name)' is a member of every managed object; the property of '\(entity.name)' becomes "
                        + "'\(namer.propertyName(name))'",
                    at: version.locations.property(name, of: entity.name),
                    severity: .warning
                )
            )
        }
    }
    return diagnostics
}
