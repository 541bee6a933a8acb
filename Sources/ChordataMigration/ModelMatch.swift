internal import ChordataModel

/// Which entities and properties of two versions are the same thing (R0–R5).
///
/// A renaming identifier decides where there is one; names are only compared where there is none, so that swaps work.
struct ModelMatch {
    let source: ManagedObjectModel
    let destination: ManagedObjectModel
    private let sourceByDestination: [String: String]

    init(source: ManagedObjectModel, destination: ManagedObjectModel) {
        self.source = source
        self.destination = destination
        var pairs: [String: String] = [:]
        for entity in destination.entities {
            pairs[entity.name] =
                Self.find(
                    entity.renamingIdentifier,
                    in: source.entities,
                    name: \.name,
                    identifier: \.renamingIdentifier
                )?.name
        }
        sourceByDestination = pairs
    }

    private static func find<T>(
        _ identifier: String,
        in candidates: [T],
        name: KeyPath<T, String>,
        identifier path: KeyPath<T, String>
    ) -> T? {
        candidates.first { $0[keyPath: path] == identifier } ?? candidates.first { $0[keyPath: name] == identifier }
    }

    /// The entity's counterpart in the source.
    func sourceEntity(of name: String) -> EntityDescription? {
        sourceByDestination[name].flatMap { source.entity(named: $0) }
    }

    /// The counterpart of an attribute, inherited ones included: properties may move along the hierarchy.
    func sourceAttribute(of attribute: AttributeDescription, in entity: EntityDescription) -> AttributeDescription? {
        Self.find(
            attribute.renamingIdentifier,
            in: entity.attributes,
            name: \.name,
            identifier: \.renamingIdentifier
        )
    }

    func sourceRelationship(
        of relationship: RelationshipDescription,
        in entity: EntityDescription
    ) -> RelationshipDescription? {
        Self.find(
            relationship.renamingIdentifier,
            in: entity.relationships,
            name: \.name,
            identifier: \.renamingIdentifier
        )
    }

    /// Whether a destination entity is the counterpart of a source entity, or related to it by inheritance.
    func isCounterpart(_ destinationName: String, of sourceName: String) -> Bool {
        guard let counterpart = sourceByDestination[destinationName] else { return false }
        return source.entity(named: counterpart)?.rootEntityName == source.entity(named: sourceName)?.rootEntityName
    }
}
