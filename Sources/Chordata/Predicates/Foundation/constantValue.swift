internal import ChordataModel
internal import ChordataPredicate

/// Returns a captured value as a value of a predicate.
func constantValue(of constant: Any) throws(FetchPredicateError) -> PredicateValue {
    if let argument = constant as? any PredicateArgument { return argument.predicateArgumentValue.value }
    if let character = constant as? Character { return .attribute(.string(String(character))) }
    // A type with a raw value does not need its own conformance.
    if let raw = constant as? any RawRepresentable, let argument = raw.rawValue as? any PredicateArgument {
        return argument.predicateArgumentValue.value
    }
    if let optional = constant as? any OptionalValue, optional.isNil { return .null }
    throw .unsupported(
        "a captured value of type '\(type(of: constant))' cannot be compared; make the type conform to PredicateArgument"
    )
}

/// An optional value of any type, which can be compared with nil.
private protocol OptionalValue {
    var isNil: Bool { get }
}

extension Optional: OptionalValue {
    fileprivate var isNil: Bool { self == nil }
}

/// A captured range of any kind.
protocol CapturedRange {
    /// Returns the bounds as a range of a predicate.
    func translate() throws(FetchPredicateError) -> TranslatedExpression
}

extension ClosedRange: CapturedRange {
    func translate() throws(FetchPredicateError) -> TranslatedExpression {
        .range(
            lower: .value(try constantValue(of: lowerBound)),
            upper: .value(try constantValue(of: upperBound)),
            includesUpper: true
        )
    }
}

extension Range: CapturedRange {
    func translate() throws(FetchPredicateError) -> TranslatedExpression {
        .range(
            lower: .value(try constantValue(of: lowerBound)),
            upper: .value(try constantValue(of: upperBound)),
            includesUpper: false
        )
    }
}

extension PartialRangeFrom: CapturedRange {
    func translate() throws(FetchPredicateError) -> TranslatedExpression {
        .range(lower: .value(try constantValue(of: lowerBound)), upper: nil, includesUpper: true)
    }
}

extension PartialRangeUpTo: CapturedRange {
    func translate() throws(FetchPredicateError) -> TranslatedExpression {
        .range(lower: nil, upper: .value(try constantValue(of: upperBound)), includesUpper: false)
    }
}

extension PartialRangeThrough: CapturedRange {
    func translate() throws(FetchPredicateError) -> TranslatedExpression {
        .range(lower: nil, upper: .value(try constantValue(of: upperBound)), includesUpper: true)
    }
}

extension PredicateNode {
    /// Returns the condition that a value is in a range.
    static func isBetween(
        _ value: ExpressionNode,
        _ lower: ExpressionNode?,
        _ upper: ExpressionNode?,
        includesUpper: Bool
    ) -> PredicateNode {
        if let lower, let upper, includesUpper { return .comparison(.init(value, .between, .list([lower, upper]))) }
        var parts: [PredicateNode] = []
        if let lower { parts.append(.comparison(.init(value, .greaterOrEqual, lower))) }
        if let upper { parts.append(.comparison(.init(value, includesUpper ? .lessOrEqual : .less, upper))) }
        return .conjunction(parts)
    }
}
