internal import ChordataModel
internal import ChordataPredicate
internal import ChordataSQL

extension BoundFetchRequest {
    /// Whether the condition or the order depends on other objects.
    var crossesRelationships: Bool { !relatedEntityNames.isEmpty }

    /// The entities whose objects the condition or the order depends on, apart from the objects themselves.
    var relatedEntityNames: Set<String> {
        var names: Set<String> = []
        for term in sortTerms { term.keyPath.collectRelatedEntityNames(into: &names) }
        predicate?.collectRelatedEntityNames(into: &names)
        return names
    }
}

extension BoundPredicate {
    /// Whether the condition depends on other objects.
    var crossesRelationships: Bool {
        var names: Set<String> = []
        collectRelatedEntityNames(into: &names)
        return !names.isEmpty
    }

    fileprivate func collectRelatedEntityNames(into names: inout Set<String>) {
        switch self {
        case .constant: return
        case .and(let parts), .or(let parts): for part in parts { part.collectRelatedEntityNames(into: &names) }
        case .not(let part): part.collectRelatedEntityNames(into: &names)
        case .comparison(let comparison):
            comparison.left.collectRelatedEntityNames(into: &names)
            comparison.right.collectRelatedEntityNames(into: &names)
        case .exists(let collection): collection.collectRelatedEntityNames(into: &names)
        }
    }
}

extension BoundKeyPath {
    fileprivate func collectRelatedEntityNames(into names: inout Set<String>) {
        // The object at the end of a to-one is known by the key in the row before it.
        let crossed = target == .object ? relationships.dropLast() : relationships[...]
        for relationship in crossed { names.insert(relationship.destinationEntityName) }
    }
}

extension BoundExpression {
    fileprivate func collectRelatedEntityNames(into names: inout Set<String>) {
        switch self {
        case .value, .variable: return
        case .keyPath(let path): path.collectRelatedEntityNames(into: &names)
        case .function(_, let arguments):
            for argument in arguments { argument.collectRelatedEntityNames(into: &names) }
        case .cast(let operand, _): operand.collectRelatedEntityNames(into: &names)
        case .conditional(let condition, let first, let second):
            condition.collectRelatedEntityNames(into: &names)
            first.collectRelatedEntityNames(into: &names)
            second.collectRelatedEntityNames(into: &names)
        case .aggregate(_, let collection): collection.collectRelatedEntityNames(into: &names)
        case .element(let collection, let position):
            collection.collectRelatedEntityNames(into: &names)
            if case .at(let index) = position { index.collectRelatedEntityNames(into: &names) }
        }
    }
}

extension BoundCollection {
    fileprivate func collectRelatedEntityNames(into names: inout Set<String>) {
        for generator in generators {
            switch generator.source {
            case .relationship(let path, let relationship):
                path.collectRelatedEntityNames(into: &names)
                names.insert(relationship.destinationEntityName)
            case .list(let parts): for part in parts { part.collectRelatedEntityNames(into: &names) }
            }
        }
        filter.collectRelatedEntityNames(into: &names)
        element.collectRelatedEntityNames(into: &names)
    }
}
