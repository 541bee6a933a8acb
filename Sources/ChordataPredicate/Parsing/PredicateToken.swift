/// A word or sign of a format string.
struct PredicateToken: Sendable, Equatable {
    enum Kind: Sendable, Equatable {
        /// A word; a keyword unless it was written with `#`.
        case word(String, isEscaped: Bool)
        /// The digits of a number without a sign, as written.
        case number(String)
        /// The text between quotes, with resolved escapes.
        case string(String)
        /// `$name`.
        case variable(String)
        /// `@name`, a collection operator.
        case collectionOperator(String)
        /// `%@`, `%K`, `%ld`: the letters after the percent sign.
        case placeholder(String)
        case comparison(ComparisonOperator)
        /// `&&`, `||` and `!`.
        case and, or, not
        case leftParenthesis, rightParenthesis, leftBrace, rightBrace, leftBracket, rightBracket
        case comma, dot, colon
        /// `+`, `-`, `*`, `/`, `**`, `&`, `^`, `|`, `<<`, `>>` and `:=`.
        case arithmetic(String)
        case end
    }

    let kind: Kind
    /// The range of the token, in UTF-8 code units.
    let range: Range<Int>
    /// The token as a keyword in capitals; `nil` if it is not a word or is escaped.
    let keyword: String?

    init(kind: Kind, range: Range<Int>) {
        self.kind = kind
        self.range = range
        if case .word(let word, isEscaped: false) = kind, word.utf8.count <= PredicateKeyword.maximumLength,
            word.utf8.allSatisfy({ $0 < 0x80 })
        {
            keyword = word.uppercased()
        } else {
            keyword = nil
        }
    }
}

/// The words that must be escaped with `#` if they are used as keys.
enum PredicateKeyword {
    /// The maximum length of a keyword, in UTF-8 code units.
    static let maximumLength = 16

    /// Words that are never a key at the beginning of a path.
    static let reserved: Set<String> = [
        "AND", "OR", "NOT", "IN", "BETWEEN", "CONTAINS", "BEGINSWITH", "ENDSWITH", "LIKE", "MATCHES", "TRUEPREDICATE",
        "FALSEPREDICATE", "TRUE", "YES", "FALSE", "NO", "NULL", "NIL", "SELF",
    ]
    /// Words that are keywords only in some places, in Chordata or in Core Data, which must be able to read printed
    /// predicates; they are printed with `#`.
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

    /// Returns a Boolean value that indicates whether the word is an infix operator, so that the operand before it is
    /// complete.
    static func isInfix(_ keyword: String) -> Bool {
        operators[keyword] != nil || keyword == "AND" || keyword == "OR"
    }

    /// The operators of key paths, without their `@`.
    static let pathOperators = ["count", "sum", "avg", "min", "max", "unionOfObjects", "distinctUnionOfObjects"]

    /// The functions by their names, the last colon of which may be left out.
    static let functions: [String: PredicateFunction] = {
        var result: [String: PredicateFunction] = [:]
        for function in PredicateFunction.allCases {
            switch function {
            // These functions are written with FUNCTION.
            case .double, .integer: continue
            case .random, .now:
                result[function.rawValue] = function
                result[function.rawValue + ":"] = function
            default:
                result[function.rawValue] = function
                result[String(function.rawValue.dropLast())] = function
            }
        }
        return result
    }()

    /// The functions of collections by their names, the last colon of which may be left out.
    static let collectionFunctions: [String: CollectionFunction] = {
        var result: [String: CollectionFunction] = [:]
        for function in CollectionFunction.allCases {
            result[function.rawValue] = function
            result[String(function.rawValue.dropLast())] = function
        }
        return result
    }()

    /// All names that can be called, for suggestions.
    static let functionNames =
        (functions.keys.sorted() + collectionFunctions.keys.sorted()
        + ["castObject:toType:", "objectFrom:withIndex:"]).filter { $0.hasSuffix(":") }

    /// The selectors that FUNCTION accepts.
    static let selectors = [
        "UUIDString", "absoluteString", "addTimeInterval:", "count", "dateByAddingTimeInterval:", "doubleValue",
        "floatValue", "intValue", "integerValue", "length", "longLongValue", "lowercaseString", "stringValue",
        "timeIntervalSinceDate:", "timeIntervalSinceReferenceDate", "uppercaseString",
    ]
}
