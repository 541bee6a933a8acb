internal import ChordataDiagnostics
internal import ChordataModel
internal import ChordataModelFile
internal import ChordataPredicate

/// Checks the expressions of derived attributes where they stand.
func checkDerivations(_ version: ModelVersion) -> [Diagnostic] {
    var diagnostics: [Diagnostic] = []
    for entity in version.model.entities {
        for attribute in entity.declaredAttributes {
            guard let format = attribute.derivationExpression else { continue }
            do throws(FetchPredicateError) {
                try FetchExpression(format: format).checkDerivation(of: attribute, of: entity.name, in: version.model)
            } catch {
                diagnostics.append(
                    Diagnostic(
                        error,
                        of: "derivation of attribute '\(attribute.name)' of '\(entity.name)'",
                        at: version.locations.derivation(of: attribute.name, of: entity.name)
                    )
                )
            }
        }
    }
    return diagnostics
}
