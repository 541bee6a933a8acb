import Foundation

/// Returns a number with two or three significant digits after the point; `-` if it was not measured.
func formatted(_ number: Double?) -> String {
    number.map { String(format: "%.\($0 >= 100 ? 1 : 2)f", $0) } ?? "-"
}

/// Returns a text with spaces up to a width, after it or before it.
func padded(_ text: String, _ width: Int, isRight: Bool = false) -> String {
    let space = String(repeating: " ", count: max(0, width - text.count))
    return isRight ? space + text : text + space
}
