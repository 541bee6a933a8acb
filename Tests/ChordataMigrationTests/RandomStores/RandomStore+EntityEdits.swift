import ChordataModel
import ChordataTestSupport
import ChordataVerification

/// Edits of entities and of their hierarchy.
extension RandomStore {
    mutating func addNewEntity() -> Bool {
        addEntity()
        let name = entities[entities.count - 1].name
        newEntities.insert(name)
        story.append("add entity \(name) below \(entity(name).superentityName ?? "none")")
        return true
    }

    /// Removes an entity without subentities, with its objects and the relationships to it.
    mutating func removeEntity() -> Bool {
        let candidates = entities.map(\.name).filter { family($0).count == 1 }
        guard entities.count > 1, let name = candidates.randomElement(using: &random) else { return false }
        for other in entities.map(\.name) {
            for relationship in entity(other).declaredRelationships
            where other == name || relationship.destinationEntityName == name {
                removeEnd(relationship, of: other, keepingInverse: false)
            }
        }
        let gone = Set(objects.filter { $0.entityName == name }.map(\.id))
        remove(gone)
        entities.remove(at: index(name))
        firstEntityNames[name] = nil
        story.append("remove entity \(name)")
        return true
    }

    /// Removes objects and the references to them.
    mutating func remove(_ gone: Set<Int64>) {
        objects.removeAll { gone.contains($0.id) }
        for index in objects.indices {
            objects[index].links = objects[index].links.mapValues { $0.filter { !gone.contains($0) } }
        }
    }

    mutating func renameEntity() -> Bool {
        guard let name = entities.map(\.name).randomElement(using: &random) else { return false }
        let new = freshEntityName()
        rename([name: new])
        story.append("rename entity \(name) to \(new)")
        return true
    }

    /// Clears a renaming identifier that an earlier step has used, so that it is no longer needed.
    mutating func clearEntityIdentifier() -> Bool {
        let candidates = entities.filter { $0.renamingIdentifier != $0.name && firstEntityNames[$0.name] == $0.name }
        guard let name = candidates.map(\.name).randomElement(using: &random) else { return false }
        change(name, renamingIdentifier: name)
        story.append("clear the identifier of \(name)")
        return true
    }

    mutating func swapEntities() -> Bool {
        let names = entities.map(\.name).filter { !newEntities.contains($0) }.shuffled(using: &random)
        guard names.count > 1 else { return false }
        rename([names[0]: names[1], names[1]: names[0]])
        story.append("swap entities \(names[0]) and \(names[1])")
        return true
    }

    private mutating func rename(_ names: [String: String]) {
        entities = entities.map { old in
            EntityDescription(
                name: names[old.name] ?? old.name,
                isAbstract: old.isAbstract,
                superentityName: old.superentityName.map { names[$0] ?? $0 },
                attributes: old.declaredAttributes,
                relationships: old.declaredRelationships.map { relationship in
                    var relationship = relationship
                    relationship.destinationEntityName =
                        names[relationship.destinationEntityName] ?? relationship.destinationEntityName
                    return relationship
                },
                uniquenessConstraints: old.declaredUniquenessConstraints,
                renamingIdentifier: old.renamingIdentifier
            )
        }
        newEntities = Set(newEntities.map { names[$0] ?? $0 })
        firstRoots = Dictionary(uniqueKeysWithValues: firstRoots.map { (names[$0] ?? $0, $1) })
        firstEntityNames = Dictionary(uniqueKeysWithValues: firstEntityNames.map { (names[$0] ?? $0, $1) })
        for index in objects.indices {
            objects[index].entityName = names[objects[index].entityName] ?? objects[index].entityName
        }
    }

    /// Inserts a new abstract entity between an entity and its superentity.
    mutating func insertSuperentity() -> Bool {
        guard let name = entities.map(\.name).randomElement(using: &random) else { return false }
        let above = freshEntityName()
        entities.append(EntityDescription(name: above, isAbstract: true, superentityName: entity(name).superentityName))
        newEntities.insert(above)
        change(name, superentityName: .some(above))
        story.append("insert \(above) above \(name)")
        return true
    }

