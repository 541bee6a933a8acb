internal import ChordataModel
internal import ChordataPredicate
internal import ChordataSQL

/// A property of other objects that a condition or an order depends on.
struct FetchDependency: Hashable {
    /// The relationships to the other objects, at least one.
    let path: [RelationshipDescription]
    /// The property; `nil` if the dependency is the set of the other objects, not a property of them.
    let propertyName: String?

    /// The entity of the other objects.
    var entityName: String { path[path.count - 1].destinationEntityName }
}

extension BoundFetchRequest {
    /// A Boolean value that indicates whether the condition or the order depends on other objects.
    var crossesRelationships: Bool { !dependencies.isEmpty }

    /// The paths of relationships that the condition and the order follow.
    var crossedPaths: [[String]] { Set(dependencies.map { $0.path.map(\.name) }).sorted { $0.joined() < $1.joined() } }

    /// The dependencies of the condition and the order, apart from the objects themselves.
    var dependencies: Set<FetchDependency> {
        var dependencies: Set<FetchDependency> = []
        for term in sortTerms { dependencies.formUnion(term.keyPath.dependencies) }
        if let predicate { dependencies.formUnion(predicate.dependencies) }
        return dependencies
    }
}

extension BoundPredicate {
    /// A Boolean value that indicates whether the condition depends on other objects.
    var crossesRelationships: Bool { !dependencies.isEmpty }

    fileprivate var dependencies: Set<FetchDependency> {
        var collector = DependencyCollector()
        collector.visit(self)
        return collector.dependencies
    }
}

extension BoundKeyPath {
    /// The dependencies of the value at the end, apart from the object at the beginning of the path.
    var dependencies: Set<FetchDependency> {
        var collector = DependencyCollector()
        collector.visit(self)
        return collector.dependencies
    }
}

extension BoundExpression {
    /// The dependencies of the value, apart from the object itself.
    var dependencies: Set<FetchDependency> {
        var collector = DependencyCollector()
        collector.visit(self)
        return collector.dependencies
    }
}

private struct DependencyCollector: BoundPredicateVisitor {
    var dependencies: Set<FetchDependency> = []
    /// The path to each variable of a collection.
    private var pathsOfVariables: [Int: [RelationshipDescription]] = [:]

    mutating func visit(_ keyPath: BoundKeyPath) {
        let start = path(toRootOf: keyPath)
        let path = start + keyPath.relationships
        let attribute: String? =
            switch keyPath.target {
            case .attribute: keyPath.attributePath.joined(separator: ".")
            // The key of an object at the end of a to-one relationship is in the row that references the object, and
            // the entity of an object never changes.
            case .object, .entityName: nil
            }
        for length in start.count...path.count where length > 0 {
            let property = length < path.count ? path[length].name : attribute
            if let property {
                dependencies.insert(FetchDependency(path: Array(path[..<length]), propertyName: property))
            }
        }
    }

    private func path(toRootOf keyPath: BoundKeyPath) -> [RelationshipDescription] {
        keyPath.root.flatMap { pathsOfVariables[$0] } ?? []
    }

    mutating func visit(_ generator: BoundCollection.Generator) {
        visitParts(of: generator)
        guard case .relationship(let owner, let relationship) = generator.source else { return }
        let path = path(toRootOf: owner) + owner.relationships
        if !path.isEmpty { dependencies.insert(FetchDependency(path: path, propertyName: relationship.name)) }
        let members = path + [relationship]
        dependencies.insert(FetchDependency(path: members, propertyName: nil))
        pathsOfVariables[generator.variable] = members
    }
}
