/// Gives each entity its inherited properties, and makes the checks that need all entities.
///
/// The topmost entities come first, and each level extends the lists of the level above. An entity that inherits
/// nothing keeps the very arrays it declares, and one that adds nothing has those of its superentity.
/// - Complexity: O(n) in the number of entities and of properties, inherited ones counted with each entity that adds to
///   them.
func resolveEntities(
    _ entities: consuming [EntityDescription],
    indexByName: [String: Int]
) throws(ManagedObjectModelError) -> [EntityDescription] {
    var resolved = entities
    var topmost: [Int] = []
    var subentities = [[Int]](repeating: [], count: resolved.count)
    for index in resolved.indices {
        if let superentityName = resolved[index].superentityName {
            guard let superentity = indexByName[superentityName] else {
                throw .unknownSuperentity(superentityName, of: resolved[index].name)
            }
            subentities[superentity].append(index)
        } else {
            topmost.append(index)
        }
        for relationship in resolved[index].declaredRelationships
        where indexByName[relationship.destinationEntityName] == nil {
            throw .unknownDestination(
                relationship.destinationEntityName,
                of: relationship.name,
                in: resolved[index].name
            )
        }
    }

    var isResolved = [Bool](repeating: false, count: resolved.count)
    // The properties of the entity being resolved, inherited ones too: one set that grows on the way down and shrinks
    // on the way back, so that a name is put in once and not once for each entity that inherits it.
    var propertyNames: Set<String> = []
    var steps: [ResolutionStep] = []
    for index in topmost {
        propertyNames.removeAll(keepingCapacity: true)
        steps.append(.enter(index, superentity: nil))
        while let step = steps.popLast() {
            switch step {
            case .enter(let index, let superentity):
                let isAlone = superentity == nil && subentities[index].isEmpty
                if !(isAlone && resolved[index].hasFewAndDistinctAttributes) {
                    for name in resolved[index].declaredPropertyNames where !propertyNames.insert(name).inserted {
                        throw redeclaration(of: name, in: index, resolved, indexByName)
                    }
                }
                if let superentity {
                    resolved[index].inherit(from: resolved[superentity])
                } else {
                    resolved[index].resetToDeclaration()
                }
                if !subentities[index].isEmpty {
                    resolved[index].subentityNames = subentities[index].map { resolved[$0].name }
                }
                isResolved[index] = true
                if superentity != nil { steps.append(.leave(index)) }
                for subentity in subentities[index].reversed() { steps.append(.enter(subentity, superentity: index)) }
            case .leave(let index):
                for name in resolved[index].declaredPropertyNames { propertyNames.remove(name) }
            }
        }
    }
    // An entity that is not reached from a root entity is in a cycle, or below one.
    if let index = isResolved.firstIndex(of: false) { throw cycle(above: index, resolved, indexByName) }
    return resolved
}

private enum ResolutionStep {
    case enter(Int, superentity: Int?)
    case leave(Int)
}

/// Returns a Boolean value that indicates whether a name that cannot be taken up again is the entity's own or
/// inherited.
private func redeclaration(
    of name: String,
    in index: Int,
    _ entities: [EntityDescription],
    _ indexByName: [String: Int]
) -> ManagedObjectModelError {
    var superentity = entities[index].superentityName.flatMap { indexByName[$0] }
    while let ancestor = superentity {
        if entities[ancestor].declaredPropertyNames.contains(name) {
            return .redeclaredProperty(name, in: entities[index].name, from: entities[ancestor].name)
        }
        superentity = entities[ancestor].superentityName.flatMap { indexByName[$0] }
    }
    return .duplicateProperty(name, in: entities[index].name)
}

/// The first entity of the circle that an entity's superentities end in.
private func cycle(
    above index: Int,
    _ entities: [EntityDescription],
    _ indexByName: [String: Int]
) -> ManagedObjectModelError {
    var seen: Set<Int> = []
    var current = index
    while seen.insert(current).inserted, let next = entities[current].superentityName.flatMap({ indexByName[$0] }) {
        current = next
    }
    return .cyclicInheritance(entities[current].name)
}

extension EntityDescription {
    /// A Boolean value that indicates whether there are only attributes, with names that are all different, decided
    /// without a table where there are few.
    fileprivate var hasFewAndDistinctAttributes: Bool {
        guard declaredAttributes.count <= 16, declaredRelationships.isEmpty, declaredFetchedProperties.isEmpty else {
            return false
        }
        for index in declaredAttributes.indices {
            for earlier in 0..<index where declaredAttributes[earlier].name == declaredAttributes[index].name {
                return false
            }
        }
        return true
    }

    /// The names of all kinds of properties that the entity itself declares.
    var declaredPropertyNames: [String] {
        var names: [String] = []
        names.reserveCapacity(
            declaredAttributes.count + declaredRelationships.count + declaredFetchedProperties.count
        )
        for attribute in declaredAttributes { names.append(attribute.name) }
        for relationship in declaredRelationships { names.append(relationship.name) }
        for property in declaredFetchedProperties { names.append(property.name) }
        return names
    }

    /// The entity as it was declared, before a model took it up.
    var declaration: EntityDescription {
        var declaration = self
        declaration.resetToDeclaration()
        return declaration
    }

    /// Forgets what a model has added.
    fileprivate mutating func resetToDeclaration() {
        attributes = declaredAttributes
        relationships = declaredRelationships
        fetchedProperties = declaredFetchedProperties
        indexes = declaredIndexes
        uniquenessConstraints = declaredUniquenessConstraints
        subentityNames = []
        rootEntityName = name
    }

    /// Puts what a resolved superentity has before what this entity declares.
    fileprivate mutating func inherit(from superentity: EntityDescription) {
        attributes = joined(superentity.attributes, declaredAttributes)
        relationships = joined(superentity.relationships, declaredRelationships)
        fetchedProperties = joined(superentity.fetchedProperties, declaredFetchedProperties)
        indexes = joined(superentity.indexes, declaredIndexes)
        uniquenessConstraints = joined(superentity.uniquenessConstraints, declaredUniquenessConstraints)
        rootEntityName = superentity.rootEntityName
    }
}

/// One list after the other; the same array as one of them when the other is empty.
private func joined<Element>(_ inherited: [Element], _ declared: [Element]) -> [Element] {
    if declared.isEmpty { return inherited }
    return inherited.isEmpty ? declared : inherited + declared
}
