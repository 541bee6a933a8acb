package import ChordataConfiguration
package import ChordataDiagnostics
internal import Foundation

/// Reads the `chordata.json` beside a model, if there is one.
package func loadConfiguration(
    besideModelAt path: String
) -> (configuration: Configuration, diagnostics: [Diagnostic]) {
    let file = folder(ofModelAt: path) + "chordata.json"
    // A link that leads nowhere is there, and hides settings.
    guard (try? FileManager.default.attributesOfItem(atPath: file)) != nil else { return (Configuration(), []) }
    guard let contents = readRegularFile(at: file, followsLinks: true, limit: JSONReader.sizeLimit + 1) else {
        let place = SourceLocation(file: file, line: 1, column: 1)
        let message = "the file cannot be read; is it there, and may you read it?"
        return (Configuration(), [Diagnostic(.unreadableFile, message, at: place)])
    }
    let (configuration, diagnostics) = readConfiguration(path: file, contents: Array(contents))
    return (configuration ?? Configuration(), diagnostics)
}

/// The folder that a model stands in, with a slash at the end, or nothing; also for a path that leads into the model.
private func folder(ofModelAt path: String) -> String {
    // A relative path may begin within a model, whose folder then is the outer one.
    let start = FileManager.default.currentDirectoryPath
    if !path.hasPrefix("/"), let folder = folder(ofModelNamedIn: start) { return folder }
    if let folder = folder(ofModelNamedIn: path) { return folder }
    return join(components(of: path).dropLast(), of: path)
}

private func folder(ofModelNamedIn path: String) -> String? {
    let components = components(of: path)
    let model = components.firstIndex { $0.hasSuffix(".xcdatamodeld") || $0.hasSuffix(".xcdatamodel") }
    return model.map { join(components[..<$0], of: path) }
}

private func components(of path: String) -> [Substring] {
    var components = path.split(separator: "/", omittingEmptySubsequences: false)
    while components.count > 1, components.last?.isEmpty == true { components.removeLast() }
    return components
}

private func join(_ components: ArraySlice<Substring>, of path: String) -> String {
    let folder = components.joined(separator: "/")
    return folder.isEmpty && !path.hasPrefix("/") ? "" : folder + "/"
}
