import ChordataModel

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A record of whether bound predicates or expressions contain a time or a random number, so that binding them again
/// returns another result.
package final class TimeDependence {
    package fileprivate(set) var isFound = false

    package init() {}

    func record() { isFound = true }
}

/// Resolves the keys of a predicate or an expression and checks its types.
struct PredicateBinder {
    /// One side of a comparison with its keys resolved; indirect, so that each level uses little of the stack.
    indirect enum Operand {
        case value(PredicateValue)
        case scalar(Scalar)
        /// A to-many key path, a subquery, or a list that is followed by an operator.
        case collection(Collection)
        /// A list whose elements are not all constants.
        case list([Operand])
        /// A variable without a value; only while types are inferred.
        case variable(String, offset: Int)
    }

    /// One value of each object.
    struct Scalar {
        var expression: BoundExpression
        var type: ExpressionType
        /// Its notation, for messages.
        var node: ExpressionNode
        /// The expression to whose type constants on the other side are converted, if that is not ``expression``
        /// itself.
        var stand: BoundExpression?

        /// The key path for which a constant on the other side is converted.
        var comparedKeyPath: BoundKeyPath? { (stand ?? expression).comparedKeyPath }
    }

    /// Many values of each object.
    struct Collection {
        var collection: BoundCollection
        var elementType: ExpressionType
        var node: ExpressionNode

        /// One of the values.
        var element: Scalar { Scalar(expression: collection.element, type: elementType, node: node) }
    }

    /// The meaning of a `$variable` that the predicate itself defines.
    enum LocalVariable {
        /// An object of a SUBQUERY.
        case object(variable: Int, entityName: String)
        /// A value of a SUBQUERY over a list.
        case element(Scalar)
        /// A constant that was assigned by `:=`.
        case constant(PredicateValue)
        /// The value assigned by `:=`, with the variables at that place.
        case expression(ExpressionNode, variables: [String: LocalVariable])
    }

    let model: ManagedObjectModel
    let entity: EntityDescription
    let variables: [String: PredicateValue]
    let text: String
    /// The time that `now()` returns.
    let now: Date
    /// A Boolean value that indicates whether attributes that exist only in memory may be used.
    let allowsTransient: Bool
    /// The store in which the predicate is evaluated; `nil` if objects of any store may be compared.
    let store: StoreIdentity?
    /// The record of whether the result can be different each time; `nil` if it is not recorded.
    let timeDependence: TimeDependence?
    /// The inferred types of the variables; `nil` when they have values.
    var variableTypes: VariableTypes?
    /// A Boolean value that indicates whether constants with a fraction are computed as decimals, as they are written.
    var computesDecimals = false
    /// A Boolean value that indicates whether a function of many values may be a function of the rows of a group, as in
    /// the expressions of a dictionary fetch.
    var groupsRows = false
    /// The variables of the SUBQUERYs that contain the current part, and the variables that were assigned before it.
    var localVariables: [String: LocalVariable] = [:]
    private var generatorCount = 0
    /// The number of levels of the tree that are being bound, including those of assigned variables.
    private var depth = 0
    /// The number of assigned variables that are being bound, nested in each other's values.
    private var expansionDepth = 0
    /// The number of parts that were bound in place of assigned variables.
    private var expandedPartCount = 0

    init(
        model: ManagedObjectModel,
        entity: EntityDescription,
        variables: [String: PredicateValue] = [:],
        text: String,
        now: Date = Date(),
        allowsTransient: Bool = false,
        store: StoreIdentity? = nil,
        timeDependence: TimeDependence? = nil,
        variableTypes: VariableTypes? = nil
    ) {
        self.model = model
        self.entity = entity
        self.variables = variables
        self.text = text
        self.now = now
        self.allowsTransient = allowsTransient
        self.store = store
        self.timeDependence = timeDependence
        self.variableTypes = variableTypes
    }

