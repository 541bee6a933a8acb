package import ChordataModel

/// The paths of a condition that begin at the evaluated object itself, not at a variable.
package struct RootPaths {
    package private(set) var hasCollections = false
    package private(set) var entityName = ""
    /// The to-ones that all paths begin with; `nil` while there is no path.
    package private(set) var commonPrefix: [RelationshipDescription]?
    /// The variables that occur.
    private var used: Set<Int> = []
    /// The variables of the condition's own collections.
    private var defined: Set<Int> = []

    /// A Boolean value that indicates whether the condition depends on the element of an enclosing collection.
    package var dependsOnVariables: Bool { !used.isSubset(of: defined) }

    package init() {}

    package mutating func collect(_ path: BoundKeyPath) {
        if let variable = path.root {
            used.insert(variable)
            return
        }
        entityName = path.entityName
        guard let known = commonPrefix else {
            commonPrefix = path.relationships
            return
        }
        commonPrefix = zip(known, path.relationships).prefix { $0 == $1 }.map(\.0)
    }

    package mutating func collect(_ predicate: BoundPredicate) {
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

    private mutating func collect(_ expression: BoundExpression) {
        switch expression {
        case .value: return
        case .variable(let variable, _): used.insert(variable)
        case .keyPath(let path): collect(path)
        case .function(_, let arguments): for argument in arguments { collect(argument) }
        case .cast(let operand, _): collect(operand)
        case .conditional(let condition, let first, let second):
            collect(condition)
            collect(first)
            collect(second)
        case .aggregate(_, let collection): collect(collection)
        case .element(let collection, let position):
            collect(collection)
            if case .at(let index) = position { collect(index) }
        }
    }

    private mutating func collect(_ collection: BoundCollection) {
        for generator in collection.generators {
            defined.insert(generator.variable)
            switch generator.source {
            case .relationship(let owner, _):
                hasCollections = true
                collect(owner)
            case .list(let parts): for part in parts { collect(part) }
            }
        }
        collect(collection.filter)
        collect(collection.element)
    }
}
