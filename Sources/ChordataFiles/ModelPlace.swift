internal import Foundation

/// The location of a model.
struct ModelPlace {
    /// The folder that contains the model, with a slash at the end, or an empty string.
    var folder: String
    /// The name of the model; `nil` for a file that is not in a model.
    var name: String?
    /// A Boolean value that indicates whether the path is that of a whole `.xcdatamodeld`, not of a part of it.
    var isBundle: Bool

    /// - Parameter path: the path of the model, or of a file inside it.
    init(_ path: String) {
        // A relative path may begin inside a model, whose folder is then above the working folder.
        let start = FileManager.default.currentDirectoryPath
        let isWithin = !path.hasPrefix("/") && Self.components(of: start).contains { modelName(ofFolder: $0) != nil }
        let path = isWithin ? "\(start)/\(path)" : path
        let components = Self.components(of: path)
        let index = components.firstIndex { modelName(ofFolder: $0) != nil }
        let folder = components[..<(index ?? components.count - 1)].joined(separator: "/")
        self.folder = folder.isEmpty && !path.hasPrefix("/") ? "" : folder + "/"
        name = index.flatMap { modelName(ofFolder: components[$0]) }
        isBundle = index == components.count - 1 && components.last?.hasSuffix(".xcdatamodeld") == true
    }

    /// Returns the components of a path, without a trailing slash, and without components that enter a model and leave
    /// it again.
    private static func components(of path: String) -> [Substring] {
        var components: [Substring] = []
        for component in path.split(separator: "/", omittingEmptySubsequences: false) {
            if component == ".", !components.isEmpty { continue }
            if component == "..", components.last.map({ modelName(ofFolder: $0) != nil }) == true {
                components.removeLast()
            } else {
                components.append(component)
            }
        }
        while components.count > 1, components.last?.isEmpty == true { components.removeLast() }
        return components
    }
}

/// Returns the name of the model whose folder has a given name; `nil` if the folder is not that of a model.
func modelName(ofFolder folder: some StringProtocol) -> String? {
    [".xcdatamodeld", ".xcdatamodel"].first { folder.hasSuffix($0) }.map { String(folder.dropLast($0.count)) }
}
