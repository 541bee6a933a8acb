internal import Foundation

/// The file that becomes the destination when it is complete.
struct UnfinishedFile {
    let path: String
    private let destination: String

    init(for destination: String) {
        self.destination = destination
        path = destination + ".unfinished"
    }

    /// Removes the file that a process left behind that was killed.
    func removeRemains() throws {
        for ending in ["", "-wal", "-shm", "-journal"] where FileManager.default.fileExists(atPath: path + ending) {
            try FileManager.default.removeItem(atPath: path + ending)
        }
    }

    func finish() throws {
        do {
            try FileManager.default.moveItem(atPath: path, toPath: destination)
        } catch {
            throw CoreDataStoreError(
                .cannotWrite,
                "cannot be written: \(error.localizedDescription)",
                path: destination
            )
        }
    }
}
