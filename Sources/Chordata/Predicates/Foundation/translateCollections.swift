internal import ChordataModel
internal import ChordataPredicate
internal import Foundation

/// Returns a Boolean value that indicates whether a type is the type of a to-many relationship.
func isToMany(_ type: Any.Type) -> Bool {
    func elementIsObject<Many: Sequence>(_ type: Many.Type) -> Bool { Many.Element.self is ManagedObject.Type }
    guard let type = type as? any Sequence.Type else { return false }
    return elementIsObject(type)
}

/// Returns a Boolean value that indicates whether the elements of a to-many relationship of that type have an order.
func isOrdered(_ type: Any.Type) -> Bool { type is any BidirectionalCollection.Type }

extension TranslationContext {
    /// Returns the expression of a to-many relationship, or of its elements that meet a condition.
    fileprivate mutating func toMany<Many: Sequence>(
        _ sequence: some PredicateExpression<Many>,
        _ node: TranslatedExpression
    ) throws(FetchPredicateError) -> ExpressionNode {
        guard Many.Element.self is ManagedObject.Type else {
            throw .unsupported(
                "'\(name(of: sequence))' is not a to-many relationship, so its elements cannot be tested; use a to-many relationship, or filter the objects in your code"
            )
        }
        return try node.value()
    }

    /// Returns the condition of a closure on a collection's elements, with the collection and the element's variable.
    ///
    /// A collection that is already filtered keeps its variable, and the conditions are combined.
    fileprivate mutating func condition<Many: Sequence>(
        on sequence: some PredicateExpression<Many>,
        _ translated: TranslatedExpression,
        _ variable: PredicateExpressions.VariableID,
        _ test: some PredicateExpression<Bool>
    ) throws(FetchPredicateError) -> ElementCondition {
        let node = try toMany(sequence, translated)
        if case .subquery(let base, let name, let first, _) = node {
            let test = try translate(test, variable, as: .value(.variable(name, offset: 0))).condition()
            return ElementCondition(collection: base, variable: name, filter: first, test: test)
        }
        let name = newVariableName()
        let test = try translate(test, variable, as: .value(.variable(name, offset: 0))).condition()
        return ElementCondition(collection: node, variable: name, filter: nil, test: test)
    }
}

private struct ElementCondition {
    let collection: ExpressionNode
    let variable: String
    /// The earlier filter of the elements.
    let filter: PredicateNode?
    let test: PredicateNode

    var joined: PredicateNode { .conjunction((filter.map { [$0] } ?? []) + [test]) }
}

extension PredicateExpressions.SequenceContains: TranslatableExpression {
    func translate(_ context: inout TranslationContext) throws(FetchPredicateError) -> TranslatedExpression {
        let collection = try context.translate(sequence)
        if LHS.Output.self is any StringProtocol.Type {
            let character = try context.value(element)
            return .condition(.comparison(.init(try collection.value(), .contains, character)))
        }
        if case .value(let node) = collection {
            return .condition(.isElement(try context.value(element), of: node))
        }
        return try context.contains(collection, element)
    }
}

extension PredicateNode {
    /// Returns the condition that an object is a member of a to-many relationship, filtered or not.
    static func isElement(_ element: ExpressionNode, of collection: ExpressionNode) -> PredicateNode {
        guard case .subquery(let base, let name, let filter, _) = collection else {
            return .comparison(.init(element, .in, collection))
        }
        let test = PredicateNode.comparison(.init(.variable(name, offset: 0), .equal, element))
        return .any(base, name, .conjunction([filter, test]))
    }
}

extension PredicateExpressions.SequenceContainsWhere: TranslatableExpression {
    func translate(_ context: inout TranslationContext) throws(FetchPredicateError) -> TranslatedExpression {
        let collection = try context.translate(sequence)
        if case .constant(let constant) = collection, let elements = constant as? LHS.Output {
            var parts: [PredicateNode] = []
            for element in elements {
                parts.append(try context.translate(test, variable.key, as: .constant(element)).condition())
            }
            return .condition(.disjunction(parts))
        }
        let condition = try context.condition(on: sequence, collection, variable.key, test)
        return .condition(.any(condition.collection, condition.variable, condition.joined))
    }
}

