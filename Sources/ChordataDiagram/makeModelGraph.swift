internal import ChordataModel

/// Collects the contents of a diagram of the model.
func makeModelGraph(_ model: ManagedObjectModel, typeName: TransformableTypeName) -> ModelGraph {
    var indexByName: [String: Int] = [:]
    for (index, entity) in model.entities.enumerated() { indexByName[entity.name] = index }
    let version = model.versionIdentifier
    return ModelGraph(
        title: version.isEmpty ? "Data model" : "Data model, version \(version)",
        nodes: model.entities.map { entity in
            ModelGraph.Node(
                name: entity.name,
                isAbstract: entity.isAbstract,
                rows: entity.declaredAttributes.map { attribute in
                    ModelGraph.Row(
                        name: attribute.name,
                        type: attribute.swiftTypeName(ofTransformable: typeName),
                        note: attribute.isDerived ? "derived" : attribute.isTransient ? "transient" : nil
                    )
                }
            )
        },
        links: inheritanceLinks(model, indexByName) + relationshipLinks(model, indexByName)
    )
}

private func inheritanceLinks(_ model: ManagedObjectModel, _ indexByName: [String: Int]) -> [ModelGraph.Link] {
    model.entities.enumerated().compactMap { index, entity in
        entity.superentityName.flatMap { indexByName[$0] }
            .map { ModelGraph.Link(source: $0, target: index, kind: .inheritance) }
    }
}

/// Creates the links of relationships; a relationship and its inverse become one link.
///
/// Two relationships are a pair if each names the other and its destination is the entity that declares the other.
/// Otherwise they become two links with one direction each, as in the model.
private func relationshipLinks(_ model: ManagedObjectModel, _ indexByName: [String: Int]) -> [ModelGraph.Link] {
    struct Place: Hashable {
        let entity: Int
        let name: String
    }
    var drawn: Set<Place> = []
    var links: [ModelGraph.Link] = []
    for (source, entity) in model.entities.enumerated() {
        for relationship in entity.declaredRelationships
        where !drawn.contains(Place(entity: source, name: relationship.name)) {
            guard let target = indexByName[relationship.destinationEntityName] else { continue }
            let forward = ModelGraph.End(relationship)
            let inverse = relationship.inverseName.flatMap { name in
                model.entities[target].declaredRelationships.first {
                    $0.name == name && $0.inverseName == relationship.name && $0.destinationEntityName == entity.name
                }
            }
            drawn.insert(Place(entity: source, name: relationship.name))
            guard let inverse else {
                links.append(
                    ModelGraph.Link(
                        source: source,
                        target: target,
                        kind: .relationship(forward: forward, backward: nil)
                    )
                )
                continue
            }
            drawn.insert(Place(entity: target, name: inverse.name))
            let backward = ModelGraph.End(inverse)
            // An owner is above the objects it owns: the side with one object is above the side with many objects.
            let isTurned = backward.cardinality.isMany && !forward.cardinality.isMany
            links.append(
                ModelGraph.Link(
                    source: isTurned ? target : source,
                    target: isTurned ? source : target,
                    kind: .relationship(
                        forward: isTurned ? backward : forward,
                        backward: isTurned ? forward : backward
                    )
                )
            )
        }
    }
    return links
}

extension ModelGraph.End {
    fileprivate init(_ relationship: RelationshipDescription) {
        self.init(name: relationship.name, cardinality: Cardinality(of: relationship))
    }
}
