public import ChordataModel
public import ChordataPredicate

/// A request for values by name: properties of objects, and what is computed of them or of groups of them.
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
/// It is the store that is asked, so unsaved changes do not count (rule Q11 of <doc:Core-Data-Rules>). Values are of
/// the Swift types that properties have, encoded ones their `Data`, those of to-one relationships a
/// ``ManagedObjectID``; what has no value is left out. Limit and offset are of rows of the result.
public struct DictionaryFetchRequest<Object: ManagedObject>: Sendable {
    /// The objects to fetch.
    public var request: FetchRequest<Object>
    /// The properties and expressions of the results; all stored attributes of the entity if it is empty.
    public var propertiesToFetch: [PropertyToFetch] = []
    /// The properties that are equal in all objects of one result: attributes and to-one relationships, or such at the
    /// end of a path over to-one relationships.
    ///
    /// What is fetched then, and not one of them, is computed of groups; so is what is sorted by (rule Q12 of
    /// <doc:Core-Data-Rules>).
    public var propertiesToGroupBy: [String] = []
    /// The condition on groups: it uses the properties of ``propertiesToGroupBy``, functions of groups, and fetched
    /// expressions, by their names as variables.
    public var havingPredicate: FetchPredicate?
    /// A Boolean value that indicates whether equal results come once, in the place of the first (rule Q14 of
    /// <doc:Core-Data-Rules>).
    public var returnsDistinctResults = false
    /// Creates a request.
    /// - Parameter request: The objects to fetch; its predicate, order, limit and offset count.
    public init(_ request: FetchRequest<Object>) { self.request = request }

    /// Adds properties and expressions to the results.
    /// - Parameter properties: Names or paths of properties, and named expressions; see ``propertiesToFetch``.
    /// - Returns: A copy of the request with the properties added.
    public func fetching(_ properties: PropertyToFetch...) -> DictionaryFetchRequest {
        var request = self
        request.propertiesToFetch += properties
        return request
    }

    /// Adds properties that are equal in all objects of one result.
    /// - Parameter properties: Names or paths of attributes and to-one relationships; see ``propertiesToGroupBy``.
    /// - Returns: A copy of the request that groups by the properties too.
    public func grouped(by properties: String...) -> DictionaryFetchRequest {
        var request = self
        request.propertiesToGroupBy += properties
        return request
    }

    /// Adds a condition on groups.
    /// - Parameter predicate: The condition; see ``havingPredicate``.
    /// - Returns: A copy of the request with the condition; groups must meet all conditions that were added.
    public func having(_ predicate: FetchPredicate) -> DictionaryFetchRequest {
        var request = self
        request.havingPredicate = havingPredicate.map { $0 && predicate } ?? predicate
        return request
    }
}

/// One of the values of a ``DictionaryFetchRequest``.
public enum PropertyToFetch: Sendable, Hashable {
    /// An attribute, a to-one relationship, or one of these at the end of a path over to-one relationships, under that
    /// path: `team.name`; `objectID` is the object itself.
    case property(String)
    /// A computed value with a name.
    case expression(ExpressionDescription)

    /// Returns a computed value of a dictionary result.
    ///
    /// It is computed for each object, or by functions such as `sum:(salary)` and `count:(SELF)` of all objects of a
    /// group.
    /// - Parameters:
    ///   - name: The name of the value in the result.
    ///   - expression: The expression that computes the value.
    ///   - resultType: The type of the value; without one it is `Int64`, `Double`, `Decimal`, `String`, or that of the
    ///     attribute.
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
    /// Creates a property to fetch from its name, or from a path to it.
    public init(stringLiteral value: String) { self = .property(value) }
}

/// A computed value of a ``DictionaryFetchRequest``.
public struct ExpressionDescription: Sendable, Hashable {
    /// The name of the value in the result, and as a variable in ``DictionaryFetchRequest/havingPredicate``.
    public var name: String
    /// The expression that computes the value.
    public var expression: FetchExpression
    /// The type of the value, or `nil` to use the type of the expression.
    public var expressionResultType: AttributeType?

    /// Creates a description.
    /// - Parameters:
    ///   - name: The name of the value in the result.
    ///   - expression: The expression that computes the value.
    ///   - expressionResultType: The type of the value; `nil` for that of the expression.
    public init(name: String, expression: FetchExpression, expressionResultType: AttributeType? = nil) {
        self.name = name
        self.expression = expression
        self.expressionResultType = expressionResultType
    }
}
