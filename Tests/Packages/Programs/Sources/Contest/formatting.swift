import Foundation

/// Returns the median of at least one number.
public func median(_ numbers: [Double]) -> Double { numbers.sorted()[numbers.count / 2] }

/// Rounds a number to four decimal places; smaller differences are noise.
public func rounded(_ number: Double) -> NSDecimalNumber {
    NSDecimalNumber(string: String(format: "%.4f", number))
}

/// Returns a text with spaces up to a width, after it or before it.
public func padded(_ text: String, to width: Int, right: Bool = false) -> String {
    let space = String(repeating: " ", count: max(0, width - text.count))
    return right ? space + text : text + space
}

func formatted(_ number: Double) -> String {
    String(format: "%.\(number >= 100 ? 1 : number >= 10 ? 2 : 3)f", number)
}
