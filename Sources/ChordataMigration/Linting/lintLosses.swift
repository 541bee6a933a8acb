internal import ChordataDiagnostics
internal import ChordataModel

/// Reports a change that may drop or change values.
func lossRemark(_ change: ModelChange, _ match: MigrationMatch, _ names: VersionNames) -> PlanRemark? {
    // A property that is removed with its entity is reported with the entity.
    if change.kind == .removed, change.subject != .entity, isOfRemovedEntity(change, match) { return nil }
    return remark(
        change.aspect == .attributeType ? .riskyConversion : .migrationLosesData,
        "\(sentence(change)) in '\(names.destination)', \(lossPhrase(change))",
        on: change,
        match
    )
}

private func lossPhrase(_ change: ModelChange) -> String {
    switch (change.kind, change.subject) {
    case (.removed, .entity):
        "so its objects are dropped; if another entity replaces it, set the renaming identifier of that entity to the name of the removed one"
    case (.removed, _):
        "so its values are dropped; if another property replaces it, set the renaming identifier of that property to the name of the removed one"
    default:
        change.aspect == .attributeType
            ? "so values can change: depending on the types, fractions are truncated or precision is lost; and the migration fails if a value is outside the range of the new type; make sure that the new type can represent all stored values, or keep the old type"
            : "so values may be dropped"
    }
}

private func isOfRemovedEntity(_ change: ModelChange, _ match: MigrationMatch) -> Bool {
    (change.oldEntityName ?? change.entityName).map { match.models.destinationEntity(of: $0) == nil } ?? false
}

/// Reports relationships with the same destination as before, to which some of its objects do not belong any more.
func lostLinkRemarks(_ match: MigrationMatch, _ names: VersionNames) -> [PlanRemark] {
    match.destination.entities.flatMap { entity in
        entity.declaredRelationships.filter { !$0.isTransient }.compactMap { relationship -> PlanRemark? in
            guard let old = match.models.sourceRelationship(named: relationship.name, of: entity.name),
                !old.isTransient,
                match.models.destinationEntity(of: old.destinationEntityName)?.name
                    == relationship.destinationEntityName
            else { return nil }
            let lost = match.destinations(of: old, in: relationship).lost.compactMap {
                match.models.destinationEntity(of: $0)?.name
            }
            guard !lost.isEmpty else { return nil }
            let entities = lost.sorted().map { "'\($0)'" }.joined(separator: ", ")
            return PlanRemark(
                id: .migrationLosesData,
                message:
                    "'\(relationship.name)' of '\(entity.name)' can no longer reference objects of \(entities), "
                    + "because '\(relationship.destinationEntityName)' is no longer their superentity in "
                    + "'\(names.destination)'; to keep these references, first release a version with a separate relationship to these objects and let your code move the references to it, or keep these entities as subentities",
                entity: entity.name,
                property: relationship.name
            )
        }
    }
}
