package import ChordataModel

/// The key paths of a condition that begin at the evaluated object itself, not at a variable.
package struct RootPaths: BoundPredicateVisitor {
    /// A Boolean value that indicates whether the condition uses the objects of a to-many relationship.
    package private(set) var hasCollections = false
    package private(set) var entityName = ""
    /// The to-one relationships with which all key paths begin; `nil` if there is no key path.
    package private(set) var commonPrefix: [RelationshipDescription]?
    private var usedVariables: Set<Int> = []
    /// The variables of the condition's own collections.
    private var ownVariables: Set<Int> = []

    package init(of predicate: BoundPredicate) { visit(predicate) }

    /// A Boolean value that indicates whether the condition depends on the element of an enclosing collection.
    package var dependsOnVariables: Bool { !usedVariables.isSubset(of: ownVariables) }

    package mutating func visit(_ path: BoundKeyPath) {
        if let variable = path.root { return visit(variable: variable) }
        entityName = path.entityName
        guard let known = commonPrefix else {
            commonPrefix = path.relationships
            return
        }
        commonPrefix = zip(known, path.relationships).prefix { $0 == $1 }.map(\.0)
    }

    package mutating func visit(variable: Int) { usedVariables.insert(variable) }

    package mutating func visit(_ generator: BoundCollection.Generator) {
        ownVariables.insert(generator.variable)
        if case .relationship = generator.source { hasCollections = true }
        visitParts(of: generator)
    }
}
