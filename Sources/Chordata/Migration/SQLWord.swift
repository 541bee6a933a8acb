/// A token of a statement: a word, a name without its quotes, or another character.
package struct SQLWord {
    var text: String
    var isQuoted: Bool

    /// Returns a Boolean value that indicates whether the token is a given keyword, ignoring case.
    package func isKeyword(_ keyword: String) -> Bool { !isQuoted && text.uppercased() == keyword }

    /// Returns the first tokens of a statement.
    package static func words(of sql: String, count: Int) -> [SQLWord] {
        var words: [SQLWord] = []
        var rest = sql[...].drop(while: \.isWhitespace)
        while let first = rest.first, words.count < count {
            if let quote = closingQuotes[first] {
                words.append(SQLWord(text: removeName(from: &rest, quote), isQuoted: true))
            } else {
                let word = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "$" }
                let text = word.isEmpty ? rest.prefix(1) : word
                words.append(SQLWord(text: String(text), isQuoted: false))
                rest = rest[text.endIndex...]
            }
            rest = rest.drop(while: \.isWhitespace)
        }
        return words
    }

    /// The closing quotes of names in SQLite, by their opening quotes.
    private static let closingQuotes: [Character: Character] = ["\"": "\"", "`": "`", "'": "'", "[": "]"]

    /// Removes and returns a name in quotes; a quote in a name is doubled.
    private static func removeName(from rest: inout Substring, _ quote: Character) -> String {
        var name = ""
        rest.removeFirst()
        while let character = rest.popFirst() {
            if character == quote {
                guard quote != "]", rest.first == quote else { break }
                rest.removeFirst()
            }
            name.append(character)
        }
        return name
    }
}

extension ArraySlice<SQLWord> {
    /// Returns a Boolean value that indicates whether the first token is a given keyword.
    package func begins(with keyword: String) -> Bool { first?.isKeyword(keyword) == true }
}
