internal import Foundation

/// The Swift files and models at and below some paths.
struct FoundFiles {
    /// The paths of the Swift files, as the user knows them, sorted within each folder.
    private(set) var sources: [String] = []
    private(set) var models: [String] = []
    /// The models that were found only by symbolic links below a folder.
    private(set) var linkedModels: Set<String> = []
    private(set) var reports: [Report] = []
    /// The files without symbolic links, so that no file is read twice.
    private var seen: Set<String> = []

    init(_ paths: [String]) {
        for path in paths {
            // A path that the user writes may be a symbolic link.
            let target = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
            visit(path, type: Self.type(of: target), isGiven: true)
        }
    }

    private mutating func visit(
        _ path: String,
        type: FileAttributeType?,
        isGiven: Bool,
        isLinked: Bool = false
    ) {
        let name = path.split(separator: "/").last ?? ""
        if type == .typeDirectory {
            if name.hasSuffix(".xcdatamodeld") || name.hasSuffix(".xcdatamodel") {
                addModel(path, isLinked: isLinked)
            } else if isNew(path) {
                visitFolder(path)
            }
            return
        }
        // A model may be a link, but its file is then not changed.
        if type == .typeSymbolicLink, name.hasSuffix(".xcdatamodeld") || name.hasSuffix(".xcdatamodel") {
            let target = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
            visit(path, type: Self.type(of: target), isGiven: false, isLinked: true)
            return
        }
        guard isGiven || name.hasSuffix(".swift") else { return }
        switch type {
        case .typeRegular?:
            if isNew(path) { sources.append(path) }
        case .typeSymbolicLink?:
            report(
                .link,
                .note,
                path,
                "the file is a symbolic link and is not changed; give its path to change its target"
            )
        case nil:
            report(.file, .error, path, "there is no file or folder at this path; correct the path")
        case _:
            report(.file, .error, path, "this is neither a regular file nor a folder")
        }
    }

    private mutating func visitFolder(_ path: String) {
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: path)
        } catch {
            report(.file, .error, path, "the folder cannot be read")
            return
        }
        let prefix = path.hasSuffix("/") ? path : path + "/"
        for name in names.sorted() where !name.hasPrefix(".") {
            visit(prefix + name, type: Self.type(of: prefix + name), isGiven: false)
        }
    }

    /// Adds a model, unless it was found by another path; one that is also found without a link may be changed.
    private mutating func addModel(_ path: String, isLinked: Bool) {
        if isNew(path) {
            models.append(path)
            if isLinked { linkedModels.insert(path) }
        } else if !isLinked {
            linkedModels = linkedModels.filter { Self.resolved($0) != Self.resolved(path) }
        }
    }

    private mutating func isNew(_ path: String) -> Bool { seen.insert(Self.resolved(path)).inserted }

    private static func resolved(_ path: String) -> String {
        URL(fileURLWithPath: path).resolvingSymlinksInPath().standardizedFileURL.path
    }

    private mutating func report(_ id: Report.ID, _ severity: Report.Severity, _ path: String, _ message: String) {
        reports.append(Report(id: id, severity: severity, path: path, location: nil, message: message))
    }

    /// The type of the file itself, not of the target of a symbolic link.
    private static func type(of path: String) -> FileAttributeType? {
        (try? FileManager.default.attributesOfItem(atPath: path))?[.type] as? FileAttributeType
    }
}
