import Checks
import DoneList
import Foundation

// The Done list in a terminal: `DoneTerminalApp PATH` opens the store at a path. Without a path, it opens a store for
// this run.

@MainActor
func run(at path: String) async throws {
    let terminal = Terminal(try DoneList(at: path))
    let following = Task { await terminal.follow() }
    _ = try await terminal.runCommands()
    // Reported changes are drawn before the end.
    await Task.yield()
    following.cancel()
    await following.value
}

if CommandLine.arguments.count > 1 {
    try await run(at: CommandLine.arguments[1])
} else {
    try await withTemporaryFolder { try await run(at: $0.appending(path: "done.sqlite").path) }
}
