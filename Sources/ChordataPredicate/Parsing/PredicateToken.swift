/// A word or sign of a format string.
struct PredicateToken: Sendable, Equatable {
    enum Kind: Sendable, Equatable {
        /// A word; a keyword unless it was written with `#`.
        case word(String, isEscaped: Bool)
        /// The digits of a number without a sign, as they stand.
        case number(String)
        /// The text between quotes, escapes resolved.
        case string(String)
        /// `$name`.
        case variable(String)
        /// `@name`, a collection operator.
        case collectionOperator(String)
        /// `%@`, `%K`, `%ld`: the letters behind the percent sign.
        case placeholder(String)
        case comparison(ComparisonOperator)
        /// `&&`, `||` and `!`.
        case and, or, not
        case leftParenthesis, rightParenthesis, leftBrace, rightBrace, leftBracket, rightBracket
        case comma, dot, colon
        /// `+`, `-`, `*`, `/`, `**` and `:=`.
        case arithmetic(String)
        case end
    }

    var kind: Kind
    /// Where the token begins and ends, in UTF-8 code units.
    var range: Range<Int>

    /// The token as a keyword in capitals; `nil` when it is no word or is escaped.
    var keyword: String? {
        guard case .word(let word, isEscaped: false) = kind else { return nil }
        return word.uppercased()
    }
}

/// The words that a key must be escaped from with `#`.
enum PredicateKeyword {
    /// Words that are never a key at the beginning of a path.
    static let reserved: Set<String> = [
        "AND", "OR", "NOT", "IN", "BETWEEN", "CONTAINS", "BEGINSWITH", "ENDSWITH", "LIKE", "MATCHES", "TRUEPREDICATE",
        "FALSEPREDICATE", "TRUE", "YES", "FALSE", "NO", "NULL", "NIL", "SELF",
    ]
    /// Words that are a keyword in some places only; printed with `#` all the same.
    static let contextual: Set<String> = [
        "ANY", "SOME", "ALL", "NONE", "SUBQUERY", "FUNCTION", "CAST", "TERNARY", "FIRST", "LAST", "SIZE", "ANYKEY",
        "FETCH", "CI", "CASEINSENSITIVE",
    ]
    /// The operators that are words.
    static let operators: [String: ComparisonOperator] = Dictionary(
        uniqueKeysWithValues: ([.between, .in, .contains, .beginsWith, .endsWith, .like, .matches]).map {
            ($0.rawValue, $0)
        }
    )
}
