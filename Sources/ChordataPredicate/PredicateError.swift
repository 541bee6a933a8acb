/// Why a predicate cannot be read, or does not fit the entity it is used with.
public struct PredicateError: Error, Sendable, Hashable {
    /// What kind of mistake it is.
    public enum Kind: Sendable, Hashable {
        /// The text does not follow the grammar, or its arguments do not fit it.
        case malformed
        /// The text is correct, but uses a construct that Chordata does not have.
        case unsupported
        /// A key names no stored property of the entity.
        case unknownKey
        /// The two sides of a comparison do not fit each other or the operator.
        case unfittingType
        /// A `$variable` has no value, or no single type.
        case variable
    }

    /// What kind of mistake it is.
    public let kind: Kind
    /// What is wrong and what to do: lower case, without a full stop.
    public let message: String
    /// Where in ``format``, counted in UTF-8 code units from 0.
    public let offset: Int
    /// The predicate's text.
    ///
    /// A predicate that was composed or built without a text is printed, with `%@` in the place of its values.
    public let format: String
    /// The right spelling of the key at ``offset``, when one is near.
    public let suggestion: String?

    package init(_ kind: Kind, _ message: String, at offset: Int, in format: String, suggestion: String? = nil) {
        self.kind = kind
        self.message = message
        self.offset = offset
        self.format = format
        self.suggestion = suggestion
    }
}

extension PredicateError: CustomStringConvertible {
    /// The message, the line of the text it is about, and a caret below the place.
    public var description: String {
        let (line, column) = excerpt
        if line.isEmpty { return message }
        let padding = line.unicodeScalars.prefix(column).map { $0 == "\t" ? "\t" : " " }.joined()
        return "\(message)\n\(line)\n\(padding)^"
    }

    /// The line that holds the offset, at most about 100 scalars of it, and the offset's column in scalars.
    private var excerpt: (line: String, column: Int) {
        let reach = 50
        let scalars = format.unicodeScalars
        let utf8 = format.utf8
        let clamped = max(0, min(offset, utf8.count))
        // An offset always begins a token, so it is on a scalar's boundary; round down in case it is not.
        var place = utf8.index(utf8.startIndex, offsetBy: clamped)
        while place > utf8.startIndex, String.Index(place, within: scalars) == nil { place = utf8.index(before: place) }

        var start = place
        var column = 0
        while start > scalars.startIndex, column < reach {
            let before = scalars.index(before: start)
            if scalars[before] == "\n" { break }
            start = before
            column += 1
        }
        let isCutAtStart = start > scalars.startIndex && scalars[scalars.index(before: start)] != "\n"
        var end = place
        var count = 0
        while end < scalars.endIndex, scalars[end] != "\n", count < reach {
            end = scalars.index(after: end)
            count += 1
        }
        let isCutAtEnd = end < scalars.endIndex && scalars[end] != "\n"
        let line = (isCutAtStart ? "…" : "") + String(scalars[start..<end]) + (isCutAtEnd ? "…" : "")
        return (line, column + (isCutAtStart ? 1 : 0))
    }
}
