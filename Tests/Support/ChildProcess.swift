package import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#elseif canImport(Glibc)
    import Glibc
#endif

/// A program that runs in parallel with the tests; its output goes to files, so that it never waits for a reader.
///
/// `Process` of swift-corelibs-foundation reads beyond the entries of a folder if glibc is older than 2.34, which ended
/// one of twelve test runs with a segmentation fault.
package struct ChildProcess: Sendable {
    /// The way in which a program ended.
    package enum End: Sendable, Equatable {
        case exit(code: Int32)
        case signal(Int32)
    }

    package let identifier: Int32

    /// Starts a program.
    /// - Parameters:
    ///   - folder: The working directory.
    ///   - environment: All variables; those of the tests by default.
    ///   - output: The path of a file for the standard output.
    ///   - errors: The same for the standard error; the file of the standard output by default.
    package init(
        _ program: URL,
        _ arguments: [String],
        in folder: URL,
        environment: [String: String] = ProcessInfo.processInfo.environment,
        output: String = "/dev/null",
        errors: String? = nil
    ) throws {
        #if canImport(Darwin)
            var actions: posix_spawn_file_actions_t?
        #else
            var actions = posix_spawn_file_actions_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        let flags = O_WRONLY | O_CREAT | O_APPEND
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output, flags, 0o644)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, errors ?? output, flags, 0o644)
        // The shell changes the working directory, for which not every C library has an action, and is then replaced by
        // the program.
        let words = (["sh", "-c", "cd \"$0\" && exec \"$@\"", folder.path, program.path] + arguments).map { strdup($0) }
        let variables = environment.map { strdup("\($0.key)=\($0.value)") }
        defer { for text in words + variables { free(text) } }
        var identifier: pid_t = 0
        let result = posix_spawn(&identifier, "/bin/sh", &actions, nil, words + [nil], variables + [nil])
        guard result == 0 else { throw POSIXError(POSIXErrorCode(rawValue: result) ?? .EINVAL) }
        self.identifier = identifier
    }

    /// Waits for the end of the program; may be called once.
    package func waitUntilExit() async -> End {
        await wait { identifier in
            var status: Int32 = 0
            while waitpid(identifier, &status, 0) == -1, errno == EINTR {}
            return status
        }
    }

    /// Waits for the end of the program, and kills it if it runs longer than a duration; may be called once.
    ///
    /// The thread that waits also kills: a task that sleeps continues late when the threads of tasks are busy, and the
    /// identifier of a program whose end was waited for may belong to another program.
    package func waitUntilExit(killingAfter delay: Duration) async -> End {
        let deadline = ContinuousClock.now + delay
        return await wait { identifier in
            var status: Int32 = 0
            while ContinuousClock.now < deadline {
                if waitpid(identifier, &status, WNOHANG) == identifier { return status }
                usleep(500)
            }
            kill(identifier, SIGKILL)
            while waitpid(identifier, &status, 0) == -1, errno == EINTR {}
            return status
        }
    }

    private func wait(_ status: @escaping @Sendable (_ identifier: Int32) -> Int32) async -> End {
        await withCheckedContinuation { done in
            // This is a separate thread, because there are few threads for tasks.
            Thread.detachNewThread {
                let status = status(identifier)
                let signal = status & 0x7F
                done.resume(returning: signal == 0 ? .exit(code: status >> 8 & 0xFF) : .signal(signal))
            }
        }
    }
}
