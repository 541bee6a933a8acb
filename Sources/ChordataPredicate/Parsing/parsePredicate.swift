extension FetchPredicate {
    /// Reads a format string of Core Data's predicate language.
    ///
    /// `%@` stands for a value, `%K` for a key path, `%ld` and `%f` for numbers; none of them inside of quotes.
    ///
    /// ```swift
    /// let predicate = try FetchPredicate(format: "%K == %@ AND age > %ld", "list.title", "Home", 17)
    /// ```
    /// - Throws: ``PredicateError`` with the place of the mistake, and what was expected there.
    /// - Complexity: O(n) in the length of the format.
    public init(format: String, _ arguments: (any PredicateArgument)?...) throws(PredicateError) {
        try self.init(format: format, argumentArray: arguments)
    }

    /// Reads a format string of Core Data's predicate language, with its arguments in an array.
    /// - Throws: ``PredicateError`` with the place of the mistake, and what was expected there.
    /// - Complexity: O(n) in the length of the format.
    public init(format: String, argumentArray: [(any PredicateArgument)?]) throws(PredicateError) {
        let values = argumentArray.map { $0?.predicateArgumentValue.value ?? .null }
        self.init(try PredicateParser.parse(format, arguments: values), text: format)
    }
}
