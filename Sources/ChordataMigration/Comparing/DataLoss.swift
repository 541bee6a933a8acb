internal import ChordataModel

/// The values that a migration may drop or change, according to the two models alone.
struct DataLoss {
    private let entities: EntityPairs
    private let match: ModelMatch
    /// The old entities that can have rows, themselves or through a subentity.
    private var withRows: Set<String> = []
    /// The new forms of old properties, by declaring entity and name.
    private var newForms: [PropertyKey: [PropertyPlace]] = [:]
    /// The names of the old properties that a new entity still stores, declared or inherited, by the entity's name.
    ///
    /// The values are sets, because searching all properties for each removed property would be quadratic.
    private var storedAttributes: [String: Set<String>] = [:]
    private var storedRelationships: [String: Set<String>] = [:]

    private struct PropertyKey: Hashable {
        var subject: ModelChange.Subject
        var entity: String
        var name: String

        init(_ place: PropertyPlace) {
            subject = place.property.subject
            entity = place.entity.name
            name = place.property.name
        }
    }

    init(_ entities: EntityPairs, _ properties: PropertyPairs) {
        self.entities = entities
        match = ModelMatch(source: entities.old, destination: entities.new)
        for entity in entities.old.entities where !entity.isAbstract {
            var current: EntityDescription? = entity
            while let ancestor = current, withRows.insert(ancestor.name).inserted {
                current = ancestor.superentityName.flatMap { entities.old.entity(named: $0) }
            }
        }
        for pair in properties.pairs { newForms[PropertyKey(pair.old), default: []].append(pair.new) }
        for entity in entities.new.entities {
            storedAttributes[entity.name] = Set(
                entity.attributes.lazy.filter { !$0.isTransient }.compactMap { [match] in
                    match.sourceAttribute(named: $0.name, of: entity.name)?.name
                }
            )
            storedRelationships[entity.name] = Set(
                entity.relationships.lazy.filter { !$0.isTransient }.compactMap { [match] in
                    match.sourceRelationship(named: $0.name, of: entity.name)?.name
                }
            )
        }
    }

    func hasRows(_ oldName: String) -> Bool { withRows.contains(oldName) }

    func isLost(removed place: PropertyPlace) -> Bool {
        guard place.property.isStored, hasRows(place.entity.name), !isCarried(place) else { return false }
        guard case .relationship(let relationship) = place.property, let inverse = inverse(of: relationship) else {
            return true
        }
        // Each end of a relationship has the data of the other end, so one stored end is enough.
        return !(newForms[PropertyKey(inverse)] ?? []).contains(where: \.property.isStored)
    }

    /// Returns a Boolean value that indicates whether all remaining objects still have the property, even if its name
    /// or the entity that declares it is different.
    private func isCarried(_ place: PropertyPlace) -> Bool {
        let survivors = entities.old.subentityClosure(of: place.entity.name).filter { name in
            entities.old.entity(named: name)?.isAbstract == false
        }.compactMap { match.destinationEntity(of: $0) }
        return !survivors.isEmpty
            && survivors.allSatisfy { entity in
                switch place.property {
                case .attribute(let old): storedAttributes[entity.name]?.contains(old.name) == true
                case .relationship(let old): storedRelationships[entity.name]?.contains(old.name) == true
                case .fetchedProperty: false
                }
            }
    }

    private func inverse(of relationship: RelationshipDescription) -> PropertyPlace? {
        guard let name = relationship.inverseName else { return nil }
        var current = entities.old.entity(named: relationship.destinationEntityName)
        while let entity = current {
            if let inverse = entity.declaredRelationships.first(where: { $0.name == name }) {
                return PropertyPlace(entity: entity, property: .relationship(inverse))
            }
            current = entity.superentityName.flatMap { entities.old.entity(named: $0) }
        }
        return nil
    }

