internal import Foundation

/// A file that gets its final name when it is complete.
///
/// If the process is killed, the file remains under its temporary name, which no other process uses.
struct UnfinishedFile {
    let path: String
    private let destination: String

    init(for destination: String) {
        self.destination = destination
        path = "\(destination).\(UUID().uuidString.prefix(8)).unfinished"
    }

    /// Throws an error if there is a file with the final name, or a file that SQLite would treat as its log.
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

    /// Gives the file its final name, unless there is another file with that name.
    func finish() throws(CoreDataStoreError) {
        try requireNoDestination()
        // Creating a link fails if the file exists, but renaming would replace it. Some file systems do not support
        // links.
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

    /// Removes the file after an error; the error of the removal is not reported.
    func remove() {
        for ending in ["", "-wal", "-shm", "-journal"] { unlink(path + ending) }
    }
}
