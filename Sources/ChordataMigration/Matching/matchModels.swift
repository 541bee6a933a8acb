internal import ChordataModel
internal import ChordataSQL

/// Matches the entities and properties of two versions, and finds those that match more than one old property.
func matchModels(_ source: ManagedObjectModel, _ destination: ManagedObjectModel) -> Planned<MigrationMatch> {
    let match = MigrationMatch(source, destination)
    return Planned(match, findMergedRelationships(match) + findDuplicateRenamingIDs(match))
}

/// Finds relationships that replace several relationships with different destinations.
///
/// It is unknown which of their objects they should reference. Core Data rejects the migration from WordPress 19 to 21,
/// in which everything else is inferred.
private func findMergedRelationships(_ match: MigrationMatch) -> [Finding] {
    match.destination.entities.flatMap { entity in
        entity.declaredRelationships.filter { !$0.isTransient }.compactMap { relationship -> Finding? in
            let unrelated = unrelatedDestinations(of: relationship, in: entity, match)
            guard !unrelated.isEmpty else { return nil }
            let names = unrelated.sorted().map { "'\($0)'" }.joined(separator: " and ")
            return .notInferred(
                "relationship '\(relationship.name)' of '\(entity.name)' replaces several relationships, which referenced \(names)",
                remedy: "keep separate relationships",
                entity: entity.name,
                property: relationship.name
            )
        }
    }
}

/// Returns the old destinations of a relationship that are not related to one another by inheritance.
private func unrelatedDestinations(
    of relationship: RelationshipDescription,
    in entity: EntityDescription,
    _ match: MigrationMatch
) -> Set<String> {
    var destinations: Set<String> = []
    for name in match.destination.subentityClosure(of: entity.name) {
        let old = match.models.sourceRelationship(named: relationship.name, of: name)
        if let old, !old.isTransient { destinations.insert(old.destinationEntityName) }
    }
    return destinations.filter { name in
        destinations.contains { other in
            !match.source.entity(name, isKindOf: other) && !match.source.entity(other, isKindOf: name)
        }
    }
}

/// Finds properties whose renaming identifier is the name of another property of the entity (R4).
///
/// One of the two is inherited; otherwise the model would have been rejected before.
private func findDuplicateRenamingIDs(_ match: MigrationMatch) -> [Finding] {
    match.destination.entities.filter { match.models.sourceEntity(of: $0.name) != nil }.flatMap { entity -> [Finding] in
        let models = match.models
        let names = Set(entity.attributes.map(\.name) + entity.relationships.map(\.name))
        let claims =
            entity.attributes.map { ($0.name, models.sourceAttribute(named: $0.name, of: entity.name)?.name) }
            + entity.relationships.map { ($0.name, models.sourceRelationship(named: $0.name, of: entity.name)?.name) }
        return claims.compactMap { name, old -> Finding? in
            // A new property may have the name; an inherited property that had the name before may not.
            guard let old, old != name, names.contains(old),
                models.sourceAttribute(named: old, of: entity.name) == nil,
                models.sourceRelationship(named: old, of: entity.name) == nil,
                isOld(old, of: match.declarer(of: old, in: entity.name), models)
            else { return nil }
            return .notInferred(
                "'\(name)' of '\(entity.name)' is renamed from '\(old)' by its renaming identifier, but '\(entity.name)' "
                    + "still has '\(old)', and only one of the two can receive the old values",
                remedy: "remove the renaming identifier from '\(name)', or remove or rename '\(old)'",
                entity: entity.name,
                property: name
            )
        }
    }
}

private func isOld(_ name: String, of entity: String, _ models: ModelMatch) -> Bool {
    models.sourceAttribute(named: name, of: entity)?.name == name
        || models.sourceRelationship(named: name, of: entity)?.name == name
}
