package import ChordataDiagnostics
internal import ChordataModel
internal import ChordataPredicate

/// Reads all versions of a model.
///
/// When the diagnostics have an error there is no bundle.
/// - Parameter version: the name of the version that counts as the current one, instead of the one that the bundle names.
package func readModelBundle(
    _ source: ModelBundleSource,
    version: String? = nil
) -> (bundle: ModelBundle?, diagnostics: [Diagnostic]) {
    var diagnostics: [Diagnostic] = []
    let place = SourceLocation(file: source.path, line: 1, column: 1)
    let sources = source.versions.sorted { isNaturallyOrdered($0.name, before: $1.name) }
    if sources.isEmpty {
        diagnostics.append(
            Diagnostic(
                .noVersions,
                "the bundle has no version; add an '.xcdatamodel' with a 'contents' file",
                at: place
            )
        )
    }
    let named = currentVersionIndex(of: source, names: sources.map(\.name), &diagnostics)
    let current = sources.firstIndex { $0.name == version } ?? named
    var versions: [ModelVersion] = []
    for (index, item) in sources.enumerated() {
        let (version, found) = readModel(item.file, versionName: item.name, isHistory: index != named)
        // The other versions are history: what works there as it is should stay as it is.
        diagnostics += index == current ? found : found.filter { $0.severity == .error }
        if let version { versions.append(version) }
    }
    guard !diagnostics.hasErrors else { return (nil, diagnostics.sortedByLocation()) }
    let bundle = ModelBundle(
        name: bundleName(source.path),
        versions: versions,
        currentVersionIndex: current,
        isHistory: current != named,
        currentVersionLocation: source.currentVersionFile.map { SourceLocation(file: $0.path, line: 1, column: 1) }
    )
    return (bundle, diagnostics.sortedByLocation())
}

/// The last component of a path, without `.xcdatamodeld` or `.xcdatamodel`.
private func bundleName(_ path: String) -> String {
    var name = path.split(separator: "/").last.map(String.init) ?? path
    for ending in [".xcdatamodeld", ".xcdatamodel"] where name.hasSuffix(ending) {
        name.removeLast(ending.count)
        break
    }
    return name
}

/// The version that `.xccurrentversion` names; the last one when it names none.
private func currentVersionIndex(
    of source: ModelBundleSource,
    names: [String],
    _ diagnostics: inout [Diagnostic]
) -> Int {
    let last = max(0, names.count - 1)
    // Without versions there is nothing to name.
    guard let file = source.currentVersionFile, !names.isEmpty else { return last }
    switch parseSyntax(file) {
    case .success(let tree):
        // Elements do not keep their tree.
        return withExtendedLifetime(tree) { currentVersionIndex(named: tree.root, names: names, &diagnostics) }
    case .failure(let failure):
        diagnostics.append(failure.diagnostic)
        return last
    }
}

private func currentVersionIndex(
    named root: ElementSyntax,
    names: [String],
    _ diagnostics: inout [Diagnostic]
) -> Int {
    let last = names.count - 1
    let entries = root.children.first { $0.name == .dict }.map { Array($0.children) } ?? []
    guard let key = entries.firstIndex(where: { $0.name == .key && $0.text == "_XCCurrentVersionName" }),
        entries.indices.contains(key + 1)
    else {
        if names.count > 1 {
            diagnostics.append(
                Diagnostic(
                    .unnamedCurrentVersion,
                    "the file names no current version, so the last one, '\(names[last])', is taken; name the one you mean",
                    at: root.location
                )
            )
        }
        return last
    }
    let value = entries[key + 1]
    guard value.name == .string else {
        let message = "the current version is named by a 'string' element, not by '\(value.nameText)'; write one"
        diagnostics.append(Diagnostic(.missingCurrentVersion, message, at: value.location))
        return last
    }
    let wanted = value.text.hasSuffix(".xcdatamodel") ? String(value.text.dropLast(12)) : value.text
    if let index = names.firstIndex(of: wanted) { return index }
    let suggestion = nearestName(to: wanted, among: names).map { "; did you mean '\($0)'?" } ?? ""
    diagnostics.append(
        Diagnostic(
            .missingCurrentVersion,
            "the current version '\(wanted)' is not in the bundle; name one that is\(suggestion)",
            at: value.location
        )
    )
    return last
}
