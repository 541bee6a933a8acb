extension FetchPredicate {
    /// Reads a format string of Core Data's predicate language.
    ///
    /// `%@` is replaced by a value, `%K` by a key path, and `%ld` and `%f` by numbers. Inside quotation marks, they are
    /// ordinary text.
    ///
    /// ```swift
    /// let predicate = try FetchPredicate(format: "%K == %@ AND age > %ld", "list.title", "Home", 17)
    /// ```
    /// - Throws: ``FetchPredicateError`` with the position of the mistake, and what was expected there.
    /// - Complexity: O(n) in the length of the format.
    public init(format: String, _ arguments: (any PredicateArgument)?...) throws(FetchPredicateError) {
        try self.init(format: format, argumentArray: arguments)
    }

    /// Reads a format string of Core Data's predicate language, with its arguments in an array.
    /// - Throws: ``FetchPredicateError`` with the position of the mistake, and what was expected there.
    /// - Complexity: O(n) in the length of the format.
    public init(format: String, argumentArray: [(any PredicateArgument)?]) throws(FetchPredicateError) {
        let values = argumentArray.map { $0?.predicateArgumentValue.value ?? .null }
        self.init(try PredicateParser.parsePredicate(format, arguments: values), text: format)
    }
}

extension FetchExpression {
    /// Reads an expression of Core Data's predicate language.
    ///
    /// ```swift
    /// let total = try FetchExpression(format: "items.@sum.price + %ld", 5)
    /// ```
    /// - Throws: ``FetchPredicateError`` with the position of the mistake, and what was expected there.
    /// - Complexity: O(n) in the length of the format.
    public init(format: String, _ arguments: (any PredicateArgument)?...) throws(FetchPredicateError) {
        try self.init(format: format, argumentArray: arguments)
    }

    /// Reads an expression of Core Data's predicate language, with its arguments in an array.
    /// - Throws: ``FetchPredicateError`` with the position of the mistake, and what was expected there.
    /// - Complexity: O(n) in the length of the format.
    public init(format: String, argumentArray: [(any PredicateArgument)?]) throws(FetchPredicateError) {
        let values = argumentArray.map { $0?.predicateArgumentValue.value ?? .null }
        self.init(try PredicateParser.parseExpression(format, arguments: values), text: format)
    }
}
