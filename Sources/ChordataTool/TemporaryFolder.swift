internal import Foundation

/// A temporary folder of a command, which is also removed when the command is interrupted.
struct TemporaryFolder {
    private let url = FileManager.default.temporaryDirectory.appending(path: "chordata-\(UUID().uuidString)")
    private let stops: [any DispatchSourceSignal]
    /// Taken by the one that removes the folder, who keeps it.
    private let removal = NSLock()

    init() throws {
        let (url, removal) = (url, removal)
        // A signal that arrives before the folder exists waits for it.
        removal.lock()
        defer { removal.unlock() }
        stops = [SIGINT, SIGTERM].map { number in
            // The source receives only signals that do not end the program immediately.
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                removal.lock()
                // The command still runs, and must not create files in the folder while it is removed.
                let removed = url.deletingLastPathComponent().appending(path: "\(url.lastPathComponent)-removed")
                // If it fails, the system clears the temporary folder.
                try? FileManager.default.moveItem(at: url, to: removed)
                try? FileManager.default.removeItem(at: removed)
                // The convention of shells: the exit code reports the signal that ended the program.
                _exit(128 + number)
            }
            source.resume()
            return source
        }
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    var path: String { url.path }

    func remove() {
        removal.lock()
        for stop in stops { stop.cancel() }
        for number in [SIGINT, SIGTERM] { signal(number, SIG_DFL) }
        do {
            try FileManager.default.removeItem(at: url)
        } catch {
            printError("warning: \(path) could not be removed: \(error.localizedDescription)\n")
        }
    }
}
