import Chordata
import Foundation

/// The list in a terminal: it is drawn again after each change of any context, and edited by commands.
@MainActor
public final class Terminal {
    /// The rows as they are drawn: object IDs, updated by the changes of the list.
    private var shown: FetchedResultsSnapshot
    private let list: DoneList
    private static let usage = "add NAME, done NUMBER, rename NUMBER NAME, delete NUMBER, quit"
    private let isScreen = isatty(STDOUT_FILENO) == 1

    /// Shows a list.
    public init(_ list: DoneList) {
        self.list = list
        shown = list.snapshot
    }

    /// Draws every change until the list is deallocated.
    public func follow() async {
        let changes = list.changes
        shown = list.snapshot
        draw()
        for await change in changes {
            shown.apply(change)
            draw()
        }
    }

    /// Runs the commands of standard input until its end, or `quit`.
    /// - Returns: Whether `quit` was among them.
    public func runCommands() async throws -> Bool {
        for await line in Self.lines() {
            if line == "quit" { return true }
            if let complaint = try run(line) { print(complaint) }
        }
        return false
    }

    private func run(_ line: String) throws -> String? {
        let words = line.split(separator: " ", maxSplits: 1).map(String.init)
        guard let command = words.first else { return nil }
        let rest = words.count > 1 ? words[1] : ""
        if command == "add", !rest.isEmpty {
            try list.add(rest)
            return nil
        }
        let parts = rest.split(separator: " ", maxSplits: 1).map(String.init)
        let items = shown.itemIdentifiers
        guard let number = parts.first.flatMap({ Int($0) }), (1...max(1, items.count)).contains(number), !items.isEmpty
        else {
            return Self.usage
        }
        let id = items[number - 1].key
        switch command {
        case "done": try list.toggle(id)
        case "rename" where parts.count == 2: try list.rename(id, to: parts[1])
        case "delete": try list.delete(id)
        default: return Self.usage
        }
        return nil
    }

    private func draw() {
        var text = isScreen ? "\u{1B}[H\u{1B}[2J" : ""
        var number = 0
        for section in shown.sections {
            text += "\(DoneList.title(ofSection: section.name))\n"
            for id in section.itemIdentifiers {
                number += 1
                text += "  \(number). \(list.item(id).name)\n"
            }
        }
        text += number == 0 ? "Nothing to do.\n" : "--\n"
        FileHandle.standardOutput.write(Data(text.utf8))
    }

    /// Returns the lines of standard input, for which a separate thread waits.
    private static func lines() -> AsyncStream<String> {
        AsyncStream { continuation in
            Thread.detachNewThread {
                while let line = readLine() { continuation.yield(line) }
                continuation.finish()
            }
        }
    }
}