extension PredicateExpressions.SequenceAllSatisfy: TranslatableExpression {
    func translate(_ context: inout TranslationContext) throws(FetchPredicateError) -> TranslatedExpression {
        let collection = try context.translate(sequence)
        if case .constant(let constant) = collection, let elements = constant as? LHS.Output {
            var parts: [PredicateNode] = []
            for element in elements {
                parts.append(try context.translate(test, variable.key, as: .constant(element)).condition())
            }
            return .condition(.conjunction(parts))
        }
        let condition = try context.condition(on: sequence, collection, variable.key, test)
        guard let filter = condition.filter else {
            return .condition(.all(condition.collection, condition.variable, condition.test))
        }
        let failure = PredicateNode.conjunction([filter, .not(condition.test)])
        return .condition(.none(condition.collection, condition.variable, failure))
    }
}

extension PredicateExpressions.Filter: TranslatableExpression {
    func translate(_ context: inout TranslationContext) throws(FetchPredicateError) -> TranslatedExpression {
        let collection = try context.translate(sequence)
        if case .constant = collection { return try evaluateConstant("'filter'") }
        let condition = try context.condition(on: sequence, collection, variable.key, filter)
        return .value(
            .subquery(condition.collection, variable: condition.variable, condition.joined, offset: 0)
        )
    }
}

extension PredicateExpressions.SequenceMinimum: TranslatableExpression {
    func translate(_ context: inout TranslationContext) throws(FetchPredicateError) -> TranslatedExpression {
        if case .constant = try context.translate(elements) { return try evaluateConstant("'min()'") }
        throw .unsupported(expression: "'\(context.name(of: elements)).min()'")
    }
}

extension PredicateExpressions.SequenceMaximum: TranslatableExpression {
    func translate(_ context: inout TranslationContext) throws(FetchPredicateError) -> TranslatedExpression {
        if case .constant = try context.translate(elements) { return try evaluateConstant("'max()'") }
        throw .unsupported(expression: "'\(context.name(of: elements)).max()'")
    }
}

extension PredicateExpressions.CollectionIndexSubscript: TranslatableExpression {
    func translate(_ context: inout TranslationContext) throws(FetchPredicateError) -> TranslatedExpression {
        let collection = try context.translate(wrapped)
        if case .constant = collection { return try evaluateConstant("a subscript") }
        guard isToMany(Wrapped.Output.self), case .constant(let index as Int) = try context.translate(index) else {
            throw .unsupported(expression: "'\(context.name(of: wrapped))[…]'")
        }
        return .value(
            .element(try collection.value(), .at(.value(.attribute(.integer(Int64(index))))), offset: 0)
        )
    }
}

extension PredicateExpressions.CollectionRangeSubscript: TranslatableExpression {
    func translate(_ context: inout TranslationContext) throws(FetchPredicateError) -> TranslatedExpression {
        if case .constant = try context.translate(wrapped) { return try evaluateConstant("a subscript") }
        throw .unsupported(expression: "'\(context.name(of: wrapped))[…]'")
    }
}

extension PredicateExpressions.DictionaryKeySubscript: TranslatableExpression {
    func translate(_ context: inout TranslationContext) throws(FetchPredicateError) -> TranslatedExpression {
        if case .constant = try context.translate(wrapped) { return try evaluateConstant("a subscript") }
        throw .unsupported(expression: "'\(context.name(of: wrapped))[…]'")
    }
}

extension PredicateExpressions.DictionaryKeyDefaultValueSubscript: TranslatableExpression {
    func translate(_ context: inout TranslationContext) throws(FetchPredicateError) -> TranslatedExpression {
        if case .constant = try context.translate(wrapped) { return try evaluateConstant("a subscript") }
        throw .unsupported(expression: "'\(context.name(of: wrapped))[…]'")
    }
}
