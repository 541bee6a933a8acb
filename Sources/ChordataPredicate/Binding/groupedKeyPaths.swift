// What expressions of grouped rows are made of.

extension BoundExpression {
    /// A Boolean value that indicates whether a function of the rows of a group is in it.
    package var isOfGroup: Bool {
        var parts = GroupParts()
        parts.collect(self)
        return parts.hasAggregates
    }

    /// The ways from the rows themselves that are not inside of a function of a group's rows: each must be the same in
    /// all rows of one.
    package var groupedKeyPaths: Set<BoundKeyPath> {
        var parts = GroupParts()
        parts.collect(self)
        return parts.keyPaths
    }
}

extension BoundPredicate {
    /// The ways from the rows themselves that are not inside of a function of a group's rows: each must be the same in
    /// all rows of one.
    package var groupedKeyPaths: Set<BoundKeyPath> {
        var parts = GroupParts()
        parts.collect(self)
        return parts.keyPaths
    }
}

private struct GroupParts {
    var hasAggregates = false
    var keyPaths: Set<BoundKeyPath> = []

    mutating func collect(_ path: BoundKeyPath) {
        if path.root == nil { keyPaths.insert(path) }
    }

    mutating func collect(_ predicate: BoundPredicate) {
        switch predicate {
        case .constant: return
        case .and(let parts), .or(let parts): for part in parts { collect(part) }
        case .not(let part): collect(part)
        case .comparison(let comparison):
            collect(comparison.left)
            collect(comparison.right)
        case .exists(let collection): collect(collection)
        }
    }

    mutating func collect(_ expression: BoundExpression) {
        switch expression {
        case .value, .variable: return
        case .keyPath(let path): collect(path)
        case .function(_, let arguments): for argument in arguments { collect(argument) }
        case .cast(let operand, _): collect(operand)
        case .conditional(let condition, let first, let second):
            collect(condition)
            collect(first)
            collect(second)
        case .aggregate(_, let collection):
            if collection.generators.isEmpty { hasAggregates = true } else { collect(collection) }
        case .element(let collection, let position):
            collect(collection)
            if case .at(let index) = position { collect(index) }
        }
    }

    mutating func collect(_ collection: BoundCollection) {
        for generator in collection.generators {
            switch generator.source {
            case .relationship(let path, _):
                // The owner of the members: an object at the end of a path, or the row's own.
                var owner = path
                owner.target = .object
                collect(owner)
            case .list(let parts): for part in parts { collect(part) }
            }
        }
        collect(collection.filter)
        collect(collection.element)
    }
}
