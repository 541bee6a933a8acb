/// An entity of a file, its children sorted by kind.
struct EntitySyntax {
    let name: String
    let element: ElementSyntax
    private(set) var attributes: [PropertySyntax] = []
    private(set) var relationships: [PropertySyntax] = []
    private(set) var fetchedProperties: [PropertySyntax] = []
    private(set) var fetchIndexes: [ElementSyntax] = []
    private(set) var compoundIndexes: [ElementSyntax] = []
    private(set) var uniquenessConstraints: [ElementSyntax] = []

    /// `nil` without a name, which is reported when names are checked.
    init?(_ element: ElementSyntax) {
        guard let name = element[.name] else { return nil }
        self.name = name
        self.element = element
        for child in element.children {
            switch child.name {
            case .attribute: attributes += PropertySyntax(child)
            case .relationship: relationships += PropertySyntax(child)
            case .fetchedProperty: fetchedProperties += PropertySyntax(child)
            case .fetchIndex: fetchIndexes.append(child)
            case .compoundIndexes: compoundIndexes += child.children(named: .compoundIndex)
            case .uniquenessConstraints: uniquenessConstraints += child.children(named: .uniquenessConstraint)
            default: break  // User info, and what the grammar does not have.
            }
        }
    }

    var properties: [PropertySyntax] { attributes + relationships + fetchedProperties }
}

/// A property of a file that has a name.
struct PropertySyntax {
    let name: String
    let element: ElementSyntax

    init?(_ element: ElementSyntax) {
        guard let name = element[.name] else { return nil }
        self.name = name
        self.element = element
    }
}

private func += (list: inout [PropertySyntax], property: PropertySyntax?) {
    if let property { list.append(property) }
}
