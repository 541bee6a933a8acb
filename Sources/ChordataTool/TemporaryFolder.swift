internal import Foundation

/// A temporary folder of a command, which is also removed when the command is interrupted.
struct TemporaryFolder {
    private let url = FileManager.default.temporaryDirectory.appending(path: "chordata-\(UUID().uuidString)")
    private let stops: [any DispatchSourceSignal]
    /// The lock that is acquired to remove the folder, and is then never released.
    private let removal = NSLock()

    init() throws {
        let (url, removal) = (url, removal)
        // If a signal arrives before the folder exists, its handler waits until the folder exists.
        removal.lock()
        defer { removal.unlock() }
        stops = [SIGINT, SIGTERM].map { number in
            // The source receives a signal only if the signal's default action, which ends the program, is disabled.
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                removal.lock()
                // The command is still running, and must not create files in the folder while the folder is removed.
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
