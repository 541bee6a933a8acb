import ChordataModel
import ChordataTestSupport
import ChordataVerification

/// Edits of relationships.
extension RandomStore {
    private func ends(
        where isWanted: (RelationshipDescription) -> Bool = { _ in true }
    ) -> [(name: String, relationship: RelationshipDescription)] {
        entities.flatMap { entity in
            entity.declaredRelationships.filter { !touched.contains($0.name) && isWanted($0) }.map { (entity.name, $0) }
        }
    }

    private mutating func set(_ relationship: RelationshipDescription, named old: String, of name: String) {
        change(name, relationships: entity(name).declaredRelationships.map { $0.name == old ? relationship : $0 })
    }

    mutating func addNewRelationship() -> Bool {
        addRelationship(isNew: true)
        story.append("add a relationship")
        return true
    }

    mutating func removeRelationship() -> Bool {
        guard let (name, relationship) = ends().randomElement(using: &random) else { return false }
        let keeping = random.chance(2)
        removeEnd(relationship, of: name, keepingInverse: keeping)
        story.append("remove relationship \(relationship.name) of \(name), the other end \(keeping ? "stays" : "goes")")
        return true
    }

    mutating func removeEnd(_ relationship: RelationshipDescription, of name: String, keepingInverse: Bool) {
        guard entity(name).declaredRelationships.contains(where: { $0.name == relationship.name }) else { return }
        if let other = inverse(of: relationship), other.relationship.name != relationship.name {
            if keepingInverse {
                var end = other.relationship
                end.inverseName = nil
                set(end, named: end.name, of: other.entity)
            } else {
                change(
                    other.entity,
                    relationships: entity(other.entity).declaredRelationships.filter {
                        $0.name != other.relationship.name
                    }
                )
                forEachObject(of: other.entity) { $0.links[other.relationship.name] = nil }
            }
        }
        change(name, relationships: entity(name).declaredRelationships.filter { $0.name != relationship.name })
        forEachObject(of: name) { $0.links[relationship.name] = nil }
    }

    mutating func renameRelationship() -> Bool {
        guard let (name, old) = ends().randomElement(using: &random) else { return false }
        var new = old
        new.name = fresh("r")
        if let other = inverse(of: old) {
            var end = other.relationship
            end.inverseName = new.name
            set(end, named: end.name, of: other.entity)
        }
        set(new, named: old.name, of: name)
        touched.formUnion([old.name, new.name])
        firstPropertyNames[new.name] = firstPropertyNames.removeValue(forKey: old.name)
        forEachObject(of: name) { $0.links[new.name] = $0.links.removeValue(forKey: old.name) }
        story.append("rename relationship \(old.name) of \(name) to \(new.name)")
        return true
    }

    /// Makes a to-one relationship to-many, or a to-many relationship to-one; the latter cannot be inferred.
    mutating func toggleToMany() -> Bool {
        guard let (name, old) = ends().randomElement(using: &random) else { return false }
        var new = old
        new.isToMany.toggle()
        new.maximumCount = new.isToMany ? 0 : 1
        new.isOrdered = false
        set(new, named: old.name, of: name)
        touched.formUnion([old.name, new.name])
        story.append("\(old.name) of \(name) becomes \(new.isToMany ? "to-many" : "to-one")")
        return true
    }

    mutating func toggleOrder() -> Bool {
        guard let (name, old) = ends(where: { $0.isToMany }).randomElement(using: &random) else { return false }
        var new = old
        new.isOrdered.toggle()
        set(new, named: old.name, of: name)
        touched.formUnion([old.name, new.name])
        // The initial order is the order of creation.
        if new.isOrdered { forEachObject(of: name) { $0.links[new.name]?.sort() } }
        story.append("\(old.name) of \(name) becomes \(new.isOrdered ? "ordered" : "unordered")")
        return true
    }

