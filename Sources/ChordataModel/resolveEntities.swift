/// Adds the inherited properties to each entity, and makes the checks that need all entities.
///
/// Root entities come first, and each level extends the lists of the level above. An entity that inherits nothing keeps
/// the arrays that it declares, and an entity that declares nothing shares the arrays of its superentity.
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
    // The names of the properties of the entity that is being resolved, including inherited ones. The set grows on the
    // way down the hierarchy and shrinks on the way back, so that each name is inserted only once, not for each entity
    // that inherits it.
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

/// Returns the error for a name that an entity declares although the entity itself or a superentity has already
/// declared it.
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

/// Returns the error for the cycle in which the superentities of an entity end; it names the first entity of the cycle.
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
    /// A Boolean value that indicates whether the entity declares only attributes, and these are few and have different
    /// names.
    ///
    /// This is decided without a table.
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

    /// The entity as it was declared, without the elements that a model added.
    var declaration: EntityDescription {
        var declaration = self
        declaration.resetToDeclaration()
        return declaration
    }

    /// Removes the elements that a model has added.
    fileprivate mutating func resetToDeclaration() {
        attributes = declaredAttributes
        relationships = declaredRelationships
        fetchedProperties = declaredFetchedProperties
        indexes = declaredIndexes
        uniquenessConstraints = declaredUniquenessConstraints
        subentityNames = []
        rootEntityName = name
    }

    /// Inserts the elements of a resolved superentity before the elements that this entity declares.
    fileprivate mutating func inherit(from superentity: EntityDescription) {
        attributes = joined(superentity.attributes, declaredAttributes)
        relationships = joined(superentity.relationships, declaredRelationships)
        fetchedProperties = joined(superentity.fetchedProperties, declaredFetchedProperties)
        indexes = joined(superentity.indexes, declaredIndexes)
        uniquenessConstraints = joined(superentity.uniquenessConstraints, declaredUniquenessConstraints)
        rootEntityName = superentity.rootEntityName
    }
}

/// Returns one list followed by the other; if one of them is empty, the array of the other list itself.
private func joined<Element>(_ inherited: [Element], _ declared: [Element]) -> [Element] {
    if declared.isEmpty { return inherited }
    return inherited.isEmpty ? declared : inherited + declared
}
