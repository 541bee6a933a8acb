/// An entity of a file, with its children grouped by kind.
struct EntitySyntax {
    let name: String
    let element: ElementSyntax
    private(set) var attributes: [ElementSyntax] = []
    private(set) var relationships: [ElementSyntax] = []
    private(set) var fetchedProperties: [ElementSyntax] = []
    private(set) var fetchIndexes: [ElementSyntax] = []
    private(set) var compoundIndexes: [ElementSyntax] = []
    private(set) var uniquenessConstraints: [ElementSyntax] = []

    /// Returns `nil` for an entity without a name, which is reported when names are checked.
    init?(_ element: ElementSyntax) {
        guard let name = element[.name] else { return nil }
        self.name = name
        self.element = element
        // Most children of an entity are attributes.
        attributes.reserveCapacity(min(element.descendantCount, 16))
        for child in element.children {
            switch child.name {
            case .attribute: attributes.append(child)
            case .relationship: relationships.append(child)
            case .fetchedProperty: fetchedProperties.append(child)
            case .fetchIndex: fetchIndexes.append(child)
            case .compoundIndexes: compoundIndexes += child.children(named: .compoundIndex)
            case .uniquenessConstraints: uniquenessConstraints += child.children(named: .uniquenessConstraint)
            default: break  // User info, and elements that are not in the grammar.
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
