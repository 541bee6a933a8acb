package import ChordataDiagnostics

/// The places of a model's parts, for passes that find mistakes after the file was read.
package struct ModelLocations: Sendable {
    private let tree: SyntaxTree
    /// Where the entities stand in ``elements``.
    private let positions: [String: Int]
    /// The numbers of the entities' elements.
    private let elements: [Int]

    init(_ resolver: ModelResolver) {
        tree = resolver.tree
        positions = resolver.positions
        elements = resolver.entities.map(\.element.index)
    }

    /// The model element.
    package var model: SourceLocation { tree.root.location }

    /// The name of an entity.
    package func entity(_ name: String) -> SourceLocation? { entityElement(name)?.place(.name) }

    /// The name of an attribute, relationship or fetched property.
    /// - Complexity: O(n) in the number of the entity's properties.
    package func property(_ name: String, of entity: String) -> SourceLocation? {
        propertyElement(name, of: entity)?.place(.name)
    }

    /// The name of a fetch request of the model.
    package func fetchRequest(_ name: String) -> SourceLocation? { fetchRequestElement(name)?.place(.name) }

    /// The version of the Xcode tools that wrote the file; `nil` when it does not say.
    var toolsVersion: Double? { tree.root[.lastSavedToolsVersion].flatMap { Double($0) } }

    func entityElement(_ name: String) -> ElementSyntax? { positions[name].map { tree.element(elements[$0]) } }

    func propertyElement(_ name: String, of entity: String) -> ElementSyntax? {
        entityElement(entity)?.children.first { child in
            switch child.name {
            case .attribute, .relationship, .fetchedProperty: child[.name] == name
            default: false
            }
        }
    }

    func fetchRequestElement(_ name: String) -> ElementSyntax? {
        tree.root.children.first { $0.name == .fetchRequest && $0[.name] == name }
    }
}
