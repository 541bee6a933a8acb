package import ChordataConfiguration
package import ChordataDiagnostics
package import ChordataModelFile
internal import Foundation

/// Reads an `.xcdatamodeld`, an `.xcdatamodel` without a bundle, or the `contents` file of one from the disk.
/// - Parameter version: The name of the version to use as the current one, instead of the one that the bundle names.
package func loadModelBundle(
    at path: String,
    version: String? = nil,
    configuration: Configuration = Configuration()
) -> (bundle: ModelBundle?, diagnostics: [Diagnostic]) {
    let (source, diagnostics) = loadModelSource(at: path)
    guard var source else { return (nil, diagnostics) }
    // A single version is not part of a bundle with other versions.
    guard ModelPlace(path).isBundle else { return readModelBundle(source, version: version) }
    let names = source.versions.map(\.name) + source.unreadVersions.map(\.name)
    let mismatched = configuration.checkVersions(against: names)
    source.versionOrder = mismatched.isEmpty ? configuration.versions?.map(\.name) : nil
    var (bundle, found) = readModelBundle(source, version: version)
    bundle?.configurationFileName = configuration.fileNameOfModel
    bundle?.acceptedGaps = configuration.migrationGaps.map {
        MigrationGap(source: $0.source.name, destination: $0.destination.name, location: $0.source.location)
    }
    found += mismatched
    if let versions = bundle?.versions, versions.count > 1 {
        bundle?.mappingModels = findMappingModels(besideModelAt: path)
    }
    if let bundle { found += configuration.checkMigrationGaps(against: bundle.versions.map(\.name)) }
    return (found.hasErrors ? nil : bundle, found.sortedByLocation())
}

/// Reads the files of a model from the disk.
///
/// If there are diagnostics, no source is returned.
package func loadModelSource(at path: String) -> (source: ModelBundleSource?, diagnostics: [Diagnostic]) {
    let path = namedPath(path)
    let place = SourceLocation(file: path, line: 1, column: 1)
    func failed(_ message: String) -> (ModelBundleSource?, [Diagnostic]) {
        (nil, [Diagnostic(.unreadableFile, message, at: place)])
    }
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
        return failed("there is no model here; give the path of an '.xcdatamodeld'")
    }
    if path.hasSuffix(".xcmappingmodel") {
        return failed("this is a mapping model, not a model; 'chordata migrate mapping' lists what it maps")
    }
    var reader = FileReader()
    guard isFolder.boolValue else {
        // This is the file of a single version; the version has the name of its folder.
        let components = path.split(separator: "/")
        let folder = components.dropLast().last.map(String.init) ?? ""
        let isInVersion = folder.hasSuffix(".xcdatamodel")
        let name = isInVersion ? versionName(folder) : components.last.map(String.init) ?? path
        if isInVersion, let last = components.last, last == "elements" || last == "layout" {
            let unread = ModelBundleSource.UnreadVersion(name: name, format: .xcode3, path: path)
            return (ModelBundleSource(path: name, versions: [], unreadVersions: [unread]), [])
        }
        if let last = components.last, last.hasSuffix(".xcdatamodel") {
            var source = ModelBundleSource(path: path, versions: [])
            reader.readVersion(versionName(String(last)), in: path, into: &source)
            return (source, reader.diagnostics)
        }
        guard let file = reader.read(path) else { return (nil, reader.diagnostics) }
        return (ModelBundleSource(path: name, versions: [.init(name: name, file: file)]), [])
    }
    var source = ModelBundleSource(path: path, versions: [])
    if path.hasSuffix(".xcdatamodel") {
        let folder = path.split(separator: "/").last.map(String.init) ?? path
        reader.readVersion(versionName(folder), in: path, into: &source)
    } else {
        let entries: [String]
        do {
            entries = try FileManager.default.contentsOfDirectory(atPath: path).sorted()
        } catch {
            return failed("the folder cannot be read: \(error.localizedDescription)")
        }
        // macOS creates files with this prefix beside others on foreign file systems; any other name may be that of a
        // version.
        for entry in entries where entry.hasSuffix(".xcdatamodel") && !entry.hasPrefix("._") {
            reader.readVersion(versionName(entry), in: "\(path)/\(entry)", into: &source)
        }
        if entries.contains(".xccurrentversion") {
            source.currentVersionFile = reader.read(path + "/.xccurrentversion")
        }
    }
    return reader.diagnostics.isEmpty ? (source, []) : (nil, reader.diagnostics)
}

private func versionName(_ folder: String) -> String { String(folder.dropLast(".xcdatamodel".count)) }

/// Reads files, and collects diagnostics about the files that cannot be read.
private struct FileReader {
    private(set) var diagnostics: [Diagnostic] = []

    /// Reads a version from its folder, which may be in the format of an older Xcode.
    mutating func readVersion(_ name: String, in folder: String, into source: inout ModelBundleSource) {
        func fileExists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }
        var isFolder: ObjCBool = false
        let contents = folder + "/contents"
        let elements = folder + "/elements"
        if FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), !isFolder.boolValue {
            source.unreadVersions.append(.init(name: name, format: .xcode2, path: folder))
        } else if !fileExists(contents), fileExists(elements) {
            source.unreadVersions.append(.init(name: name, format: .xcode3, path: elements))
        } else if let file = read(contents) {
            if file.contents.starts(with: "bplist".utf8) {
                source.unreadVersions.append(.init(name: name, format: .binaryContents, path: contents))
            } else {
                source.versions.append(.init(name: name, file: file))
            }
        }
    }

    mutating func read(_ path: String) -> ModelSourceFile? {
        let contents = readRegularFile(at: path, followsLinks: true, limit: ModelSourceFile.maximumSize + 1)
        if let contents { return ModelSourceFile(path: path, contents: Array(contents)) }
        diagnostics.append(
            Diagnostic(
                .unreadableFile,
                "the file cannot be read; check that it exists and is readable",
                at: SourceLocation(file: path, line: 1, column: 1)
            )
        )
        return nil
    }
}

/// Returns a path whose last component is the name of the file to which it refers.
private func namedPath(_ path: String) -> String {
    var path = path
    while path.count > 1, path.hasSuffix("/") || path.hasSuffix("/.") { path.removeLast() }
    guard path == "." || path == ".." || path.hasSuffix("/..") else { return path }
    return URL(fileURLWithPath: path).standardizedFileURL.path
}
