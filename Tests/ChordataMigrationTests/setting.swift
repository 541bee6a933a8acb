import Foundation
import Testing

/// A number from the environment; one that is none is an issue.
func setting(_ name: String, _ standard: UInt64) -> UInt64 {
    guard let text = ProcessInfo.processInfo.environment[name], !text.isEmpty else { return standard }
    guard let number = UInt64(text) else {
        Issue.record("\(name) is '\(text)', which is no number")
        return standard
    }
    return number
}
