package import ChordataDiagnostics
package import ChordataModelFile
internal import Foundation

/// Reads an `.xcmappingmodel`, or the file in it.
package func loadMappingModel(at path: String) -> (mapping: MappingModel?, diagnostics: [Diagnostic]) {
    var path = path
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    if path == ModelSourceFile.mappingName { path = "./" + path }
    if !path.hasSuffix("/" + ModelSourceFile.mappingName) { path += "/" + ModelSourceFile.mappingName }
    let limit = ModelSourceFile.maximumMappingSize + 1
    guard let bytes = readRegularFile(at: path, followsLinks: true, limit: limit) else {
        let message = "there is no mapping model here that can be read; give the path of an '.xcmappingmodel'"
        return (nil, [Diagnostic(.unreadableFile, message, at: SourceLocation(file: path, line: 1, column: 1))])
    }
    return readMappingModel(ModelSourceFile(path: path, contents: Array(bytes)))
}

/// Finds the mapping models in the folder of a model; unreadable ones are left out, because they are only used for a
/// note.
func findMappingModels(besideModelAt path: String) -> [MappingModelFile] {
    let folder = ModelPlace(path).folder
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)) ?? []
    return names.filter { $0.hasSuffix(".xcmappingmodel") }.sorted().compactMap { name in
        loadMappingModel(at: folder + name).mapping.map {
            MappingModelFile(
                source: $0.sourceVersionName,
                destination: $0.destinationVersionName,
                path: folder + name
            )
        }
    }
}
