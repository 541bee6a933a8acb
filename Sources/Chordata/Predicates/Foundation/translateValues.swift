internal import ChordataModel
internal import ChordataPredicate
internal import Foundation
internal import OrderedCollections

extension PredicateExpressions.Variable: TranslatableExpression {
    func translate(_ context: inout TranslationContext) throws(FetchPredicateError) -> TranslatedExpression {
        try context.meaning(of: key)
    }
}

extension PredicateExpressions.Value: TranslatableExpression {
    func translate(_ context: inout TranslationContext) throws(FetchPredicateError) -> TranslatedExpression {
        .constant(value)
    }
}

extension PredicateExpressions.KeyPath: TranslatableExpression {
    func translate(_ context: inout TranslationContext) throws(FetchPredicateError) -> TranslatedExpression {
        let base = try context.translate(root)
        if case .constant(let constant) = base, let object = constant as? Root.Output {
            return .constant(object[keyPath: keyPath])
        }
        let node = try base.value()
        if Root.Output.self is ManagedObject.Type {
            // The value of an object is its object ID.
            if Output.self == ManagedObjectID.self { return .value(node) }
            // Foundation supports only key paths with one component.
            if let keys = propertyKeys(of: keyPath) {
                let property = node.appending(keys)
                return .value(givesSeconds(keyPath) ? .cast(property, .number, offset: 0) : property)
            }
        } else if let step {
            if Root.Output.self is any StringProtocol.Type {
                switch step {
                case .count: return .value(.function(.length, [node], offset: 0))
                case .isEmpty:
                    return .condition(.comparison(.init(node, .equal, .value(.attribute(.string(""))))))
                case .first, .last: break
                }
            } else if isToMany(Root.Output.self) {
                switch step {
                case .count: return .value(node.appending(["@count"]))
                case .isEmpty:
                    let none = ExpressionNode.value(.attribute(.integer(0)))
                    return .condition(.comparison(.init(node.appending(["@count"]), .equal, none)))
                case .first where isOrdered(Root.Output.self): return .value(.element(node, .first, offset: 0))
                case .last: return .value(.element(node, .last, offset: 0))
                case .first: break
                }
            }
        }
        throw .unsupported(
            "'\(text(of: keyPath))' is not a property of the model; use a stored property, or filter the objects in your code"
        )
    }

    /// The collection property that the key path reads.
    private var step: CollectionStep? {
        switch kind {
        case .collectionCount: .count
        case .collectionIsEmpty: .isEmpty
        case .collectionFirst: .first
        case .bidirectionalCollectionLast: .last
        case nil: (Root.Output.self as? any SteppedCollection.Type)?.step(of: keyPath)
        @unknown default: nil
        }
    }
}

private enum CollectionStep {
    case count, isEmpty, first, last
}

/// A collection whose key paths Foundation does not recognize, because the collection declares these properties itself.
private protocol SteppedCollection {
    static func step(of keyPath: AnyKeyPath) -> CollectionStep?
}

extension OrderedSet: SteppedCollection {
    fileprivate static func step(of keyPath: AnyKeyPath) -> CollectionStep? {
        switch keyPath {
        case \OrderedSet<Element>.count: .count
        case \OrderedSet<Element>.isEmpty: .isEmpty
        case \OrderedSet<Element>.first: .first
        case \OrderedSet<Element>.last: .last
        default: nil
        }
    }
}

extension PredicateExpressions.Arithmetic: TranslatableExpression {
    func translate(_ context: inout TranslationContext) throws(FetchPredicateError) -> TranslatedExpression {
        let function: PredicateFunction =
            switch op {
            case .add: .add
            case .subtract: .subtract
            case .multiply: .multiply
            @unknown default:
                throw .unsupported(expression: "the operator '\(op)'")
            }
        return .value(.function(function, [try context.value(lhs), try context.value(rhs)], offset: 0))
    }
}

extension PredicateExpressions.IntDivision: TranslatableExpression {
    func translate(_ context: inout TranslationContext) throws(FetchPredicateError) -> TranslatedExpression {
        .value(.function(.divide, [try context.value(lhs), try context.value(rhs)], offset: 0))
    }
}

extension PredicateExpressions.FloatDivision: TranslatableExpression {
    func translate(_ context: inout TranslationContext) throws(FetchPredicateError) -> TranslatedExpression {
        .value(.function(.divide, [try context.value(lhs), try context.value(rhs)], offset: 0))
    }
}

extension PredicateExpressions.IntRemainder: TranslatableExpression {
    func translate(_ context: inout TranslationContext) throws(FetchPredicateError) -> TranslatedExpression {
        .value(.function(.modulus, [try context.value(lhs), try context.value(rhs)], offset: 0))
    }
}

extension PredicateExpressions.UnaryMinus: TranslatableExpression {
    func translate(_ context: inout TranslationContext) throws(FetchPredicateError) -> TranslatedExpression {
        let inner = try context.translate(wrapped)
        if case .constant(let constant) = inner, let number = constant as? Wrapped.Output { return .constant(-number) }
        return .value(.function(.negate, [try inner.value()], offset: 0))
    }
}

extension PredicateExpressions.ClosedRange: TranslatableExpression {
    func translate(_ context: inout TranslationContext) throws(FetchPredicateError) -> TranslatedExpression {
        .range(lower: try context.value(lower), upper: try context.value(upper), includesUpper: true)
    }
}

extension PredicateExpressions.Range: TranslatableExpression {
    func translate(_ context: inout TranslationContext) throws(FetchPredicateError) -> TranslatedExpression {
        .range(lower: try context.value(lower), upper: try context.value(upper), includesUpper: false)
    }
}

extension PredicateExpressions.RangeExpressionContains: TranslatableExpression {
    func translate(_ context: inout TranslationContext) throws(FetchPredicateError) -> TranslatedExpression {
        try context.contains(try context.translate(range), element)
    }
}

extension TranslationContext {
    /// Returns the condition that a value is in a range or in a collection.
    mutating func contains(
        _ collection: TranslatedExpression,
        _ element: some PredicateExpression
    ) throws(FetchPredicateError) -> TranslatedExpression {
        if case .range(let lower, let upper, let includesUpper) = collection {
            return .condition(.isBetween(try value(element), lower, upper, includesUpper: includesUpper))
        }
        if case .constant(let constant) = collection, let range = constant as? any CapturedRange {
            return try contains(range.translate(), element)
        }
        return .condition(.comparison(.init(try value(element), .in, try collection.value())))
    }
}
