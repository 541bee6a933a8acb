internal import ChordataDiagnostics
internal import ChordataModel
internal import ChordataModelFile

/// Finds what models may have and generated code cannot have yet.
func checkSupport(_ version: ModelVersion) -> [Diagnostic] {
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
    }
    return diagnostics
}