    /// Adds the inverse of a relationship that has none, with the references of the existing relationship.
    mutating func addInverse() -> Bool {
        guard let (name, old) = ends(where: { $0.inverseName == nil }).randomElement(using: &random) else {
            return false
        }
        var new = old
        let isToMany = random.chance(2)
        let back = RelationshipDescription(
            name: fresh("r"),
            destinationEntityName: name,
            inverseName: old.name,
            isToMany: isToMany,
            isOrdered: isToMany && random.chance(2)
        )
        new.inverseName = back.name
        touched.insert(back.name)
        set(new, named: old.name, of: name)
        touched.formUnion([old.name, new.name])
        change(
            old.destinationEntityName,
            relationships: entity(old.destinationEntityName).declaredRelationships + [back]
        )
        forEachObject(of: old.destinationEntityName) { $0.links[back.name] = [] }
        for source in objects.sorted(by: { $0.id < $1.id }) where isKind(source.entityName, of: name) {
            for target in source.links[old.name] ?? [] {
                let index = objects.firstIndex { $0.id == target }!
                if isToMany || objects[index].links[back.name]!.isEmpty {
                    objects[index].links[back.name]!.append(source.id)
                } else {
                    // The oldest object keeps the reference.
                    let owner = objects.firstIndex { $0.id == source.id }!
                    objects[owner].links[old.name]!.removeAll { $0 == target }
                }
            }
        }
        story.append("\(old.name) of \(name) gets the inverse \(back.name), \(isToMany ? "to-many" : "to-one")")
        return true
    }

    /// Gives a relationship without an inverse a superentity, a subentity or another entity as its destination.
    mutating func retarget() -> Bool {
        guard let (name, old) = ends(where: { $0.inverseName == nil }).randomElement(using: &random) else {
            return false
        }
        var new = old
        new.destinationEntityName = random.pick(entities.map(\.name))
        set(new, named: old.name, of: name)
        touched.formUnion([old.name, new.name])
        let kinds = Set(objects.filter { isKind($0.entityName, of: new.destinationEntityName) }.map(\.id))
        forEachObject(of: name) { $0.links[old.name]?.removeAll { !kinds.contains($0) } }
        hasRetargeted = true
        story.append("\(old.name) of \(name) references \(new.destinationEntityName)")
        return true
    }

    /// Changes settings of a relationship that do not affect a store: optionality and delete rule.
    mutating func changeRules() -> Bool {
        guard let (name, old) = ends().randomElement(using: &random) else { return false }
        var new = old
        new.isOptional = random.chance(2) ? !old.isOptional : old.isOptional
        new.deleteRule = random.pick(DeleteRule.allCases)
        set(new, named: old.name, of: name)
        touched.insert(old.name)
        story.append("\(old.name) of \(name): isOptional \(new.isOptional), delete rule \(new.deleteRule)")
        return true
    }

    /// Clears a renaming identifier that an earlier step has used, so that it is no longer needed.
    mutating func clearRelationshipIdentifier() -> Bool {
        let candidates = ends { $0.renamingIdentifier != $0.name }
        guard let (name, old) = candidates.randomElement(using: &random) else { return false }
        var new = old
        new.renamingIdentifier = old.name
        set(new, named: old.name, of: name)
        touched.insert(old.name)
        story.append("clear the identifier of \(old.name) of \(name)")
        return true
    }

    /// Moves a relationship to a superentity.
    ///
    /// It is empty in the superentity's other objects.
    mutating func moveRelationshipUp() -> Bool {
        let candidates = ends().filter { name, relationship in
            entity(name).superentityName != nil
                && inverse(of: relationship).map { !touched.contains($0.relationship.name) } != false
        }
        guard let (name, relationship) = candidates.randomElement(using: &random),
            let above = line(name).dropFirst().randomElement(using: &random)
        else { return false }
        if let other = inverse(of: relationship) {
            var end = other.relationship
            end.destinationEntityName = above
            set(end, named: end.name, of: other.entity)
            touched.insert(end.name)
        }
        change(name, relationships: entity(name).declaredRelationships.filter { $0.name != relationship.name })
        change(above, relationships: entity(above).declaredRelationships + [relationship])
        touched.insert(relationship.name)
        for index in objects.indices
        where isKind(objects[index].entityName, of: above) && !isKind(objects[index].entityName, of: name) {
            objects[index].links[relationship.name] = []
        }
        story.append("move \(relationship.name) from \(name) up to \(above)")
        return true
    }
}
