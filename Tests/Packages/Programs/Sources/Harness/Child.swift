import Foundation
import Synchronization

/// A running program whose standard output is read.
public final class Child {
    /// The process ID.
    public let processID: pid_t
    private let output: Int32
    private var pending: [UInt8] = []
    private static let spawning = Mutex(())

    /// Starts a program.
    public init(_ path: String, _ arguments: [String], environment: [String: String] = [:]) throws {
        var environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        environment["SWIFT_BACKTRACE"] = "enable=no"
        var argv = ([path] + arguments).map { strdup($0) } + [nil]
        var envp = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in argv + envp { free(text) } }
        // One at a time: a child of another thread must not inherit the writing end, because then the pipe would never
        // be closed.
        (processID, output) = try Child.spawning.withLock { _ in
            var ends: [Int32] = [0, 0]
            guard pipe(&ends) == 0 else { throw HarnessError("no pipe: \(String(cString: strerror(errno)))") }
            defer { close(ends[1]) }
            _ = fcntl(ends[0], F_SETFD, FD_CLOEXEC)
            _ = fcntl(ends[1], F_SETFD, FD_CLOEXEC)
            var actions = posix_spawn_file_actions_t()
            posix_spawn_file_actions_init(&actions)
            defer { posix_spawn_file_actions_destroy(&actions) }
            posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
            var processID: pid_t = 0
            let result = posix_spawn(&processID, path, &actions, nil, &argv, &envp)
            guard result == 0 else {
                close(ends[0])
                throw HarnessError("\(path) cannot be run: \(String(cString: strerror(result)))")
            }
            return (processID, ends[0])
        }
    }

    deinit { close(output) }

    /// Returns the next line, or `nil` at the end.
    public func readLine() -> Substring? {
        while true {
            if let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
                let line = String(decoding: pending[..<end], as: UTF8.self)
                pending.removeSubrange(...end)
                return line[...]
            }
            var buffer = [UInt8](repeating: 0, count: 4_096)
            let count = read(output, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return nil }
            pending += buffer[..<count]
        }
    }

    /// Waits for the end of the program.
    ///
    /// Returns the exit code, or the negative number of the signal.
    public func wait() -> Int32 {
        var status: Int32 = 0
        while waitpid(processID, &status, 0) < 0, errno == EINTR {}
        let signal = status & 0x7F
        return signal == 0 ? (status >> 8) & 0xFF : -signal
    }
}
