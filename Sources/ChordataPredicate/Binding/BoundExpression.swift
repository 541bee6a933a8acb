package import ChordataModel

/// A value whose key paths are resolved and whose types are compatible.
package indirect enum BoundExpression: Sendable, Hashable {
    /// A constant; in a comparison, it already has the type with which it is compared.
    case value(PredicateValue)
    case keyPath(BoundKeyPath)
    /// The current element of a list in a ``BoundCollection``.
    case variable(Int, isObject: Bool)
    /// A function of values; the constants `now` and `random` have become values.
    case function(PredicateFunction, [BoundExpression])
    case cast(BoundExpression, CastType)
    case conditional(BoundPredicate, BoundExpression, BoundExpression)
    /// A function of all elements.
    case aggregate(CollectionFunction, BoundCollection)
    /// One element, or nil.
    case element(BoundCollection, BoundPosition)

    /// A Boolean value that indicates whether the value is an object, or nil where an object is expected.
    package var isObject: Bool {
        switch self {
        case .value(.object): true
        case .value, .aggregate, .cast: false
        case .keyPath(let path): path.target == .object
        case .variable(_, let isObject): isObject
        case .function(let function, let arguments): function == .noIndex && arguments[0].isObject
        case .conditional(_, let first, let second): first.isObject || second.isObject
        case .element(let collection, _): collection.element.isObject
        }
    }

    /// The key path for which a constant on the other side of a comparison is converted.
    var comparedKeyPath: BoundKeyPath? {
        switch self {
        case .keyPath(let path): path
        case .function(.noIndex, let arguments): arguments[0].comparedKeyPath
        case .element(let collection, _): collection.element.comparedKeyPath
        case .value, .variable, .function, .cast, .conditional, .aggregate: nil
        }
    }
}

/// The selected element, counted from 0.
package enum BoundPosition: Sendable, Hashable {
    case first, last
    case at(BoundExpression)
}

/// The values that nested loops over collections yield, without the elements for which a condition is false.
///
/// `SUBQUERY(items, $i, $i.done == NO).tags.name` iterates over the items and, for each of them, its tags, filters by
/// the items' `done`, and has the tags' names as elements. The result is flat: one value for each pair of item and tag,
/// including equal ones.
package struct BoundCollection: Sendable, Hashable {
    /// One of the nested loops, whose variable is one element after the other.
    package struct Generator: Sendable, Hashable {
        package enum Source: Sendable, Hashable {
            /// A to-many relationship of the object at the end of a path.
            case relationship(BoundKeyPath, RelationshipDescription)
            case list([BoundExpression])
        }

        package var variable: Int
        package var source: Source
    }

    /// The loops, the outermost first; empty if the values are those of a group of rows, one value for each row.
    package var generators: [Generator]
    package var filter: BoundPredicate
    package var element: BoundExpression
    /// A Boolean value that indicates whether equal elements count once.
    package var isDistinct: Bool

    /// A Boolean value that indicates whether the elements have an order.
    var isOrdered: Bool {
        guard generators.count == 1 else { return false }
        switch generators[0].source {
        case .relationship(_, let relationship): return relationship.isOrdered
        case .list: return true
        }
    }
}
