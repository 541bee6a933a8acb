/// An entity of a file, its children sorted by kind.
struct EntitySyntax {
    let name: String
    let element: ElementSyntax
    private(set) var attributes: [ElementSyntax] = []
    private(set) var relationships: [ElementSyntax] = []
    private(set) var fetchedProperties: [ElementSyntax] = []
    private(set) var fetchIndexes: [ElementSyntax] = []
    private(set) var compoundIndexes: [ElementSyntax] = []
    private(set) var uniquenessConstraints: [ElementSyntax] = []

    /// `nil` without a name, which is reported when names are checked.
    init?(_ element: ElementSyntax) {
        guard let name = element[.name] else { return nil }
        self.name = name
        self.element = element
        // Most of what an entity has are attributes.
        attributes.reserveCapacity(min(element.descendantCount, 16))
        for child in element.children {
            switch child.name {
            case .attribute: attributes.append(child)
            case .relationship: relationships.append(child)
            case .fetchedProperty: fetchedProperties.append(child)
            case .fetchIndex: fetchIndexes.append(child)
            case .compoundIndexes: compoundIndexes += child.children(named: .compoundIndex)
            case .uniquenessConstraints: uniquenessConstraints += child.children(named: .uniquenessConstraint)
            default: break  // User info, and what the grammar does not have.
            }
        }
    }

    /// The properties by kind, in the order of a formatted file, so that formatting a file changes none of its
    /// diagnostics.
    var propertyElements: [ElementSyntax] {
        let others = relationships + fetchedProperties
        return others.isEmpty ? attributes : attributes + others
    }
}
