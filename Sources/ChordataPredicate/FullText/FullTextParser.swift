/// Parses the text of a full-text query.
struct FullTextParser {
    private enum Token: Equatable {
        case phrase(String, isPrefix: Bool)
        case attribute(String)
        case and, or, not
        case open, close
        case end
    }

    /// The maximum number of nested operators and attributes: the stack of FTS5's parser has a hundred entries, and
    /// each operator or attribute takes three.
    private static let maximumHeight = 25
    /// The maximum number of nested parentheses.
    private static let maximumDepth = 100

    private let text: String
    private let scalars: [Unicode.Scalar]
    /// The place in UTF-8 of each scalar, and of the end.
    private let offsets: [Int]
    private var place = 0
    private var token = Token.end
    private var tokenOffset = 0
    private var depth = 0

    init(_ text: String) {
        self.text = text
        scalars = Array(text.unicodeScalars)
        var offset = 0
        var offsets = [0]
        for scalar in scalars {
            offset += UTF8.width(scalar)
            offsets.append(offset)
        }
        self.offsets = offsets
    }

    mutating func parse() throws(FetchPredicateError) -> FullTextNode {
        try advance()
        if token == .end { throw error("the search has no words; write at least one") }
        let node = try parseAlternatives()
        if token == .close { throw error("')' has no '(' before it; remove it, or write it in quotation marks") }
        guard node.height <= Self.maximumHeight else {
            throw error(
                "the search has more than \(Self.maximumHeight) operators and attributes inside one another; use fewer",
                at: 0
            )
        }
        return node
    }

    private mutating func parseAlternatives() throws(FetchPredicateError) -> FullTextNode {
        var parts = [try parseConjunction()]
        while token == .or {
            try advance()
            parts.append(try parseConjunction())
        }
        return parts.count == 1 ? parts[0] : .or(parts)
    }

    private mutating func parseConjunction() throws(FetchPredicateError) -> FullTextNode {
        var parts = [try parseDifference()]
        while true {
            switch token {
            case .and: try advance()
            case .phrase, .attribute, .open: break
            case .or, .not, .close, .end: return parts.count == 1 ? parts[0] : .and(parts)
            }
            parts.append(try parseDifference())
        }
    }

    private mutating func parseDifference() throws(FetchPredicateError) -> FullTextNode {
        var node = try parseOperand()
        var excluded: [FullTextNode] = []
        while token == .not {
            try advance()
            excluded.append(try parseOperand())
        }
        // 'a NOT b NOT c' excludes both b and c.
        if !excluded.isEmpty { node = .not(node, excluded.count == 1 ? excluded[0] : .or(excluded)) }
        return node
    }

    private mutating func parseOperand() throws(FetchPredicateError) -> FullTextNode {
        let offset = tokenOffset
        switch token {
        case .phrase(let words, let isPrefix):
            try advance()
            return .phrase(words, isPrefix: isPrefix)
        case .attribute(let name):
            try advance()
            try descend()
            let part = try parseOperand()
            depth -= 1
            return .attribute(name, offset: offset, part)
        case .open:
            try advance()
            try descend()
            let node = try parseAlternatives()
            guard token == .close else { throw error("'(' has no ')' behind it; add one", at: offset) }
            depth -= 1
            try advance()
            return node
        case .and, .or, .not:
            throw error(
                "a word or phrase is missing before this operator; to search for the operator as a word, write it in "
                    + "small letters"
            )
        case .close, .end:
            throw error(
                "a word or phrase is missing here; add one, or remove the operator, the parenthesis or the attribute name "
                    + "before this position"
            )
        }
    }

    private mutating func descend() throws(FetchPredicateError) {
        depth += 1
        guard depth <= Self.maximumDepth else {
            throw error("the search has more than \(Self.maximumDepth) levels of parentheses; use fewer")
        }
    }

    // MARK: Tokens

    private mutating func advance() throws(FetchPredicateError) {
        while place < scalars.count, scalars[place].properties.isWhitespace { place += 1 }
        tokenOffset = offsets[place]
        guard place < scalars.count else {
            token = .end
            return
        }
        switch scalars[place] {
        case "(": take(.open)
        case ")": take(.close)
        case "\"": try readPhrase()
        default: try readWord()
        }
    }

    private mutating func take(_ token: Token) {
        place += 1
        self.token = token
    }

    private mutating func readPhrase() throws(FetchPredicateError) {
        place += 1
        let start = place
        while place < scalars.count, scalars[place] != "\"" { place += 1 }
        guard place < scalars.count else { throw error("there is no closing quotation mark; add one") }
        let words = string(start..<place)
        place += 1
        try setPhrase(words)
    }

    private mutating func readWord() throws(FetchPredicateError) {
        let start = place
        while place < scalars.count, !isSeparator(scalars[place]) {
            // A word that is followed by a colon is the name of an attribute.
            if scalars[place] == ":", place > start {
                token = .attribute(string(start..<place))
                place += 1
                return
            }
            if scalars[place] == "*" { break }
            place += 1
        }
        let word = string(start..<place)
        switch word {
        case "AND": token = .and
        case "OR": token = .or
        case "NOT": token = .not
        default: try setPhrase(word)
        }
    }

    private mutating func setPhrase(_ words: String) throws(FetchPredicateError) {
        let isPrefix = place < scalars.count && scalars[place] == "*"
        if isPrefix { place += 1 }
        guard words.unicodeScalars.contains(where: \.isLetterOrDigit) else {
            if words.isEmpty, isPrefix { throw error("'*' has no word before it; add one, or remove it") }
            throw error("there is no letter or digit in '\(words)'; remove it, or add a word")
        }
        token = .phrase(words, isPrefix: isPrefix)
    }

    private func isSeparator(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isWhitespace || scalar == "(" || scalar == ")" || scalar == "\""
    }

    private func string(_ range: Range<Int>) -> String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars[range])
        return String(view)
    }

    private func error(_ message: String, at offset: Int? = nil) -> FetchPredicateError {
        FetchPredicateError(.malformed, message, at: offset ?? tokenOffset, in: text)
    }
}
