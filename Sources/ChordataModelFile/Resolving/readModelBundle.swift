package import ChordataDiagnostics
internal import ChordataModel

/// Reads all versions of a model.
///
/// If the diagnostics contain an error, no bundle is returned.
/// - Parameter version: The name of the version to use as the current one, instead of the one that the bundle names.
package func readModelBundle(
    _ source: ModelBundleSource,
    version: String? = nil
) -> (bundle: ModelBundle?, diagnostics: [Diagnostic]) {
    var diagnostics: [Diagnostic] = []
    let sources = source.versions.sorted { source.isOrdered($0.name, before: $1.name) }
    let current = findCurrentVersion(of: source, names: sources.map(\.name), version, &diagnostics)
    var versions: [ModelVersion] = []
    for (index, item) in sources.enumerated() {
        let (version, found) = readModel(item.file, versionName: item.name, isHistory: index != current.named)
        // The other versions are history, which should not be changed if it works.
        diagnostics += index == current.index ? found : found.filter { $0.severity == .error }
        if let version { versions.append(version) }
    }
    guard !diagnostics.hasErrors else { return (nil, diagnostics.sortedByLocation()) }
    let bundle = ModelBundle(
        name: bundleName(source.path),
        versions: versions,
        currentVersionIndex: current.index,
        unreadVersionNames: source.unreadVersions.map(\.name),
        isOrderListed: source.versionOrder != nil,
        isHistory: current.index != current.named,
        currentVersionLocation: current.location
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
