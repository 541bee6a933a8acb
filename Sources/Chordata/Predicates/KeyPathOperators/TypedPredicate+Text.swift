public import ChordataPredicate

/// Options for the comparison of strings in a typed predicate.
public struct TextOptions: OptionSet, Sendable, Hashable {
    /// The options as a bit mask.
    public let rawValue: UInt8

    /// Creates options from a bit mask.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// An option to ignore case, as with `[c]` in a predicate format.
    public static let caseInsensitive = TextOptions(rawValue: 1)
    /// An option to ignore diacritics, as with `[d]` in a predicate format.
    public static let diacriticInsensitive = TextOptions(rawValue: 2)

    fileprivate var comparisonOptions: ComparisonOptions {
        var options: ComparisonOptions = []
        if contains(.caseInsensitive) { options.insert(.caseInsensitive) }
        if contains(.diacriticInsensitive) { options.insert(.diacriticInsensitive) }
        return options
    }
}

/// A type of string property: `String` or `String?`.
public protocol PredicateText: PredicateArgument {}

extension String: PredicateText {}
extension Optional: PredicateText where Wrapped: PredicateText {}

extension TypedPredicate {
    /// Returns a predicate that is true if a string property contains a string.
    /// - Parameters:
    ///   - keyPath: A string property of the class.
    ///   - text: The string to find.
    ///   - options: The differences to ignore; none by default.
    public static func contains(
        _ keyPath: KeyPath<Object, some PredicateText>,
        _ text: String,
        _ options: TextOptions = []
    ) -> TypedPredicate {
        compare(keyPath, .contains, text, options)
    }

    /// Returns a predicate that is true if a string property begins with a string.
    /// - Parameters:
    ///   - keyPath: A string property of the class.
    ///   - text: The string at the beginning.
    ///   - options: The differences to ignore; none by default.
    public static func begins(
        _ keyPath: KeyPath<Object, some PredicateText>,
        with text: String,
        _ options: TextOptions = []
    ) -> TypedPredicate {
        compare(keyPath, .beginsWith, text, options)
    }

    /// Returns a predicate that is true if a string property ends with a string.
    /// - Parameters:
    ///   - keyPath: A string property of the class.
    ///   - text: The string at the end.
    ///   - options: The differences to ignore; none by default.
    public static func ends(
        _ keyPath: KeyPath<Object, some PredicateText>,
        with text: String,
        _ options: TextOptions = []
    ) -> TypedPredicate {
        compare(keyPath, .endsWith, text, options)
    }

    /// Returns a predicate that is true if a string property is equal to a string.
    ///
    /// Without options, the predicate is equivalent to `==`.
    /// - Parameters:
    ///   - keyPath: A string property of the class.
    ///   - text: The string to compare with.
    ///   - options: The differences to ignore.
    public static func equals(
        _ keyPath: KeyPath<Object, some PredicateText>,
        _ text: String,
        _ options: TextOptions
    ) -> TypedPredicate {
        compare(keyPath, .equal, text, options)
    }

    /// Returns a predicate that is true if a string property matches a pattern with wildcards.
    ///
    /// In the pattern, `*` matches any number of Unicode scalars, and `?` matches one.
    /// - Parameters:
    ///   - keyPath: A string property of the class.
    ///   - pattern: The pattern for the whole string.
    ///   - options: The differences to ignore; none by default.
    public static func like(
        _ keyPath: KeyPath<Object, some PredicateText>,
        _ pattern: String,
        _ options: TextOptions = []
    ) -> TypedPredicate {
        compare(keyPath, .like, pattern, options)
    }

    /// Returns a predicate that is true if the whole string of a property matches a regular expression.
    /// - Parameters:
    ///   - keyPath: A string property of the class.
    ///   - pattern: A regular expression.
    ///   - options: The differences to ignore; none by default.
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
