internal import Foundation

/// A folder that only the current user can read, and that is removed when the object is deallocated.
final class TemporaryFolder {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("chordata-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
    }

    deinit {
        do { try FileManager.default.removeItem(at: folder) } catch {
            // The folder is in the directory for temporary files, which the system empties.
        }
    }

    func path(_ name: String) -> String { folder.appendingPathComponent(name).path }
}
