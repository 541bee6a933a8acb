internal import ChordataDiagnostics
internal import Foundation

/// A Boolean value that indicates whether a person reads standard error.
///
/// The command plugin sets the variable, because SwiftPM passes its output through a pipe.
let isOnTerminal =
    isatty(FileHandle.standardError.fileDescriptor) == 1
    || ProcessInfo.processInfo.environment["CHORDATA_SUMMARY"] == "1"

/// Prints one line about what a command did or found, for a person; scripts get no such line.
func summarize(_ text: @autoclosure () -> String) {
    if isOnTerminal { printError(text() + "\n") }
}

/// A Boolean value that indicates whether standard error can redraw a line.
private let hasLineControl = isatty(FileHandle.standardError.fileDescriptor) == 1

/// Draws a bar of twenty characters and the current work, cut to the width of the terminal.
///
/// Draws nothing if standard error is not a terminal.
func showProgress(_ fraction: Double, _ text: String) {
    guard hasLineControl else { return }
    let done = Int(min(max(fraction, 0), 1) * 20)
    let bar = String(repeating: "█", count: done) + String(repeating: "░", count: 20 - done)
    // The last column would begin a new line on some terminals.
    printError("\r\u{1B}[K" + "\(bar) \(text)".prefix(terminalWidth() - 1))
}

/// Removes the bar.
func clearProgress() {
    if hasLineControl { printError("\r\u{1B}[K") }
}

/// The number of columns of standard error.
private func terminalWidth() -> Int {
    var size = winsize()
    guard ioctl(FileHandle.standardError.fileDescriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
        return 80
    }
    return Int(size.ws_col)
}

/// A number with its noun: `1 model`, `2 models`.
func counted(_ count: Int, _ noun: String, plural: String? = nil) -> String {
    "\(count) \(count == 1 ? noun : plural ?? noun + "s")"
}

extension [Diagnostic] {
    /// The number of diagnostics by severity, such as `1 error, 2 warnings`.
    var summary: String {
        let counts: [(Diagnostic.Severity, String)] = [(.error, "error"), (.warning, "warning"), (.remark, "remark")]
        let parts = counts.compactMap { severity, noun -> String? in
            let count = filter { $0.severity == severity }.count
            return count == 0 ? nil : counted(count, noun)
        }
        return parts.isEmpty ? "no problems" : parts.joined(separator: ", ")
    }
}
