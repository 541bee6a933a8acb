// The parts of expressions of grouped rows.

extension BoundExpression {
    /// A Boolean value that indicates whether the expression contains a function of the rows of a group.
    package var isOfGroup: Bool {
        var parts = GroupParts()
        parts.visit(self)
        return parts.hasAggregates
    }

    /// The key paths from the rows themselves that are not inside of a function of a group's rows: the value of each
    /// must be the same in all rows of a group.
    package var groupedKeyPaths: Set<BoundKeyPath> {
        var parts = GroupParts()
        parts.visit(self)
        return parts.keyPaths
    }
}

extension BoundPredicate {
    /// The key paths from the rows themselves that are not inside of a function of a group's rows: the value of each
    /// must be the same in all rows of a group.
    package var groupedKeyPaths: Set<BoundKeyPath> {
        var parts = GroupParts()
        parts.visit(self)
        return parts.keyPaths
    }
}

private struct GroupParts: BoundPredicateVisitor {
    var hasAggregates = false
    var keyPaths: Set<BoundKeyPath> = []

    mutating func visit(_ path: BoundKeyPath) {
        if path.root == nil { keyPaths.insert(path) }
    }

    mutating func visit(_ generator: BoundCollection.Generator) {
        guard case .relationship(var owner, _) = generator.source else { return visitParts(of: generator) }
        // The owner of the members: an object at the end of a path, or the row's own.
        owner.target = .object
        visit(owner)
    }

    mutating func visit(aggregated collection: BoundCollection) {
        if collection.generators.isEmpty { hasAggregates = true } else { visitParts(of: collection) }
    }
}
