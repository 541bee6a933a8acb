/// An error of a predicate: its format is not valid, or it does not match its entity.
public struct FetchPredicateError: Error, Sendable, Hashable {
    /// The kind of the error.
    public enum Kind: Sendable, Hashable {
        /// The text does not follow the grammar, or its arguments do not match it.
        case malformed
        /// The text is correct, but uses a construct that Chordata does not have.
        case unsupported
        /// A key is not the name of a stored property of the entity.
        case unknownKey
        /// The two sides of a comparison are not compatible with each other or with the operator.
        case typeMismatch
        /// A `$variable` has no value, or no single type.
        case variable
        /// A regular expression, or nested collections such as a SUBQUERY in another one, took too many steps for an
        /// object.
        case tooComplex

        /// The former name of ``typeMismatch``.
        @available(*, deprecated, renamed: "typeMismatch")
        public static var unfittingType: Kind { .typeMismatch }
    }

    /// The kind of the error.
    public var kind: Kind { storage.kind }
    /// The description of the problem and its remedy: lower case, without a full stop.
    public var message: String { storage.message }
    /// The place in ``format``, counted in UTF-8 code units from 0.
    public var offset: Int { storage.offset }
    /// The text of the predicate.
    ///
    /// For a predicate without a text of its own, because it was composed of other predicates or created without a
    /// format string, this is a format string with the same meaning, with `%@` in place of its values.
    public var format: String { storage.format }
    /// An existing name that is similar to the unknown one at ``offset``; `nil` if no name is similar.
    public var suggestion: String? { storage.suggestion }

    /// The error takes one word instead of nine, because every call that may throw reserves space for it in its frame.
    private let storage: Storage

    private final class Storage: Sendable {
        let kind: Kind
        let message: String
        let offset: Int
        let format: String
        let suggestion: String?

        init(_ kind: Kind, _ message: String, _ offset: Int, _ format: String, _ suggestion: String?) {
            self.kind = kind
            self.message = message
            self.offset = offset
            self.format = format
            self.suggestion = suggestion
        }
    }

    package init(_ kind: Kind, _ message: String, at offset: Int, in format: String, suggestion: String? = nil) {
        storage = Storage(kind, message, offset, format, suggestion)
    }

    /// Returns a Boolean value that indicates whether the mistake, its place and the text are the same.
    public static func == (left: FetchPredicateError, right: FetchPredicateError) -> Bool {
        left.kind == right.kind && left.message == right.message && left.offset == right.offset
            && left.format == right.format && left.suggestion == right.suggestion
    }

    /// Hashes the message and the position of the mistake.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(message)
        hasher.combine(offset)
    }
}

extension FetchPredicateError: CustomStringConvertible {
    /// The message, the line of ``format`` that contains the mistake, and a caret below the mistake.
    public var description: String {
        let (line, column) = excerpt
        if line.isEmpty { return message }
        let padding = line.unicodeScalars.prefix(column).map { $0 == "\t" ? "\t" : " " }.joined()
        return "\(message)\n\(line)\n\(padding)^"
    }

    /// The line that contains the offset, at most about 100 scalars of it, and the offset's column in scalars.
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
