internal import Foundation

/// A file that gets its name when it is complete.
///
/// A process that is killed leaves it behind under its first name, which no other process uses.
struct UnfinishedFile {
    let path: String
    private let destination: String

    init(for destination: String) {
        self.destination = destination
        path = "\(destination).\(UUID().uuidString.prefix(8)).unfinished"
    }

    /// Stops if there is a file with the name, or one that SQLite would take for its log.
    func requireNoDestination() throws(CoreDataStoreError) {
        for ending in ["", "-wal", "-shm", "-journal"]
        where FileManager.default.fileExists(atPath: destination + ending) {
            throw CoreDataStoreError(
                .cannotWrite,
                ending.isEmpty
                    ? "exists already; choose another path"
                    : "has a log of an earlier store beside it; remove '\(destination + ending)', or choose another path",
                path: destination
            )
        }
    }

    /// Gives the file its name, unless there is another file of that name.
    func finish() throws(CoreDataStoreError) {
        try requireNoDestination()
        // A link fails where a file exists, and a renamed file would replace it. Some file systems have no links.
        guard link(path, destination) != 0 else {
            unlink(path)
            return
        }
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

    /// Removes the file after an error, which is the one to report.
    func remove() {
        for ending in ["", "-wal", "-shm", "-journal"] { unlink(path + ending) }
    }
}