    func fail(_ kind: FetchPredicateError.Kind, _ message: String, at offset: Int) -> FetchPredicateError {
        FetchPredicateError(kind, message, at: offset, in: text)
    }

    /// Returns a variable for another generator.
    mutating func makeGeneratorVariable() -> Int {
        generatorCount += 1
        return generatorCount - 1
    }

    // MARK: Limits

    /// The maximum number of parts that are bound in place of assigned variables, each of which repeats the assigned
    /// value.
    private static let maximumExpandedPartCount = 20_000

    /// Enters the next level of the tree.
    ///
    /// The tree itself is neither too deep nor too large. But the values of assigned variables are added to it, and may
    /// contain such variables again: in a long chain, in a cycle, or twice each time.
    mutating func enterLevel(at offset: TextOffset?) throws(FetchPredicateError) {
        depth += 1
        guard depth <= maximumBoundDepth else {
            throw fail(
                .malformed,
                "with the values of its variables, this predicate is nested deeper than \(maximumBoundDepth) levels",
                at: offset?.utf8 ?? 0
            )
        }
        guard expansionDepth > 0 else { return }
        expandedPartCount += 1
        guard expandedPartCount <= Self.maximumExpandedPartCount else {
            throw fail(
                .malformed,
                "the predicate has more than \(Self.maximumExpandedPartCount) subexpressions after each variable is replaced by the expression that is assigned to it; use the variables less often, or assign shorter expressions",
                at: offset?.utf8 ?? 0
            )
        }
    }

    mutating func leaveLevel() { depth -= 1 }

    /// Resolves the value of an assigned variable in the scope of its assignment.
    mutating func expand(
        _ value: ExpressionNode,
        _ variables: [String: LocalVariable]
    ) throws(FetchPredicateError) -> Operand {
        let outer = localVariables
        localVariables = variables
        expansionDepth += 1
        defer {
            localVariables = outer
            expansionDepth -= 1
        }
        return try resolve(value)
    }

    // MARK: Conditions

    mutating func bind(_ node: PredicateNode) throws(FetchPredicateError) -> BoundPredicate {
        try enterLevel(at: node.offset)
        defer { leaveLevel() }
        switch node {
        case .constant(let value): return .constant(value)
        case .and(let nodes): return .conjunction(try bind(nodes))
        case .or(let nodes): return .disjunction(try bind(nodes))
        case .not(let inner): return .negation(try bind(inner))
        case .comparison(let comparison): return try bind(comparison)
        }
    }

    private mutating func bind(_ nodes: [PredicateNode]) throws(FetchPredicateError) -> [BoundPredicate] {
        var result: [BoundPredicate] = []
        result.reserveCapacity(nodes.count)
        for node in nodes { result.append(try bind(node)) }
        return result
    }

    private mutating func bind(_ comparison: PredicateNode.Comparison) throws(FetchPredicateError) -> BoundPredicate {
        let offset = comparison.offset.utf8
        let options = comparison.options.effective
        var left = try resolve(comparison.left)
        var right = try resolve(comparison.right)
        if left.isDecimalAttribute {
            right = try resolveConstantsAsDecimals(comparison.right) ?? right
        } else if right.isDecimalAttribute {
            left = try resolveConstantsAsDecimals(comparison.left) ?? left
        }
        if case .scalar(let scalar) = left, comparison.modifier != .direct, scalar.isBehindToOne {
            // Core Data accepts ANY before a to-one relationship, which has only one object.
            let isMet = try compare(left, comparison.operator, options, right, at: offset)
            return comparison.modifier == .none ? .negation(isMet) : isMet
        }
        if comparison.modifier == .direct { return try compare(left, comparison.operator, options, right, at: offset) }
        if case .variable(let name, let place) = left, case .scalar(let scalar) = right, variableTypes != nil {
            try record(
                name,
                isCollection: true,
                allowsNil: comparison.operator.comparesWithNil,
                scalar,
                at: place
            )
            return .constant(true)
        }
        let many = try requireCollection(of: left, comparison.left, at: offset)
        let isMet = try compare(.scalar(many.element), comparison.operator, options, right, at: offset)
        switch comparison.modifier {
        case .direct, .any: return .exists(many.collection, where: isMet)
        case .none: return .negation(.exists(many.collection, where: isMet))
        case .all: return .negation(.exists(many.collection, where: .negation(isMet)))
        }
    }

