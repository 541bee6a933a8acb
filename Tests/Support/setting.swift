import Foundation

/// The size of a random test: a number from the environment, or the small one that `Scripts/test` uses.
///
/// `Scripts/test --thorough` sets all of them. CONTRIBUTING lists each name with both sizes.
package func setting<Number: FixedWidthInteger>(_ name: String, small: Number) -> Number {
    guard let text = ProcessInfo.processInfo.environment[name], !text.isEmpty else { return small }
    guard let number = Number(text) else { fatalError("\(name) is '\(text)', which is not a number") }
    return number
}
