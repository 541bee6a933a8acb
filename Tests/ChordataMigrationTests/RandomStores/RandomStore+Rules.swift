import ChordataModel

/// Determines what can be inferred, from the rules and from the original names of entities and properties.
extension RandomStore {
    func isInferable(from before: RandomStore) -> Bool {
        !mergesHierarchies && entities.allSatisfy { entity in isInferable(entity, from: before) }
    }

    private func isInferable(_ entity: EntityDescription, from before: RandomStore) -> Bool {
        guard let old = before.entities.first(where: { $0.name == firstEntityNames[entity.name] }), !old.isAbstract
        else {
            return true
        }
        if entity.isAbstract { return false }
        let oldAttributes = before.attributes(old.name)
        for attribute in attributes(entity.name) where !attribute.isTransient {
            let earlier = oldAttributes.first { $0.name == firstPropertyNames[attribute.name] && !$0.isTransient }
            if let earlier, !isConvertible(earlier.attributeType, attribute.attributeType) { return false }
            if attribute.attributeType == .composite || attribute.isOptional || attribute.defaultValue != nil {
                continue
            }
            if earlier?.isOptional != false { return false }
        }
        let oldRelationships = before.relationships(old.name)
        return relationships(entity.name).allSatisfy { relationship in
            let earlier = oldRelationships.first { $0.name == firstPropertyNames[relationship.name] }
            return relationship.isToMany || earlier?.isToMany != true
        }
    }

    private func isConvertible(_ old: AttributeType, _ new: AttributeType) -> Bool {
        let integers: [AttributeType] = [.boolean, .integer16, .integer32, .integer64]
        let numbers = integers + [.double, .float]
        return old == new || numbers.contains(old) && numbers.contains(new) || integers.contains(old) && new == .decimal
    }

    /// A Boolean value that indicates whether entities of different hierarchies have a new common superentity.
    private var mergesHierarchies: Bool {
        entities.contains { root in
            guard root.superentityName == nil, firstRoots[root.name] == nil else { return false }
            let old = family(root.name).filter { !entity($0).isAbstract && !newEntities.contains($0) }
            return Set(old.compactMap { firstRoots[$0] }).count > 1
        }
    }
}