    /// Returns a Boolean value that indicates whether objects that have the property in the old version do not have it
    /// in the new version.
    func isLost(moved place: PropertyPlace) -> Bool {
        guard place.property.isStored else { return false }
        let targets = (newForms[PropertyKey(place)] ?? []).map(\.entity.name)
        var pending = [place.entity.name]
        while let name = pending.popLast() {
            guard let entity = entities.old.entity(named: name) else { continue }
            pending += entity.subentityNames
            // The rows of a removed entity are lost with it, which is a separate change.
            guard !entity.isAbstract, let later = entities.new(of: name) else { continue }
            if !targets.contains(where: { entities.new.entity(later.name, isKindOf: $0) }) { return true }
        }
        return false
    }

    /// Returns a Boolean value that indicates whether objects lose inherited properties when their entity leaves a
    /// hierarchy.
    func isLost(inheritedBy old: EntityDescription, in new: EntityDescription) -> Bool {
        guard hasRows(old.name) else { return false }
        let attributes = IdentityPairs(
            old: old.attributes.map { .init($0.name, $0.renamingIdentifier) },
            new: new.attributes.map { .init($0.name, $0.renamingIdentifier) }
        )
        let relationships = IdentityPairs(
            old: old.relationships.map { .init($0.name, $0.renamingIdentifier) },
            new: new.relationships.map { .init($0.name, $0.renamingIdentifier) }
        )
        // Inherited properties come first; the properties that the entity declares itself are compared separately.
        let lostAttribute = old.attributes.dropLast(old.declaredAttributes.count).enumerated().contains {
            attributes.newIndexes[$0.offset] == nil && DeclaredProperty.attribute($0.element).isStored
        }
        let lostRelationship = old.relationships.dropLast(old.declaredRelationships.count).enumerated().contains {
            relationships.newIndexes[$0.offset] == nil && DeclaredProperty.relationship($0.element).isStored
        }
        return lostAttribute || lostRelationship
    }

    /// Returns a Boolean value that indicates whether a change of a field drops or changes values.
    func isLost(_ aspect: ModelChange.Aspect, of old: DeclaredProperty, in new: DeclaredProperty) -> Bool {
        guard old.isStored else { return false }
        // Fields that are not named here change neither columns nor rows.
        switch (old, new) {
        case (.attribute(let old), .attribute(let new)):
            return aspect == .attributeType && !isExact(old.attributeType, as: new.attributeType) && !new.isTransient
                && !new.isDerived || aspect == .isTransient && new.isTransient
                || aspect == .derivationExpression && new.isDerived
        case (.relationship(let old), .relationship(let new)):
            return aspect == .isTransient && new.isTransient
                || aspect == .isToMany && !new.isToMany
                || aspect == .isOrdered && old.isToMany && new.isToMany && !new.isOrdered
                || aspect == .destinationEntityName
                    && !objects(of: old.destinationEntityName, are: new.destinationEntityName)
        case (.attribute, _), (.relationship, _), (.fetchedProperty, _): return false
        }
    }

    /// Returns a Boolean value that indicates whether all objects of an old entity are objects of a new one.
    private func objects(of oldName: String, are newName: String) -> Bool {
        if let later = entities.new(of: oldName), entities.new.entity(later.name, isKindOf: newName) { return true }
        guard let earlier = entities.old(of: newName) else { return false }
        return entities.old.entity(oldName, isKindOf: earlier.name)
    }

    /// Returns a Boolean value that indicates whether every value of one type can be represented exactly in the other.
    private func isExact(_ old: AttributeType, as new: AttributeType) -> Bool {
        switch old {
        case .integer16: [.integer32, .integer64, .decimal, .double, .float].contains(new)
        case .integer32: [.integer64, .decimal, .double].contains(new)
        case .integer64: new == .decimal
        case .float: new == .double
        case .boolean: [.integer16, .integer32, .integer64, .decimal, .double, .float].contains(new)
        case .undefined, .decimal, .double, .string, .date, .binaryData, .uuid, .uri, .transformable,
            .composite, .objectID:
            false
        }
    }
}