    mutating func compare(
        _ left: Operand,
        _ operation: ComparisonOperator,
        _ options: ComparisonOptions,
        _ right: Operand,
        at offset: Int
    ) throws(FetchPredicateError) -> BoundPredicate {
        let (left, right) = (left.orNil, right.orNil)
        switch operation {
        case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual:
            return try compareScalars(left, operation, options, right, at: offset)
        case .between: return try compareBetween(left, options, right, at: offset)
        case .in: return try compareIn(left, options, right, at: offset)
        case .contains:
            switch left {
            case .collection(let many) where many.elementType == .string && many.node.isPlainPath:
                throw ambiguousText(many, at: offset)
            case .value(.collection), .list, .collection: return try compareIn(right, options, left, at: offset)
            case .variable(let name, let place):
                // `$names CONTAINS name` is `name IN $names`.
                if case .scalar(let scalar) = right {
                    try record(name, isCollection: true, allowsNil: true, scalar, at: place)
                }
                return .constant(true)
            case .value, .scalar: return try compareStrings(left, operation, options, right, at: offset)
            }
        case .beginsWith, .endsWith, .like, .matches:
            return try compareStrings(left, operation, options, right, at: offset)
        }
    }

    /// Records the type of a variable from the value that it is compared with.
    /// - Parameter allowsNil: A Boolean value that indicates whether the value, or for a collection each element, can
    ///   be nil.
    mutating func record(
        _ name: String,
        isCollection: Bool,
        allowsNil: Bool,
        _ scalar: Scalar,
        at offset: Int
    ) throws(FetchPredicateError) {
        guard var types = variableTypes else { return }
        try types.record(name, isCollection: isCollection, allowsNil: allowsNil, scalar, at: offset, binder: self)
        variableTypes = types
    }

    // MARK: Errors for many values

    /// Returns the error for many values where one is expected.
    func typeMismatch(_ collection: Collection, at offset: Int) -> FetchPredicateError {
        let written = printed(collection.node)
        return fail(
            .typeMismatch,
            "'\(written)' has many values where one is expected; write ANY, ALL or NONE before it, or use one of "
                + "'\(written).@count', '@sum', '@min' and '@max'",
            at: collection.node.offset?.utf8 ?? offset
        )
    }

    /// Returns the error for CONTAINS after the strings of a to-many relationship: Core Data searches for a part of any
    /// string, Foundation for an equal string.
    private func ambiguousText(_ collection: Collection, at offset: Int) -> FetchPredicateError {
        let written = printed(collection.node)
        return fail(
            .typeMismatch,
            "'\(written)' has many strings, so CONTAINS is ambiguous; write ANY \(written) CONTAINS … to search "
                + "within each string, or … IN \(written) to compare whole strings",
            at: collection.node.offset?.utf8 ?? offset
        )
    }

    /// Returns an expression as it is written in a format, with constants as `%@`.
    func printed(_ node: ExpressionNode) -> String {
        var printer = PredicatePrinter(hidesValues: true)
        _ = printer.print(node)
        return printer.text.count > 80 ? printer.text.prefix(80) + "…" : printer.text
    }
}

extension PredicateBinder.Operand {
    /// The operand, or the constant nil if it cannot have another value.
    fileprivate var orNil: PredicateBinder.Operand {
        if case .scalar(let scalar) = self, scalar.type == .null { return .value(.null) }
        return self
    }
}
