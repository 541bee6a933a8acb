@testable import ChordataDiagnostics
@testable import ChordataModelFile

/// Checks everything that must hold for the file of one version.
func checkContents(_ file: ModelSourceFile) {
    let (version, diagnostics) = readModel(file, versionName: "Model")
    let again = readModel(file, versionName: "Model")
    require(again.diagnostics == diagnostics, "other diagnostics the second time", file)
    require(version?.model == again.version?.model, "another model the second time", file)
    require((version == nil) == diagnostics.hasErrors, "a model and errors, or neither", file)
    checkDiagnostics(diagnostics, in: [file])
    checkFixIts(diagnostics, in: file)

    if case .success(let tree) = parseSyntax(file) {
        checkSyntax(tree, of: file)
        compareWithFoundation(tree, of: file)
    }
    checkFormat(of: file, version, diagnostics)
    guard let version else { return }
    checkModel(version.model, of: file)
    checkWarnings(version, of: file)
}

/// Checks the diagnostics about the version alone, and about the version as the successor of itself.
private func checkWarnings(_ version: ModelVersion, of file: ModelSourceFile) {
    for versions in [[version], [version, version]] {
        let bundle = ModelBundle(name: "Model", versions: versions, currentVersionIndex: versions.count - 1)
        let diagnostics = checkModel(bundle)
        require(checkModel(bundle) == diagnostics, "other warnings the second time", file)
        checkDiagnostics(diagnostics, in: [file])
    }
}