    mutating func toggleAbstract() -> Bool {
        guard let name = entities.map(\.name).filter({ !newEntities.contains($0) }).randomElement(using: &random) else {
            return false
        }
        let wasAbstract = entity(name).isAbstract
        change(name, isAbstract: !wasAbstract)
        if wasAbstract { newEntities.insert(name) }
        story.append("make \(name) \(wasAbstract ? "concrete" : "abstract")")
        return true
    }

    /// Moves an entity out of its hierarchy, with its subentities and perhaps some of the inherited attributes.
    mutating func leaveHierarchy() -> Bool {
        let candidates = entities.filter { $0.superentityName != nil }.map(\.name)
        guard let name = candidates.randomElement(using: &random) else { return false }
        let inherited = line(name).dropFirst()
        let attributes = inherited.flatMap { entity($0).declaredAttributes }
        let relationships = inherited.flatMap { level in entity(level).declaredRelationships.map { (level, $0) } }
        var kept: [AttributeDescription] = []
        for attribute in attributes {
            if random.chance(2) {
                kept.append(attribute)
            } else {
                forEachObject(of: name) { object in
                    for leaf in attribute.leaves { object.values[leaf.path.joined(separator: ".")] = nil }
                }
            }
        }
        let leaving = Set(objects.filter { isKind($0.entityName, of: name) }.map(\.id))
        for (_, relationship) in relationships { forEachObject(of: name) { $0.links[relationship.name] = nil } }
        change(name, superentityName: .some(nil), attributes: entity(name).declaredAttributes + kept)
        unlinkStrangers(leaving)
        story.append("\(name) leaves \(inherited.first ?? ""), keeping \(kept.map(\.name))")
        return true
    }

    /// Removes from relationships the objects that no longer belong to the destination entity.
    private mutating func unlinkStrangers(_ moved: Set<Int64>) {
        for index in objects.indices {
            for relationship in relationships(objects[index].entityName) {
                let strangers = objects.filter {
                    moved.contains($0.id) && !isKind($0.entityName, of: relationship.destinationEntityName)
                }.map(\.id)
                // The relationship is not edited again: all edits are one migration, which would keep the removed
                // references if a later edit made these objects valid destinations.
                if !strangers.isEmpty { touched.insert(relationship.name) }
                objects[index].links[relationship.name]?.removeAll { strangers.contains($0) }
            }
        }
    }

    /// Moves a root entity below an entity of another hierarchy that existed before.
    mutating func joinHierarchy() -> Bool {
        // A reference that another edit removed might be valid with the new hierarchy, because there is no step between
        // the two edits.
        guard !hasRetargeted else { return false }
        let roots = entities.filter { $0.superentityName == nil && !newEntities.contains($0.name) }.map(\.name)
        guard let name = roots.randomElement(using: &random) else { return false }
        let others = entities.map(\.name).filter { other in
            let root = line(other).last!
            // An entity that left its hierarchy and returns is migrated as if it had stayed.
            return root != name && !newEntities.contains(root) && firstRoots[root] != firstRoots[name]
        }
        guard let above = others.randomElement(using: &random) else { return false }
        let attributes = line(above).flatMap { entity($0).declaredAttributes }
        let relationships = line(above).flatMap { entity($0).declaredRelationships }
        // An entity that left its hierarchy may have an attribute of its own that an inherited one would replace.
        let own = Set(family(name).flatMap { entity($0).declaredAttributes.map(\.name) })
        guard attributes.allSatisfy({ !own.contains($0.name) }) else { return false }
        // All objects of the entity would get the same value, which must be unique.
        guard line(above).allSatisfy({ entity($0).declaredUniquenessConstraints.isEmpty }) else { return false }
        change(name, superentityName: .some(above))
        for attribute in attributes {
            give(attribute, to: name)
            touched.insert(attribute.name)
        }
        for relationship in relationships { forEachObject(of: name) { $0.links[relationship.name] = [] } }
        story.append("\(name) goes below \(above)")
        return true
    }
}
