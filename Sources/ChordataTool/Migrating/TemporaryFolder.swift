internal import Foundation

/// A folder of a command's own.
struct TemporaryFolder {
    private let url = FileManager.default.temporaryDirectory.appending(path: "chordata-\(UUID().uuidString)")

    init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

    var path: String { url.path }

    func remove() {
        do {
            try FileManager.default.removeItem(at: url)
        } catch {
            printError("warning: \(path) could not be removed: \(error.localizedDescription)\n")
        }
    }
}
