internal import ChordataDiagnostics
internal import ChordataModel

extension ModelResolver {
    /// How many levels entities may inherit over.
    private static let maximumInheritanceDepth = 64

    mutating func checkInheritance() {
        guard entities.contains(where: { $0.element.attribute(.parentEntity) != nil }) else { return }
        let parents = Dictionary(
            entities.compactMap { entity in entity.element[.parentEntity].map { (entity.name, $0) } },
            uniquingKeysWith: { first, _ in first }
        )
        for entity in entities {
            guard let parent = entity.element.attribute(.parentEntity) else { continue }
            guard hasEntity(parent.value) else {
                report(
                    .unknownSuperentity,
                    "parent entity '\(parent.value)' of '\(entity.name)' does not exist",
                    at: parent,
                    among: entityNames,
                    otherwise: "name an entity of this model, or none"
                )
                continue
            }
            var seen: Set = [entity.name]
            var current: String? = parent.value
            while let ancestor = current {
                guard seen.count <= Self.maximumInheritanceDepth else {
                    report(
                        .limitExceeded,
                        "entity '\(entity.name)' inherits over more than \(Self.maximumInheritanceDepth) levels",
                        at: parent.valueLocation
                    )
                    // Once is enough: those below it inherit over more.
                    return
                }
                guard seen.insert(ancestor).inserted else {
                    if ancestor == entity.name {
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

    /// Xcode lets an entity repeat a property of its parent; with the same type it is one property.
    mutating func mergeRedeclaredProperties(_ resolved: inout [EntityDescription]) {
        guard resolved.contains(where: { $0.superentityName != nil }) else { return }
        let lineages = Lineages(resolved, positions)
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
        func isTaken(_ name: String) -> Bool {
            attributes[name] != nil || relationships[name] != nil || fetchedProperties.contains(name)
        }
        entity.declaredAttributes.removeAll { own in
            guard isTaken(own.name) else { return false }
            if attributes[own.name]?.attributeType != own.attributeType { clashes.append(own.name) }
            return true
        }
        entity.declaredRelationships.removeAll { own in
            guard isTaken(own.name) else { return false }
            let inherited = relationships[own.name]
            if inherited?.destinationEntityName != own.destinationEntityName || inherited?.isToMany != own.isToMany {
                clashes.append(own.name)
            }
            return true
        }
        entity.declaredFetchedProperties.removeAll { own in
            guard isTaken(own.name) else { return false }
            if !fetchedProperties.contains(own.name) { clashes.append(own.name) }
            return true
        }
        let owner = entity.name
        for name in clashes {
            let property = entities.first { $0.name == owner }?.propertyElements.first { $0[.name] == name }
            report(
                .redeclaredProperty,
                "'\(name)' of '\(owner)' has another type than in its parent entity '\(ancestor.name)'; rename one",
                at: property?.place(.name) ?? root.location
            )
        }
    }
}
