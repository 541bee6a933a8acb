internal import ChordataDiagnostics
internal import ChordataModel

extension ModelResolver {
    /// Finds indexes over what is not a property of their entity.
    mutating func checkIndexes(_ lineages: Lineages) {
        for entity in entities {
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
        }
    }

    /// Finds uniqueness constraints over what is not a property of their entity, or cannot be compared in the store.
    mutating func checkConstraints(_ lineages: Lineages) {
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
                        "a uniqueness constraint of '\(entity.name)' names no property; name one",
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
                    .unfittingConstraintProperty,
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
        return attribute.attributeType == .composite ? "is a composite" : nil
    }

    private func reasonAgainstUniqueness(_ relationship: RelationshipDescription?) -> String? {
        guard let relationship else { return nil }
        if relationship.isTransient { return "is not stored" }
        return relationship.isToMany ? "leads to any number of objects" : nil
    }
}

extension EntityDescription {
    /// The names of the properties that the entity itself declares.
    var declaredPropertyNames: [String] {
        declaredAttributes.map(\.name) + declaredRelationships.map(\.name) + declaredFetchedProperties.map(\.name)
    }
}
