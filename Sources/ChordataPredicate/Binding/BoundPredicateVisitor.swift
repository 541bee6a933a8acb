/// A visitor of all parts of bound predicates and expressions, in the order of their text.
///
/// A type implements the functions for the parts that it needs. The functions for parts that contain other parts call
/// ``visitParts(of:)-(BoundCollection)`` or ``visitParts(of:)-(BoundCollection.Generator)`` to visit these too.
package protocol BoundPredicateVisitor {
    mutating func visit(_ keyPath: BoundKeyPath)
    /// Visits a use of a variable that is not the beginning of a key path.
    mutating func visit(variable: Int)
    mutating func visit(_ generator: BoundCollection.Generator)
    /// Visits the collection of an aggregate function.
    mutating func visit(aggregated collection: BoundCollection)
}

extension BoundPredicateVisitor {
    package mutating func visit(variable _: Int) {}
    package mutating func visit(_ generator: BoundCollection.Generator) { visitParts(of: generator) }
    package mutating func visit(aggregated collection: BoundCollection) { visitParts(of: collection) }

    package mutating func visit(_ predicate: BoundPredicate) {
        switch predicate {
        case .constant, .keys: return
        case .and(let parts), .or(let parts): for part in parts { visit(part) }
        case .not(let part): visit(part)
        case .comparison(let comparison):
            visit(comparison.left)
            visit(comparison.right)
        case .exists(let collection): visitParts(of: collection)
        case .fullText(let search): for attribute in search.attributes { visit(attribute) }
        }
    }

    package mutating func visit(_ expression: BoundExpression) {
        switch expression {
        case .value: return
        case .keyPath(let path): visit(path)
        case .variable(let variable, _): visit(variable: variable)
        case .function(_, let arguments): for argument in arguments { visit(argument) }
        case .cast(let operand, _): visit(operand)
        case .conditional(let condition, let first, let second):
            visit(condition)
            visit(first)
            visit(second)
        case .aggregate(_, let collection): visit(aggregated: collection)
        case .element(let collection, let position):
            visitParts(of: collection)
            if case .at(let index) = position { visit(index) }
        }
    }

    package mutating func visitParts(of collection: BoundCollection) {
        for generator in collection.generators { visit(generator) }
        visit(collection.filter)
        visit(collection.element)
    }

    package mutating func visitParts(of generator: BoundCollection.Generator) {
        switch generator.source {
        case .relationship(let owner, _): visit(owner)
        case .list(let parts): for part in parts { visit(part) }
        }
    }
}
