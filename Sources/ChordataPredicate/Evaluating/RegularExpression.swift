import Foundation

/// A pattern of MATCHES: an ICU regular expression that the whole string must match (P5).
package struct RegularExpression: Sendable {
    /// The maximum number of progress reports of the engine, which it makes about every 10,000 steps: a limit of about
    /// four million steps.
    private static let maximumReportCount = 400

    private let pattern: String
    private let expression: NSRegularExpression
    private let options: ComparisonOptions

    /// The maximum length of a pattern, in UTF-8 code units: the engine can take seconds to compile a long pattern that
    /// repeats a short one.
    package static let maximumLength = 10_000

    /// Compiles a pattern; `nil` when it is not a regular expression, or longer than ``maximumLength``.
    package init?(_ pattern: String, options: ComparisonOptions) {
        guard pattern.utf8.count <= Self.maximumLength else { return nil }
        let options = options.effective
        self.pattern = pattern
        let pattern =
            options.contains(.diacriticInsensitive)
            ? foldedForComparison(pattern, options: .diacriticInsensitive) : pattern
        // The pattern is first compiled alone, because `a)|(b` would become valid with the parentheses around it. An
        // empty pattern is rejected only if it is compiled alone.
        guard pattern.isEmpty || (try? NSRegularExpression(pattern: pattern)) != nil else { return nil }
        // A comment or a quotation at the end of the pattern must not include the parenthesis.
        let ends = [")\\z", "\n)\\z", "\\E)\\z"]
        let wholes = ends.lazy.compactMap { end in
            try? NSRegularExpression(
                pattern: "\\A(?:" + pattern + end,
                options: options.contains(.caseInsensitive) ? .caseInsensitive : []
            )
        }
        guard let expression = wholes.first else { return nil }
        self.expression = expression
        self.options = options
    }

    /// Returns a Boolean value that indicates whether the whole text matches.
    ///
    /// A pattern such as `(a|aa)+b` may need an exponential number of steps, or more stack than the engine has: then an
    /// error is thrown. The limit counts steps, not time, so that the same text always has the same result.
    /// - Throws: ``FetchPredicateError`` when the engine gave up, or was cancelled.
    package func matches(_ text: String) throws(FetchPredicateError) -> Bool {
        let text =
            options.contains(.diacriticInsensitive) ? foldedForComparison(text, options: .diacriticInsensitive) : text
        var isMatch = false
        var hasFailed = false
        var reportCount = 0
        expression.enumerateMatches(
            in: text,
            options: [.reportProgress, .reportCompletion],
            range: NSRange(location: 0, length: text.utf16.count)
        ) { result, flags, stop in
            if result != nil {
                isMatch = true
                stop.pointee = true
            } else if flags.contains(.internalError) {
                hasFailed = true
            } else if flags.contains(.progress) {
                reportCount += 1
                if reportCount > Self.maximumReportCount { stop.pointee = true }
            }
        }
        guard !hasFailed, reportCount <= Self.maximumReportCount else {
            throw FetchPredicateError(
                .tooComplex,
                "this regular expression takes too long on a text of \(text.utf16.count) UTF-16 units; "
                    + "avoid a repetition inside of another",
                at: 0,
                in: pattern
            )
        }
        return isMatch
    }
}
