internal import Foundation

/// The place of a model.
struct ModelPlace {
    /// The folder that the model is in, with a slash at the end, or nothing.
    var folder: String
    /// The name of the model; `nil` for a file that is not in a model.
    var name: String?
    /// A Boolean value that indicates whether it is an `.xcdatamodeld` as a whole, and not a part of one.
    var isBundle: Bool

    /// - Parameter path: the path of the model, or of a file inside it.
    init(_ path: String) {
        // A relative path may begin within a model, whose folder then is the outer one.
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

    /// The parts of a path, without a trailing slash, and without steps into a model and out of it again.
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

/// The name of the model that has a folder of that name; `nil` when the folder is not a model's.
func modelName(ofFolder folder: some StringProtocol) -> String? {
    [".xcdatamodeld", ".xcdatamodel"].first { folder.hasSuffix($0) }.map { String(folder.dropLast($0.count)) }
}
