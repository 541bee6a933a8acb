package import ChordataModel

/// A predicate whose key paths are resolved against an entity, whose types are compatible, and whose variables have
/// values.
///
/// A bound comparison has one of these forms, so the back ends need not handle other forms:
/// - two values of one type, of which at most the right one is a constant; the left one can be a constant only if it is
///   the text of a string operator;
/// - BETWEEN with a collection of two constants, neither of which is nil;
/// - IN with a collection of constants that is not empty and has no duplicates; it may contain nil.
///
/// Binding replaces ANY, ALL, NONE, and IN with a collection that is not constant with ``exists(_:)``.
package indirect enum BoundPredicate: Sendable, Hashable {
    case constant(Bool)
    case and([BoundPredicate])
    case or([BoundPredicate])
    case not(BoundPredicate)
    case comparison(BoundComparison)
    /// The condition that the collection has an element.
    case exists(BoundCollection)
    /// The objects that a full-text index finds.
    case fullText(BoundFullText)
    /// The objects whose row keys are in one of some ranges.
    case keys([ClosedRange<Int64>])
}

/// A search in a full-text index whose attributes are known.
package struct BoundFullText: Sendable, Hashable {
    package var query: FullTextQuery
    /// The entity whose user info declares the index.
    package var entityName: String
    /// The attributes of the index.
    package var attributes: [BoundKeyPath]
    /// A Boolean value that indicates whether the store has the index; otherwise, objects are searched in memory.
    package var isIndexed: Bool

    /// - Throws: ``FetchPredicateError`` if the query names an attribute that is not part of the index.
    package init(
        _ query: FullTextQuery,
        _ declaration: FullTextDeclaration,
        isIndexed: Bool,
        in model: ManagedObjectModel
    ) throws(FetchPredicateError) {
        let names = declaration.attributeNames
        for (name, offset) in query.attributeNames where !names.contains(name) {
            throw query.unknownAttribute(name, at: offset, of: declaration.entityName, indexed: names)
        }
        self.query = query
        entityName = declaration.entityName
        self.isIndexed = isIndexed
        attributes = []
        for name in names { attributes.append(try bindSortKeyPath(name, to: declaration.entityName, in: model)) }
    }
}

/// A comparison whose sides have compatible types.
package struct BoundComparison: Sendable, Hashable {
    package var left: BoundExpression
    package var `operator`: ComparisonOperator
    /// The options of the comparison: `c` and `d` if strings are compared, otherwise none.
    package var options: ComparisonOptions
    package var right: BoundExpression

    package init(
        left: BoundExpression,
        operator: ComparisonOperator,
        options: ComparisonOptions,
        right: BoundExpression
    ) {
        self.left = left
        self.operator = `operator`
        self.options = options
        self.right = right
    }
}

extension BoundPredicate {
    /// The parts that must all match, or the predicate itself.
    package var conjuncts: [BoundPredicate] {
        if case .and(let parts) = self { return parts }
        return [self]
    }

    /// The search in a full-text index, which is a part that must match.
    package var fullText: BoundFullText? {
        for case .fullText(let search) in conjuncts { return search }
        return nil
    }

    /// The predicate, with its full-text search evaluated in memory instead of with the index.
    package var withoutFullTextIndex: BoundPredicate {
        guard fullText != nil else { return self }
        return .conjunction(
            conjuncts.map { part in
                guard case .fullText(var search) = part else { return part }
                search.isIndexed = false
                return .fullText(search)
            }
        )
    }

    /// Returns the condition that an object is one of the given objects, which all belong to one hierarchy.
    package static func isObject(of entityName: String, among objects: [PredicateValue]) -> BoundPredicate {
        guard !objects.isEmpty else { return .constant(false) }
        let path = BoundKeyPath(entityName: entityName, relationships: [], target: .object)
        return .comparison(
            BoundComparison(left: .keyPath(path), operator: .in, options: [], right: .value(.collection(objects)))
        )
    }

    /// Returns the predicates joined by AND, without redundant constants and nesting.
    package static func conjunction(_ predicates: [BoundPredicate]) -> BoundPredicate {
        var parts: [BoundPredicate] = []
        for predicate in predicates {
            switch predicate {
            case .constant(true): continue
            case .constant(false): return predicate
            case .and(let inner): parts += inner
            case .or, .not, .comparison, .exists, .fullText, .keys: parts.append(predicate)
            }
        }
        if parts.isEmpty { return .constant(true) }
        return parts.count == 1 ? parts[0] : .and(parts)
    }

    /// Returns the predicates joined by OR, without redundant constants and nesting.
    static func disjunction(_ predicates: [BoundPredicate]) -> BoundPredicate {
        var parts: [BoundPredicate] = []
        for predicate in predicates {
            switch predicate {
            case .constant(false): continue
            case .constant(true): return predicate
            case .or(let inner): parts += inner
            case .and, .not, .comparison, .exists, .fullText, .keys: parts.append(predicate)
            }
        }
        if parts.isEmpty { return .constant(false) }
        return parts.count == 1 ? parts[0] : .or(parts)
    }

    /// Returns the predicate that is met exactly if the given predicate is not met.
    static func negation(_ predicate: BoundPredicate) -> BoundPredicate {
        switch predicate {
        case .constant(let value): .constant(!value)
        case .not(let inner): inner
        case .and, .or, .comparison, .exists, .fullText, .keys: .not(predicate)
        }
    }

    /// Returns the predicate that the collection has an element that meets a condition.
    static func exists(_ collection: BoundCollection, where condition: BoundPredicate) -> BoundPredicate {
        var collection = collection
        collection.filter = .conjunction([collection.filter, condition])
        if case .constant(false) = collection.filter { return .constant(false) }
        return .exists(collection)
    }
}
