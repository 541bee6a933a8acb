internal import ChordataDiagnostics
internal import ChordataModel

/// Reports the only new element of its kind if there is only one removed element of the same kind: probably a renaming.
func renamingRemark(_ added: ModelChange, _ match: MigrationMatch) -> PlanRemark? {
    switch added.subject {
    case .entity:
        guard let name = added.entityName, let new = match.destination.entity(named: name) else { return nil }
        let removed = match.causes.entities(.removed).compactMap { match.source.entity(named: $0) }.filter {
            isAlike($0, new)
        }
        guard removed.count == 1, let old = removed.first else { return nil }
        let others = match.causes.entities(.added).compactMap { match.destination.entity(named: $0) }.filter {
            isAlike(old, $0)
        }
        guard others.count == 1 else { return nil }
        return suggestion(
            "entity '\(old.name)' was removed and '\(name)' is new, with properties of the same names",
            old.name,
            name,
            nil
        )
    case .attribute, .relationship:
        guard let entity = added.entityName, let name = added.name, let old = match.models.sourceEntity(of: entity),
            let new = match.destination.entity(named: entity), let form = PropertyForm(name, of: new)
        else { return nil }
        let removed = match.causes.ofRemovedProperties(of: old.name).compactMap(\.name).filter {
            PropertyForm($0, of: old) == form
        }
        let others = match.causes.changes.filter { other in
            other.kind == .added && other.subject == added.subject && other.entityName == entity
                && other.name.flatMap { PropertyForm($0, of: new) } == form
        }
        guard removed.count == 1, others.count == 1, let before = removed.first else { return nil }
        return suggestion(
            "'\(before)' of '\(entity)' was removed and '\(name)' of the same type is new",
            before,
            entity,
            name
        )
    default: return nil  // No other element has values that can be lost.
    }
}

/// Returns a Boolean value that indicates whether at least half of the properties of two entities have the same
/// names.
private func isAlike(_ old: EntityDescription, _ new: EntityDescription) -> Bool {
    let oldNames = Set(old.attributes.map(\.name) + old.relationships.map(\.name))
    let newNames = Set(new.attributes.map(\.name) + new.relationships.map(\.name))
    return !oldNames.isEmpty && oldNames.intersection(newNames).count * 2 >= max(oldNames.count, newNames.count)
}

private func suggestion(_ what: String, _ identifier: String, _ entity: String, _ property: String?) -> PlanRemark {
    let kind = property == nil ? "entity" : "property"
    return PlanRemark(
        id: .likelyRenaming,
        message:
            "\(what); if this is a renaming, set the renaming identifier of the new \(kind) to '\(identifier)', so that the values of the old \(kind) are kept",
        entity: entity,
        property: property,
        renamingIdentifier: identifier
    )
}

/// The form of a property's values: two properties with the same form may be one property that was renamed.
private enum PropertyForm: Hashable {
    case attribute(AttributeType, compositeName: String?)
    case relationship(destination: String, isToMany: Bool)

    init?(_ name: String, of entity: EntityDescription) {
        if let attribute = entity.declaredAttributes.first(where: { $0.name == name }) {
            if attribute.isTransient || attribute.isDerived { return nil }
            self = .attribute(attribute.attributeType, compositeName: attribute.compositeName)
        } else if let relationship = entity.declaredRelationships.first(where: { $0.name == name }) {
            if relationship.isTransient { return nil }
            self = .relationship(destination: relationship.destinationEntityName, isToMany: relationship.isToMany)
        } else {
            return nil
        }
    }
}
