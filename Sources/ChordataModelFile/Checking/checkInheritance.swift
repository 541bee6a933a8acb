internal import ChordataDiagnostics
internal import ChordataModel

extension ModelResolver {
    /// The maximum number of levels of inheritance.
    private static let maximumInheritanceDepth = 64

    /// The maximum number of properties of all entities; an inherited property counts for each entity that inherits it.
    private static let maximumInheritedCount = 200_000

    /// Reports a model that is small in the file, but has too many properties with inherited ones.
    mutating func checkInheritedCount(_ resolved: [EntityDescription]) -> Bool {
        let lineages = InheritanceChains(resolved, positions)
        var count = 0
        for entity in resolved where entity.superentityName != nil {
            for ancestor in lineages.lineage(of: entity.name) {
                count += ancestor.declaredAttributes.count + ancestor.declaredRelationships.count
            }
            guard count > Self.maximumInheritedCount else { continue }
            report(
                .limitExceeded,
                "the entities of this model together have more than \(Self.maximumInheritedCount) properties, inherited ones "
                    + "included; declare fewer in parent entities, or use fewer subentities",
                at: entities[positions[entity.name] ?? 0].element.place(.parentEntity)
            )
            return false
        }
        return true
    }

    mutating func checkInheritance() {
        guard entities.contains(where: { $0.element.attribute(.parentEntity) != nil }) else { return }
        let parents = Dictionary(
            entities.compactMap { entity in entity.element[.parentEntity].map { (entity.name, $0) } },
            uniquingKeysWith: { first, _ in first }
        )
        var circle: Set<String> = []
        for entity in entities {
            guard let parent = entity.element.attribute(.parentEntity) else { continue }
            guard hasEntity(parent.value) else {
                report(
                    .unknownSuperentity,
                    "parent entity '\(parent.shown)' of '\(entity.name)' does not exist",
                    at: parent,
                    among: entityNames,
                    otherwise: "choose an entity of this model, or remove the parent entity"
                )
                continue
            }
            var seen: Set = [entity.name]
            var current: String? = parent.value
            while let ancestor = current {
                guard seen.count <= Self.maximumInheritanceDepth else {
                    report(
                        .limitExceeded,
                        "entity '\(entity.name)' has more than \(Self.maximumInheritanceDepth) levels of parent "
                            + "entities; remove some of them",
                        at: parent.valueLocation
                    )
                    // One report is enough: the subentities of this entity have even more levels.
                    return
                }
                guard seen.insert(ancestor).inserted else {
                    // Each cycle is reported once, at the first of its entities.
                    if ancestor == entity.name, circle.isDisjoint(with: seen) {
                        circle.formUnion(seen)
                        report(
                            .cyclicInheritance,
                            "entity '\(entity.name)' inherits from itself; change its parent entity",
                            at: parent.valueLocation
                        )
                    }
                    break
                }
                current = parents[ancestor]
            }
        }
    }

    /// Merges properties that an entity declares again with the type that they have in its parent entity, which Xcode
    /// allows.
    mutating func mergeRedeclaredProperties(_ resolved: inout [EntityDescription]) {
        guard resolved.contains(where: { $0.superentityName != nil }) else { return }
        let lineages = InheritanceChains(resolved, positions)
        for index in resolved.indices where resolved[index].superentityName != nil {
            let ancestors = lineages.lineage(of: resolved[index].name).dropFirst()
            for ancestor in ancestors { dropProperties(of: &resolved[index], in: ancestor) }
        }
    }

    private mutating func dropProperties(of entity: inout EntityDescription, in ancestor: EntityDescription) {
        let attributes = Dictionary(
            ancestor.declaredAttributes.map { ($0.name, $0) },
            uniquingKeysWith: { first, _ in first }
        )
        let relationships = Dictionary(
            ancestor.declaredRelationships.map { ($0.name, $0) },
            uniquingKeysWith: { first, _ in first }
        )
        let fetchedProperties = Set(ancestor.declaredFetchedProperties.map(\.name))
        var clashes: [String] = []
        var differences: [String] = []
        func isTaken(_ name: String) -> Bool {
            attributes[name] != nil || relationships[name] != nil || fetchedProperties.contains(name)
        }
        entity.declaredAttributes.removeAll { own in
            guard isTaken(own.name) else { return false }
            if attributes[own.name]?.attributeType != own.attributeType {
                clashes.append(own.name)
            } else if attributes[own.name] != own {
                differences.append(own.name)
            }
            return true
        }
        entity.declaredRelationships.removeAll { own in
            guard isTaken(own.name) else { return false }
            let inherited = relationships[own.name]
            if inherited?.destinationEntityName != own.destinationEntityName || inherited?.isToMany != own.isToMany {
                clashes.append(own.name)
            } else if inherited != own {
                differences.append(own.name)
            }
            return true
        }
        entity.declaredFetchedProperties.removeAll { own in
            guard isTaken(own.name) else { return false }
            if !fetchedProperties.contains(own.name) { clashes.append(own.name) }
            return true
        }
        guard !clashes.isEmpty || !differences.isEmpty, let position = positions[entity.name] else { return }
        let owner = entity.name
        let elements = Dictionary(
            entities[position].propertyElements.map { ($0[.name] ?? "", $0) },
            uniquingKeysWith: { first, _ in first }
        )
        for name in clashes {
            let property = elements[name]
            report(
                .redeclaredProperty,
                "'\(name)' of '\(owner)' has a different type than in its parent entity '\(ancestor.name)'; rename one",
                at: property?.place(.name) ?? root.location
            )
        }
        for name in differences {
            report(
                .redeclaredProperty,
                "'\(name)' of '\(owner)' has different settings than in its parent entity '\(ancestor.name)', whose "
                    + "settings are used; remove or rename one",
                at: elements[name]?.place(.name) ?? root.location,
                severity: .warning
            )
        }
    }
}
