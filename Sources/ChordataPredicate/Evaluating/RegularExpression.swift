import Foundation

/// A pattern of MATCHES: an ICU regular expression that the whole string must fit (P5).
package struct RegularExpression {
    private let expression: NSRegularExpression
    private let options: ComparisonOptions

    /// Compiles a pattern; `nil` when it is no regular expression.
    package init?(_ pattern: String, options: ComparisonOptions) {
        let options = options.effective
        let pattern =
            options.contains(.diacriticInsensitive)
            ? foldedForComparison(pattern, options: .diacriticInsensitive) : pattern
        // Alone first: `a)|(b` would become correct by the parentheses around it.
        guard (try? NSRegularExpression(pattern: pattern)) != nil,
            let expression = try? NSRegularExpression(
                pattern: "\\A(?:\(pattern))\\z",
                options: options.contains(.caseInsensitive) ? .caseInsensitive : []
            )
        else { return nil }
        self.expression = expression
        self.options = options
    }

    /// Whether the whole text fits.
    package func matches(_ text: String) -> Bool {
        let text =
            options.contains(.diacriticInsensitive) ? foldedForComparison(text, options: .diacriticInsensitive) : text
        return expression.firstMatch(in: text, range: NSRange(location: 0, length: text.utf16.count)) != nil
    }
}
