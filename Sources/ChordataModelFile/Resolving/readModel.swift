package import ChordataDiagnostics
internal import ChordataModel

/// Reads one version of a model.
///
/// If the diagnostics contain an error, no version is returned. ``checkModel(_:)`` finds likely problems.
/// - Parameter isHistory: A Boolean value that indicates whether the version is not the current one; it may then have
///   fetch requests and configurations that cannot work, which are left out, and names that differ in case only.
package func readModel(
    _ file: ModelSourceFile,
    versionName: String,
    isHistory: Bool = false
) -> (version: ModelVersion?, diagnostics: [Diagnostic]) {
    switch parseModelSyntax(file) {
    case .failure(let failure): return (nil, [failure.diagnostic])
    case .success(let tree):
        var resolver = ModelResolver(tree, isHistory: isHistory)
        let model = resolver.resolve()
        // A problem of a composite is found wherever the composite is used.
        var seen: Set<Diagnostic> = []
        let diagnostics = resolver.diagnostics.filter { seen.insert($0).inserted }.sortedByLocation()
        guard let model, !diagnostics.hasErrors else { return (nil, diagnostics) }
        return (ModelVersion(name: versionName, model: model, locations: ModelLocations(resolver)), diagnostics)
    }
}

/// Parses the elements of a model's file.
func parseModelSyntax(_ file: ModelSourceFile) -> Result<SyntaxTree, SyntaxFailure> {
    parseSyntax(file).flatMap { tree in
        guard tree.root.name == .model else {
            let message =
                "the root element is '\(tree.root.nameText)', not 'model'; check that this is the 'contents' file of a model"
            return .failure(SyntaxFailure(diagnostic: Diagnostic(.notAModel, message, at: tree.root.location)))
        }
        return .success(tree)
    }
}
