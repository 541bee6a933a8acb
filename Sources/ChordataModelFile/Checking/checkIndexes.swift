internal import ChordataDiagnostics
internal import ChordataModel

extension ModelResolver {
    /// Finds indexes that name a property that their entity does not have, or that cannot be indexed.
    mutating func checkIndexes(_ lineages: InheritanceChains) {
        for entity in entities {
            checkIndexedAttributes(of: entity, lineages)
            let parts =
                entity.fetchIndexes.flatMap { $0.children(named: .fetchIndexElement) }.map { $0.attribute(.property) }
                + entity.compoundIndexes.flatMap { $0.children(named: .index) }.map { $0.attribute(.value) }
            guard !parts.isEmpty else { continue }
            let names = lineages.lineage(of: entity.name).flatMap(\.declaredPropertyNames)
            let known = Set(names)
            for case let part? in parts where !known.contains(part.value) {
                report(
                    .unknownIndexProperty,
                    "an index of '\(entity.name)' names '\(part.value)', which is not a property",
                    at: part,
                    among: names,
                    otherwise: "name a property of the entity"
                )
            }
            let external = externalAttributes(lineages.lineage(of: entity.name))
            for case let part? in parts where external.contains(part.value) {
                report(
                    .invalidIndexProperty,
                    "an index of '\(entity.name)' names '\(part.shown)', which is stored externally and cannot be "
                        + "indexed; remove it from the index",
                    at: part.valueLocation
                )
            }
        }
    }

    /// Finds attributes that are marked as indexed, but cannot be indexed.
    private mutating func checkIndexedAttributes(of entity: EntitySyntax, _ lineages: InheritanceChains) {
        guard let declared = lineages.lineage(of: entity.name).first?.declaredAttributes else { return }
        for attribute in declared where attribute.isIndexed && attribute.isStoredExternally {
            guard let element = entity.attributes.first(where: { $0[.name] == attribute.name }) else { continue }
            report(
                .invalidIndexProperty,
                "attribute '\(attribute.name)' of '\(entity.name)' is stored externally, so it cannot be indexed; "
                    + "remove 'indexed'",
                at: element.place(.indexed)
            )
        }
    }

    private func externalAttributes(_ lineage: some Sequence<EntityDescription>) -> Set<String> {
        Set(lineage.flatMap(\.declaredAttributes).filter(\.isStoredExternally).map(\.name))
    }

    /// Finds uniqueness constraints that name a property that their entity does not have, or that cannot be unique.
    mutating func checkConstraints(_ lineages: InheritanceChains) {
        for entity in entities where !entity.uniquenessConstraints.isEmpty {
            let lineage = lineages.lineage(of: entity.name)
            let names = lineage.flatMap(\.declaredPropertyNames)
            let known = Set(names)
            let attributes = Dictionary(
                lineage.flatMap(\.declaredAttributes).map { ($0.name, $0) },
                uniquingKeysWith: { first, _ in first }
            )
            let relationships = Dictionary(
                lineage.flatMap(\.declaredRelationships).map { ($0.name, $0) },
                uniquingKeysWith: { first, _ in first }
            )
            let fetchedProperties = Set(lineage.flatMap(\.declaredFetchedProperties).map(\.name))
            for constraint in entity.uniquenessConstraints.flatMap({ $0.children(named: .constraint) }) {
                guard let value = constraint.attribute(.value) else {
                    report(
                        .missingName,
                        "a uniqueness constraint of '\(entity.name)' does not name a property; name one",
                        at: constraint.location
                    )
                    continue
                }
                guard known.contains(value.value) else {
                    report(
                        .unknownConstraintProperty,
                        "uniqueness constraint of '\(entity.name)' names '\(value.shown)', which is not a property",
                        at: value,
                        among: names,
                        otherwise: "name a property of the entity"
                    )
                    continue
                }
                let reason =
                    reasonAgainstUniqueness(attributes[value.value])
                    ?? reasonAgainstUniqueness(relationships[value.value])
                    ?? (fetchedProperties.contains(value.value) ? "is fetched, not stored" : nil)
                guard let reason else { continue }
                report(
                    .invalidConstraintProperty,
                    "uniqueness constraint of '\(entity.name)' names '\(value.shown)', which \(reason); "
                        + "name stored attributes and to-one relationships only",
                    at: value.valueLocation
                )
            }
        }
    }

    private func reasonAgainstUniqueness(_ attribute: AttributeDescription?) -> String? {
        guard let attribute else { return nil }
        if attribute.isTransient { return "is not stored" }
        if attribute.isStoredExternally { return "is stored externally" }
        return attribute.attributeType == .composite ? "is a composite" : nil
    }

    private func reasonAgainstUniqueness(_ relationship: RelationshipDescription?) -> String? {
        guard let relationship else { return nil }
        if relationship.isTransient { return "is not stored" }
        return relationship.isToMany ? "is to-many" : nil
    }
}

extension EntityDescription {
    /// The names of the properties that the entity itself declares.
    var declaredPropertyNames: [String] {
        declaredAttributes.map(\.name) + declaredRelationships.map(\.name) + declaredFetchedProperties.map(\.name)
    }
}
