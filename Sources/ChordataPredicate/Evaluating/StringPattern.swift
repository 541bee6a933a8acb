/// The right side of CONTAINS, BEGINSWITH, ENDSWITH, LIKE or MATCHES, prepared for many texts.
///
/// The in-memory evaluator and the SQL functions both use it, so they cannot differ. The empty string is contained in
/// every string, and every string begins and ends with it.
package struct StringPattern {
    private enum Test {
        case contains(ByteSearch)
        case beginsWith([UInt8])
        case endsWith([UInt8])
        case like(LikePattern)
        case matches(RegularExpression)
        case never
    }

    private let test: Test
    private let options: ComparisonOptions
    /// The pattern for ASCII texts; `nil` if an ``ASCIIPattern`` cannot test it.
    package let ascii: ASCIIPattern?

    /// Prepares a pattern.
    ///
    /// A pattern of MATCHES that is not a regular expression matches nothing; binding rejects it earlier.
    package init(_ operation: ComparisonOperator, _ pattern: String, options: ComparisonOptions) {
        let options = options.effective
        let folded = operation == .matches ? pattern : foldedForComparison(pattern, options: options)
        // A regular expression ignores case itself; folding would turn `\D` into `\d`.
        self.options = operation == .matches ? [] : options
        let like = operation == .like ? LikePattern(folded) : nil
        let isFolding = self.options.contains(.caseInsensitive)
        ascii = ASCIIPattern(operation, like == nil ? Array(folded.utf8) : [], like: like, isFolding: isFolding)
        switch operation {
        case .contains: test = .contains(ByteSearch(Array(folded.utf8)))
        case .beginsWith: test = .beginsWith(Array(folded.utf8))
        case .endsWith: test = .endsWith(Array(folded.utf8))
        case .like: test = like.map { .like($0) } ?? .never
        case .matches: test = RegularExpression(pattern, options: options).map { .matches($0) } ?? .never
        case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .between, .in: test = .never
        }
    }

    /// Returns a Boolean value that indicates whether a text matches the pattern.
    /// - Throws: ``FetchPredicateError`` when a regular expression takes too long on the text.
    package func matches(_ text: String) throws(FetchPredicateError) -> Bool {
        var text = foldedForComparison(text, options: options)
        switch test {
        case .contains(let search): return text.withUTF8 { search.isFound(in: $0) }
        case .beginsWith(let bytes): return text.utf8.starts(with: bytes)
        case .endsWith(let bytes): return text.withUTF8 { $0.suffix(bytes.count).elementsEqual(bytes) }
        case .like(let pattern): return pattern.matches(text)
        case .matches(let expression): return try expression.matches(text)
        case .never: return false
        }
    }
}
