package import ChordataDiagnostics
internal import ChordataPredicate

/// The current version among the versions that were read.
struct CurrentVersion {
    /// The index of the version that is used as the current one.
    var index: Int
    /// The index of the version that the bundle names.
    var named: Int
    /// The location of that name in the bundle, or `nil`.
    var location: SourceLocation?
}

/// Finds the current version: the requested one, or the one that `.xccurrentversion` names, or the last one.
///
/// - Parameters:
///   - names: The names of the versions that were read, in their order.
///   - wanted: The name of the version to use as the current one, instead of the one that the bundle names.
func findCurrentVersion(
    of source: ModelBundleSource,
    names: [String],
    _ wanted: String?,
    _ diagnostics: inout [Diagnostic]
) -> CurrentVersion {
    let last = max(0, names.count - 1)
    let place = SourceLocation(file: source.path, line: 1, column: 1)
    let hasVersions = !names.isEmpty || !source.unreadVersions.isEmpty
    if !hasVersions {
        let message = "the bundle has no version; add an '.xcdatamodel' with a 'contents' file"
        diagnostics.append(Diagnostic(.noVersions, message, at: place))
    }
    // Without versions, there is nothing to name.
    let name = hasVersions ? readCurrentVersionName(of: source, &diagnostics) : .invalid
    var current = CurrentVersion(index: last, named: last, location: nil)
    var unread: String?
    switch name {
    case .named(let name, let location):
        current.location = location
        if let index = names.firstIndex(of: name) {
            current.named = index
        } else if source.unreadVersions.contains(where: { $0.name == name }) {
            unread = name
        } else {
            diagnostics.append(missingCurrentVersion(name, names, at: location))
        }
    case .unnamed(let location):
        if names.count + source.unreadVersions.count > 1, let last = names.last {
            let message =
                location == nil
                ? "the model has several versions and no file '.xccurrentversion' that names the current one, so the "
                    + "last one, '\(last)', is used; choose the current version in Xcode, or write the file"
                : "the file does not name the current version, so the last one, '\(last)', is used; name the current "
                    + "version"
            diagnostics.append(Diagnostic(.unnamedCurrentVersion, message, at: location ?? place))
        }
    case .invalid: break
    }
    if let wanted {
        unread = source.unreadVersions.first { $0.name == wanted }?.name
    }
    current.index = names.firstIndex { $0 == wanted } ?? current.named
    diagnostics += checkFormats(of: source, current: unread)
    return current
}

/// The bundle's entry for its current version.
private enum CurrentVersionName {
    case named(String, SourceLocation)
    /// The bundle has no name of a current version; the location is that of the file without the name.
    case unnamed(SourceLocation?)
    /// The entry is invalid, and its problems have been reported.
    case invalid
}

private func readCurrentVersionName(
    of source: ModelBundleSource,
    _ diagnostics: inout [Diagnostic]
) -> CurrentVersionName {
    guard let file = source.currentVersionFile else { return .unnamed(nil) }
    switch parseSyntax(file) {
    case .success(let tree):
        // Elements do not retain their tree.
        return withExtendedLifetime(tree) { readCurrentVersionName(in: tree.root, &diagnostics) }
    case .failure(let failure):
        diagnostics.append(failure.diagnostic)
        return .invalid
    }
}

private func readCurrentVersionName(in root: ElementSyntax, _ diagnostics: inout [Diagnostic]) -> CurrentVersionName {
    let entries = root.children.first { $0.name == .dict }.map { Array($0.children) } ?? []
    guard let key = entries.firstIndex(where: { $0.name == .key && $0.text == "_XCCurrentVersionName" }),
        entries.indices.contains(key + 1)
    else { return .unnamed(root.location) }
    let value = entries[key + 1]
    guard value.name == .string else {
        let message = "the name of the current version must be in a 'string' element, not in '\(value.nameText)'"
        diagnostics.append(Diagnostic(.missingCurrentVersion, message, at: value.location))
        return .invalid
    }
    let name = value.text.hasSuffix(".xcdatamodel") ? String(value.text.dropLast(12)) : value.text
    return .named(name, value.location)
}

private func missingCurrentVersion(_ name: String, _ names: [String], at location: SourceLocation) -> Diagnostic {
    let suggestion = nearestName(to: name, among: names).map { "; did you mean '\($0)'?" } ?? ""
    return Diagnostic(
        .missingCurrentVersion,
        "the current version '\(name)' is not in the bundle; use the name of a version in the bundle\(suggestion)",
        at: location
    )
}

/// Finds the versions in unsupported formats.
///
/// - Parameter current: The name of the current version if it is one of them. Then, or if no version can be read, the
///   diagnostic is an error.
package func checkFormats(of source: ModelBundleSource, current: String? = nil) -> [Diagnostic] {
    source.unreadVersions.map { version in
        olderFormat(version, isCurrent: version.name == current || source.versions.isEmpty)
    }
}

extension ModelBundleSource.UnreadVersion.Format {
    fileprivate var words: String {
        switch self {
        case .xcode2: "in the format of Xcode 2 (a file instead of a folder)"
        case .xcode3: "in the binary format of Xcode 3 ('elements' and 'layout')"
        case .binaryContents: "a binary property list instead of XML"
        }
    }
}

/// Returns the diagnostic of a version in an older format.
///
/// It is an error for the current version, which is indispensable.
private func olderFormat(_ version: ModelBundleSource.UnreadVersion, isCurrent: Bool) -> Diagnostic {
    let format = "version '\(version.name)' is \(version.format.words), which is not supported"
    let remedy = "open the model in a later Xcode and save the version, or remove the version"
    return Diagnostic(
        .olderFormat,
        isCurrent
            ? "\(format); \(remedy)"
            : "\(format), so the version is ignored and stores of the version cannot be migrated; \(remedy)",
        at: SourceLocation(file: version.path, line: 1, column: 1),
        severity: isCurrent ? .error : nil
    )
}
