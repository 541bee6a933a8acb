package import ChordataModel

/// A condition on objects, in the language of Core Data's predicates.
///
/// A predicate knows nothing of a model until a fetch binds it to an entity; binding finds misspelt keys and wrong types
/// before anything runs.
public struct FetchPredicate: Sendable, Hashable {
    package let node: PredicateNode

    package init(_ node: PredicateNode) { self.node = node }
}

/// The tree of a predicate.
package indirect enum PredicateNode: Sendable, Hashable {
    /// `TRUEPREDICATE` and `FALSEPREDICATE`.
    case constant(Bool)
    case and([PredicateNode])
    case or([PredicateNode])
    case not(PredicateNode)
    case comparison(Comparison)

    package struct Comparison: Sendable, Hashable {
        package var left: ExpressionNode
        package var `operator`: ComparisonOperator
        package var options: ComparisonOptions
        package var right: ExpressionNode
        /// Where the operator stands in the text, in UTF-8 code units; 0 for predicates that have no text.
        package var offset: Int

        package init(
            _ left: ExpressionNode, _ operator: ComparisonOperator, _ right: ExpressionNode,
            options: ComparisonOptions = [], offset: Int = 0
        ) {
            self.left = left
            self.operator = `operator`
            self.options = options
            self.right = right
            self.offset = offset
        }
    }
}

package enum ComparisonOperator: String, Sendable, Hashable, CaseIterable {
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case between = "BETWEEN"
    case `in` = "IN"
    case contains = "CONTAINS"
    case beginsWith = "BEGINSWITH"
    case endsWith = "ENDSWITH"
    case like = "LIKE"
    case matches = "MATCHES"
}

/// The letters in brackets behind a string operator.
package struct ComparisonOptions: OptionSet, Sendable, Hashable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let caseInsensitive = ComparisonOptions(rawValue: 1)
    package static let diacriticInsensitive = ComparisonOptions(rawValue: 2)
    package static let normalized = ComparisonOptions(rawValue: 4)
    package static let localeSensitive = ComparisonOptions(rawValue: 8)
}

/// One side of a comparison.
package indirect enum ExpressionNode: Sendable, Hashable {
    case value(PredicateValue)
    /// A path of property names, and where it stands in the text.
    case keyPath([String], offset: Int)
    /// `$name`, and where it stands in the text.
    case variable(String, offset: Int)
    /// `SELF`.
    case evaluatedObject
    /// `{a, b, …}`.
    case aggregate([ExpressionNode])
}

/// A constant in a predicate.
package enum PredicateValue: Sendable, Hashable {
    case null
    case attribute(AttributeValue)
    /// An object, by the entity it was asked for and its key in the store.
    case object(ObjectReference)
    case collection([PredicateValue])
}

/// An object as a predicate knows it.
package struct ObjectReference: Sendable, Hashable {
    /// The topmost superentity: two references are to one object when root and key are equal.
    package var rootEntityName: String
    package var key: Int64

    package init(rootEntityName: String, key: Int64) {
        self.rootEntityName = rootEntityName
        self.key = key
    }
}
