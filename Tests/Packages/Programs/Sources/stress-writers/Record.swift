import Foundation
import Harness

/// The append-only file in which a client records its saves; no line waits in a buffer of the program.
///
/// Each line ends with a period, because a kill can leave a part of the last one.
struct Record: Sendable {
    private let descriptor: Int32

    init(_ path: String) throws {
        descriptor = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw HarnessError("\(path) cannot be opened") }
        let size = lseek(descriptor, 0, SEEK_END)
        var last = UInt8(ascii: "\n")
        if size > 0 { _ = pread(descriptor, &last, 1, size - 1) }
        if last != UInt8(ascii: "\n") { write("") }
    }

    func begin(_ number: Int, _ kind: SaveKind) { write("b \(number) \(kind.rawValue) \(microseconds()) .") }
    func acknowledge(_ number: Int, after wait: Int) { write("a \(number) \(wait) .") }
    func cancel(_ number: Int) { write("c \(number) .") }
    func conflict(_ number: Int) { write("x \(number) .") }
    func busy(_ number: Int) { write("y \(number) .") }
    /// Records whether a save that was in progress at a kill is stored.
    func find(_ number: Int, isStored: Bool) { write(isStored ? "s \(number) ." : "n \(number) .") }
    func read() { write("r .") }
    func find(_ fault: String) { write("f \(fault.replacingOccurrences(of: "\n", with: " ")) .") }

    private func write(_ line: String) {
        let bytes = Array("\(line)\n".utf8)
        guard Foundation.write(descriptor, bytes, bytes.count) == bytes.count else {
            fatalError("a record cannot be written: \(String(cString: strerror(errno)))")
        }
    }
}

/// The time of a clock that all programs share.
func microseconds() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1_000_000 + time.tv_nsec / 1_000
}
