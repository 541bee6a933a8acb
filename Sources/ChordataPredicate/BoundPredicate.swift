package import ChordataModel

/// A predicate whose key paths are resolved against an entity, whose types fit, and whose variables have values.
package indirect enum BoundPredicate: Sendable, Hashable {
    case constant(Bool)
    case and([BoundPredicate])
    case or([BoundPredicate])
    case not(BoundPredicate)
    case comparison(BoundComparison)
}

package struct BoundComparison: Sendable, Hashable {
    package var left: BoundExpression
    package var `operator`: ComparisonOperator
    package var options: ComparisonOptions
    package var right: BoundExpression

    package init(
        left: BoundExpression, operator: ComparisonOperator, options: ComparisonOptions, right: BoundExpression
    ) {
        self.left = left
        self.operator = `operator`
        self.options = options
        self.right = right
    }
}

package indirect enum BoundExpression: Sendable, Hashable {
    /// A constant, already of the type it is compared with.
    case value(PredicateValue)
    case keyPath(BoundKeyPath)
    case aggregate([BoundExpression])
}

/// A way from an entity over to-one relationships to a property.
package struct BoundKeyPath: Sendable, Hashable {
    package enum Target: Sendable, Hashable {
        /// An attribute of the entity at the end of the way.
        case attribute(AttributeDescription)
        /// The object at the end of the way itself: `SELF`, or a to-one compared with an object or nil.
        case object
    }

    /// The entity the way begins at.
    package var entityName: String
    /// The to-one relationships on the way, in order.
    package var relationships: [RelationshipDescription]
    package var target: Target

    package init(entityName: String, relationships: [RelationshipDescription], target: Target) {
        self.entityName = entityName
        self.relationships = relationships
        self.target = target
    }

    /// The entity at the end of the way.
    package var targetEntityName: String { relationships.last?.destinationEntityName ?? entityName }
}
