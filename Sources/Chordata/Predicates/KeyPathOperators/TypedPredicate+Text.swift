public import ChordataPredicate

/// The differences that a comparison of strings ignores.
public struct TextOptions: OptionSet, Sendable, Hashable {
    /// The options as bits.
    public let rawValue: UInt8

    /// Creates options of bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The case of letters, as `[c]` does.
    public static let caseInsensitive = TextOptions(rawValue: 1)
    /// Accents and other marks, as `[d]` does.
    public static let diacriticInsensitive = TextOptions(rawValue: 2)

    fileprivate var comparisonOptions: ComparisonOptions {
        var options: ComparisonOptions = []
        if contains(.caseInsensitive) { options.insert(.caseInsensitive) }
        if contains(.diacriticInsensitive) { options.insert(.diacriticInsensitive) }
        return options
    }
}

/// The types of properties that hold text: `String` and `String?`.
public protocol PredicateText: PredicateArgument {}

extension String: PredicateText {}
extension Optional: PredicateText where Wrapped: PredicateText {}

extension TypedPredicate {
    /// The predicate that is met where the text contains another one.
    /// - Parameters:
    ///   - keyPath: A property of the class that holds text.
    ///   - text: The text to find.
    ///   - options: The differences that the comparison ignores; none by default.
    public static func contains(
        _ keyPath: KeyPath<Object, some PredicateText>,
        _ text: String,
        _ options: TextOptions = []
    ) -> TypedPredicate {
        compare(keyPath, .contains, text, options)
    }

    /// The predicate that is met where the text begins with another one.
    /// - Parameters:
    ///   - keyPath: A property of the class that holds text.
    ///   - text: The text at the beginning.
    ///   - options: The differences that the comparison ignores; none by default.
    public static func begins(
        _ keyPath: KeyPath<Object, some PredicateText>,
        with text: String,
        _ options: TextOptions = []
    ) -> TypedPredicate {
        compare(keyPath, .beginsWith, text, options)
    }

    /// The predicate that is met where the text ends with another one.
    /// - Parameters:
    ///   - keyPath: A property of the class that holds text.
    ///   - text: The text at the end.
    ///   - options: The differences that the comparison ignores; none by default.
    public static func ends(
        _ keyPath: KeyPath<Object, some PredicateText>,
        with text: String,
        _ options: TextOptions = []
    ) -> TypedPredicate {
        compare(keyPath, .endsWith, text, options)
    }

    /// Returns a predicate that is true if the string is equal to another string.
    ///
    /// Without options, it is equivalent to `==`.
    /// - Parameters:
    ///   - keyPath: A property of the class that holds text.
    ///   - text: The text to compare with.
    ///   - options: The differences that the comparison ignores.
    public static func equals(
        _ keyPath: KeyPath<Object, some PredicateText>,
        _ text: String,
        _ options: TextOptions
    ) -> TypedPredicate {
        compare(keyPath, .equal, text, options)
    }

    /// The predicate that is met where the text fits a pattern, in which `*` is any run and `?` any one scalar.
    /// - Parameters:
    ///   - keyPath: A property of the class that holds text.
    ///   - pattern: The pattern for the whole text.
    ///   - options: The differences that the comparison ignores; none by default.
    public static func like(
        _ keyPath: KeyPath<Object, some PredicateText>,
        _ pattern: String,
        _ options: TextOptions = []
    ) -> TypedPredicate {
        compare(keyPath, .like, pattern, options)
    }

    /// The predicate that is met where the whole text matches a regular expression.
    /// - Parameters:
    ///   - keyPath: A property of the class that holds text.
    ///   - pattern: A regular expression.
    ///   - options: The differences that the comparison ignores; none by default.
    public static func matches(
        _ keyPath: KeyPath<Object, some PredicateText>,
        _ pattern: String,
        _ options: TextOptions = []
    ) -> TypedPredicate {
        compare(keyPath, .matches, pattern, options)
    }

    private static func compare(
        _ keyPath: AnyKeyPath,
        _ operation: ComparisonOperator,
        _ text: String,
        _ options: TextOptions
    ) -> TypedPredicate {
        let options = options.comparisonOptions
        return TypedPredicate(
            .comparison(.init(ExpressionNode(keyPath), operation, ExpressionNode(text), options: options))
        )
    }
}
