internal import ChordataModel

/// A search in the full-text index of an entity.
///
/// ```swift
/// let query = try FullTextQuery("swift data* NOT title:beginner")
/// let notes = try context.fetch(Note.fetchRequest().matching(query))
/// ```
/// Words are compared without case and diacritics. A query consists of:
///
/// | part | matches objects |
/// |---|---|
/// | `swift` | with the word in one of the attributes |
/// | `dat*`, `"swift dat"*` | with a word that begins with `dat`, or a phrase whose last word does |
/// | `"swift data"` | with these words next to each other, in this order |
/// | `title:swift` | with the word in that attribute; also before a phrase or parentheses |
/// | `a b`, `a AND b` | that match both |
/// | `a OR b` | that match at least one |
/// | `a NOT b` | that match the first and not the second |
/// | `( … )` | that match the query inside |
///
/// `NOT` binds more tightly than `AND`, and `AND` more tightly than `OR`. The three words are written in capital
/// letters. A word that contains characters other than letters and digits is a phrase of its parts: `e-mail` is
/// `"e mail"`. The asterisk ends a word or phrase, and a word that is followed by a colon is an attribute; write other
/// texts with a colon in quotation marks, such as `"http://swift.org"`.
///
/// For text that a user typed, use ``init(words:lastIsPrefix:)``, which never throws an error.
public struct FullTextQuery: Sendable, Hashable {
    package let node: FullTextNode
    private let text: String

    /// Creates a query from its text.
    /// - Throws: ``FetchPredicateError`` if the text is not a valid query; the error contains the position of the
    ///   mistake.
    public init(_ text: String) throws(FetchPredicateError) {
        var parser = FullTextParser(text)
        node = try parser.parse()
        self.text = text
    }

    /// Creates a query for objects that have all words of a text, in any order.
    ///
    /// Characters other than letters and digits only separate words, so any text is allowed. A text without words
    /// matches no object.
    /// - Parameters:
    ///   - text: The text.
    ///   - lastIsPrefix: A Boolean value that indicates whether a word that begins with the last word matches as well,
    ///     as in a search field while the user types.
    public init(words text: String, lastIsPrefix: Bool = true) {
        let words = text.unicodeScalars.split { !$0.isLetterOrDigit && !$0.isMark }
            .filter { $0.contains(where: \.isLetterOrDigit) }.map { String(String.UnicodeScalarView($0)) }
        let phrases = words.enumerated().map { index, word in
            FullTextNode.phrase(word, isPrefix: lastIsPrefix && index == words.count - 1)
        }
        node = .and(phrases)
        self.text = words.joined(separator: " ") + (lastIsPrefix && !words.isEmpty ? "*" : "")
    }
}

extension FullTextQuery: CustomStringConvertible {
    /// The text of the query.
    public var description: String { text }
}

extension FullTextQuery {
    /// Returns the query in the syntax of FTS5, with all words in quotation marks.
    /// - Parameter columns: The columns of the attributes.
    package func matchExpression(columns: [String: String]) -> String { node.matchExpression(columns) }

    /// The attributes that the query names, with their positions in the text.
    package var attributeNames: [(name: String, offset: Int)] { node.attributeNames }

    /// Returns the error for a query that names an attribute that the index does not have.
    package func unknownAttribute(_ name: String, at offset: Int, of entityName: String, indexed: [String])
        -> FetchPredicateError
    {
        FetchPredicateError(
            .unknownKey,
            "the full-text index of '\(entityName)' has no attribute '\(name)'; its attributes are "
                + indexed.map { "'\($0)'" }.joined(separator: ", ")
                + "; to search for a text that contains a colon, write it in quotation marks",
            at: offset,
            in: text,
            suggestion: nearestName(to: name, among: indexed)
        )
    }
}

/// The tree of a query.
package indirect enum FullTextNode: Sendable, Hashable {
    /// Words next to each other; FTS5 splits a word if it has characters other than letters and digits.
    case phrase(String, isPrefix: Bool)
    /// A query of one attribute, with the position of the attribute's name in the text.
    case attribute(String, offset: Int, FullTextNode)
    /// Parts that all match; if there are no parts, nothing matches.
    case and([FullTextNode])
    case or([FullTextNode])
    case not(FullTextNode, FullTextNode)

    fileprivate func matchExpression(_ columns: [String: String]) -> String {
        func join(_ parts: [FullTextNode], by word: String) -> String {
            parts.map { "(\($0.matchExpression(columns)))" }.joined(separator: word)
        }
        switch self {
        case .phrase(let text, let isPrefix): return quoted(text) + (isPrefix ? "*" : "")
        case .attribute(let name, _, let part):
            return "{\(quoted(columns[name] ?? name))} : (\(part.matchExpression(columns)))"
        // The only FTS5 expression that matches nothing is an empty phrase.
        case .and(let parts): return parts.isEmpty ? "\"\"" : join(parts, by: " AND ")
        case .or(let parts): return join(parts, by: " OR ")
        case .not(let part, let excluded): return join([part, excluded], by: " NOT ")
        }
    }

    /// The number of nested operators and attributes.
    var height: Int {
        switch self {
        case .phrase: 0
        case .attribute(_, _, let part): 1 + part.height
        case .and(let parts), .or(let parts): 1 + (parts.map(\.height).max() ?? 0)
        case .not(let part, let excluded): 1 + max(part.height, excluded.height)
        }
    }

    fileprivate var attributeNames: [(name: String, offset: Int)] {
        switch self {
        case .phrase: []
        case .attribute(let name, let offset, let part): [(name, offset)] + part.attributeNames
        case .and(let parts), .or(let parts): parts.flatMap(\.attributeNames)
        case .not(let part, let excluded): part.attributeNames + excluded.attributeNames
        }
    }
}

/// Returns a string of FTS5.
private func quoted(_ text: String) -> String { "\"" + escape(text, with: .fullText) + "\"" }

extension Unicode.Scalar {
    /// A Boolean value that indicates whether the scalar forms words in a full-text index: a letter, a digit, or a
    /// character for private use.
    var isLetterOrDigit: Bool {
        switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
            .letterNumber, .otherNumber, .privateUse:
            true
        default: false  // Marks, punctuation, symbols, separators and control characters.
        }
    }

    /// A Boolean value that indicates whether the scalar is a mark, which is part of the same word as the letter before
    /// it.
    var isMark: Bool {
        switch properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: true
        default: false
        }
    }
}
