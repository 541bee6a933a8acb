import Foundation

/// Returns a number with one or two digits after the point; `-` if it was not measured.
func formatted(_ number: Double?) -> String {
    number.map { String(format: "%.\($0 >= 100 ? 1 : 2)f", $0) } ?? "-"
}
