@testable import ChordataDiagnostics
@testable import ChordataModelFile

/// Checks everything that must hold for the files of a bundle; ``checkContents(_:)`` checks what must hold for each
/// version.
func checkBundle(versions: [[UInt8]], currentVersion: [UInt8]?) {
    // In natural order, `Model 10` is the last name; in text order, it would be the second.
    let files = zip(["Model 10", "Model", "Model 2", "Model 02"], versions).map { name, contents in
        let path = "Model.xcdatamodeld/\(name).xcdatamodel/contents"
        return ModelBundleSource.Version(name: name, file: ModelSourceFile(path: path, contents: contents))
    }
    let currentVersionFile = currentVersion.map { contents in
        ModelSourceFile(path: "Model.xcdatamodeld/.xccurrentversion", contents: contents)
    }
    let source = ModelBundleSource(
        path: "Model.xcdatamodeld",
        versions: files,
        currentVersionFile: currentVersionFile
    )
    let (bundle, diagnostics) = readModelBundle(source)
    require(readModelBundle(source).diagnostics == diagnostics, "other diagnostics the second time", currentVersionFile)
    require((bundle == nil) == diagnostics.hasErrors, "a bundle and errors, or neither", currentVersionFile)
    var places = files.map(\.file)
    if let currentVersionFile { places.append(currentVersionFile) }
    // Diagnostics that are not about a file are about the bundle.
    places.append(ModelSourceFile(path: source.path, contents: []))
    checkDiagnostics(diagnostics, in: places)
    if let bundle {
        require(bundle.versions.count == files.count, "versions are missing", currentVersionFile)
        require(bundle.versions.indices.contains(bundle.currentVersionIndex), "no current version", currentVersionFile)
        let names = bundle.versions.map(\.name)
        require(names == ["Model", "Model 02", "Model 2", "Model 10"].filter { names.contains($0) }, "\(names)")
        checkDiagnostics(checkModel(bundle), in: places)
    }
    for file in files { checkContents(file.file) }
    guard let currentVersionFile, case .success(let tree) = parseSyntax(currentVersionFile) else { return }
    checkSyntax(tree, of: currentVersionFile)
    compareWithFoundation(tree, of: currentVersionFile)
}
