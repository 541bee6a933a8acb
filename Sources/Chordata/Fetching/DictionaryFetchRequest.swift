public import ChordataModel
public import ChordataPredicate

/// A fetch request that returns dictionaries: properties and computed values of objects or of groups of objects.
///
/// ```swift
/// var request = Player.fetchRequest().sorted(by: "team.name").dictionaries
/// request.propertiesToFetch = [
///     "team.name", .expression("total", try FetchExpression(format: "sum:(salary)")),
/// ]
/// request.propertiesToGroupBy = ["team.name"]
/// request.havingPredicate = try FetchPredicate(format: "$total > 100000")
/// for row in try context.fetch(request) { print(row["team.name"] ?? "-", row["total"] ?? 0) }
/// ```
///
/// The values are read from the store or, for a child context, from its parent, so unsaved changes of the context
/// are not included (rule Q11 of <doc:Core-Data-Rules>). A value has the Swift type of its property; a Transformable
/// attribute is returned as its `Data`, a to-one relationship as a ``ManagedObjectID``. Properties without a value are
/// left out. Limit and offset count the rows of the result.
public struct DictionaryFetchRequest<Object: ManagedObject>: Sendable {
    /// The fetch request that selects and sorts the objects.
    public var request: FetchRequest<Object>
    /// The properties and expressions to return; if the array is empty, all stored attributes of the entity.
    public var propertiesToFetch: [PropertyToFetch] = []
    /// The properties to group by: attributes, to-one relationships, or key paths over to-one relationships that end in
    /// one of these.
    ///
    /// Each result is then a group of objects with equal values for these properties. Other properties can be fetched
    /// only inside aggregate functions, and cannot be sort keys (rule Q12 of <doc:Core-Data-Rules>).
    public var propertiesToGroupBy: [String] = []
    /// The predicate that a group must match; it requires ``propertiesToGroupBy``.
    ///
    /// It can use the properties of ``propertiesToGroupBy``, aggregate functions, and fetched expressions by name as
    /// variables, such as `$total`.
    public var havingPredicate: FetchPredicate?
    /// A Boolean value that indicates whether duplicate results are removed; the first one of each is kept (rule Q14 of
    /// <doc:Core-Data-Rules>).
    public var returnsDistinctResults = false
    /// Creates a request.
    /// - Parameter request: The fetch request; its predicate, sort keys, limit and offset are applied.
    public init(_ request: FetchRequest<Object>) { self.request = request }

    /// Adds properties and expressions to the results.
    /// - Parameter properties: Names or paths of properties, and named expressions; see ``propertiesToFetch``.
    /// - Returns: A copy of the request with the properties added.
    public func fetching(_ properties: PropertyToFetch...) -> DictionaryFetchRequest {
        var request = self
        request.propertiesToFetch += properties
        return request
    }

    /// Adds properties to group by.
    /// - Parameter properties: Names or paths of attributes and to-one relationships; see ``propertiesToGroupBy``.
    /// - Returns: A copy of the request with the properties added to ``propertiesToGroupBy``.
    public func grouped(by properties: String...) -> DictionaryFetchRequest {
        var request = self
        request.propertiesToGroupBy += properties
        return request
    }

    /// Adds a condition on groups.
    /// - Parameter predicate: The condition; see ``havingPredicate``.
    /// - Returns: A copy of the request with the condition; groups must match all added conditions.
    public func having(_ predicate: FetchPredicate) -> DictionaryFetchRequest {
        var request = self
        request.havingPredicate = havingPredicate.map { $0 && predicate } ?? predicate
        return request
    }
}

/// A property or an expression to fetch with a ``DictionaryFetchRequest``.
public enum PropertyToFetch: Sendable, Hashable {
    /// An attribute, a to-one relationship, or a key path over to-one relationships, such as `team.name`.
    ///
    /// The key in the result is the name or key path. The name `objectID` returns the object ID of the object.
    case property(String)
    /// A computed value, whose key in the result is its name.
    case expression(ExpressionDescription)

    /// Returns a computed value to fetch.
    ///
    /// The expression is computed for each object. Aggregate functions such as `sum:(salary)` and `count:(SELF)` are
    /// computed for all objects of a group; if ``DictionaryFetchRequest/propertiesToGroupBy`` is empty, all objects
    /// that the request selects are one group, and there is one result.
    /// - Parameters:
    ///   - name: The name of the value in the result.
    ///   - expression: The expression that computes the value.
    ///   - resultType: The type of the value; `nil` for the type of the expression. If the expression is only a key
    ///     path, the value has the type of its attribute. Otherwise numbers are `Int64`, `Double` or `Decimal`, and
    ///     other values have the type of the attribute that they are computed from, such as `String` or `Date`.
    /// - Returns: A property for ``DictionaryFetchRequest/propertiesToFetch``.
    public static func expression(_ name: String, _ expression: FetchExpression, as resultType: AttributeType? = nil)
        -> PropertyToFetch
    {
        .expression(ExpressionDescription(name: name, expression: expression, expressionResultType: resultType))
    }

    var name: String {
        switch self {
        case .property(let path): path
        case .expression(let description): description.name
        }
    }
}

extension PropertyToFetch: ExpressibleByStringLiteral {
    /// Creates a property to fetch from the name or key path of the property.
    public init(stringLiteral value: String) { self = .property(value) }
}

/// A description of a computed value of a ``DictionaryFetchRequest``.
public struct ExpressionDescription: Sendable, Hashable {
    /// The key of the value in the result, and the name of its variable in ``DictionaryFetchRequest/havingPredicate``.
    public var name: String
    /// The expression that computes the value.
    public var expression: FetchExpression
    /// The type of the value, or `nil` to use the type of the expression.
    public var expressionResultType: AttributeType?

    /// Creates a description.
    /// - Parameters:
    ///   - name: The name of the value in the result.
    ///   - expression: The expression that computes the value.
    ///   - expressionResultType: The type of the value; `nil` for the type of the expression.
    public init(name: String, expression: FetchExpression, expressionResultType: AttributeType? = nil) {
        self.name = name
        self.expression = expression
        self.expressionResultType = expressionResultType
    }
}
