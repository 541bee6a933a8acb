internal import ChordataDiagnostics
internal import ChordataModel

extension ModelChecker {
    /// Finds relationships without an inverse, and those with a one-sided inverse.
    mutating func checkInverses() {
        for entity in entities(where: { !$0.declaredRelationships.isEmpty }) {
            for relationship in entity.declaredRelationships {
                if relationship.inverseName == nil { reportInverse(of: relationship, of: entity.name) }
                checkInverseEntity(relationship, of: entity.name)
                checkOptionality(relationship, of: entity.name)
            }
        }
    }

    private mutating func reportInverse(of relationship: RelationshipDescription, of entity: String) {
        let element = locations.propertyElement(relationship.name, of: entity)
        let name = "'\(relationship.name)' of '\(entity)'"
        let destination = "'\(relationship.destinationEntityName)'"
        guard let inverse = element?.attribute(.inverseName), !inverse.value.isEmpty else {
            if !relationship.isTransient {
                report(
                    .missingInverse,
                    "\(name) has no inverse, so it can keep references to deleted objects; add an inverse to "
                        + destination,
                    at: element?.place(.name)
                )
            }
            return
        }
        // A one-sided inverse was removed when the model was read.
        if let other = self.relationship(inverse.value, of: relationship.destinationEntityName) {
            // The other relationship names an inverse that does not exist, which is the actual mistake.
            if isInverseUnknown(of: other, from: relationship.destinationEntityName) { return }
            report(
                .oneSidedInverse,
                "inverse '\(inverse.shown)' of \(name) is one-sided: '\(inverse.shown)' of \(destination) does not "
                    + "name '\(relationship.name)' as its inverse, so a change at one end would not update the other; "
                    + "set the inverse at both ends",
                at: inverse.valueLocation
            )
            return
        }
        let model = model
        let nearest = nearest(to: inverse.value) {
            // The relationships with this destination, except the relationship itself.
            let candidates = model.entity(named: relationship.destinationEntityName)?.relationships ?? []
            return candidates.filter { candidate in
                let target = candidate.destinationEntityName
                return (relationship.destinationEntityName != entity || candidate.name != relationship.name)
                    && (model.entity(entity, isKindOf: target) || model.entity(target, isKindOf: entity))
            }
            .map(\.name)
        }
        report(
            .unknownInverse,
            "inverse '\(inverse.shown)' of \(name) is not a relationship of \(destination); "
                + (nearest.map { "did you mean '\($0)'?" }
                    ?? "name a relationship whose destination is '\(entity)', or add the missing one"),
            at: inverse.valueLocation,
            fixIts: nearest.map { [inverse.replacing(with: $0)] } ?? []
        )
    }

    /// Returns a Boolean value that indicates whether the file names an inverse of a relationship that its destination
    /// does not have.
    private mutating func isInverseUnknown(of relationship: RelationshipDescription, from entity: String) -> Bool {
        guard relationship.inverseName == nil else { return false }
        let owner = owner(of: relationship.name, from: entity)
        guard let said = locations.propertyElement(relationship.name, of: owner)?[.inverseName], !said.isEmpty else {
            return false
        }
        return self.relationship(said, of: relationship.destinationEntityName) == nil
    }

    /// Checks the entity of the inverse, which the file also names: it must be the destination.
    private mutating func checkInverseEntity(_ relationship: RelationshipDescription, of entity: String) {
        guard let said = locations.propertyElement(relationship.name, of: entity)?.attribute(.inverseEntity),
            !model.entity(relationship.destinationEntityName, isKindOf: said.value)
        else { return }
        report(
            .unknownValue,
            "'inverseEntity' of '\(relationship.name)' of '\(entity)' is '\(said.shown)' and is ignored, because the "
                + "destination is '\(relationship.destinationEntityName)'; correct 'inverseEntity'",
            at: said.valueLocation,
            fixIts: [said.replacing(with: relationship.destinationEntityName)]
        )
    }

    /// Finds optional to-one relationships with a minimum count of 1: only `optional` has an effect.
    ///
    /// Up to tools version 17192, Xcode wrote the count for every to-one relationship, required or not, so the count
    /// has no meaning there.
    private mutating func checkOptionality(_ relationship: RelationshipDescription, of entity: String) {
        guard !relationship.isToMany, relationship.isOptional, relationship.minimumCount > 0,
            locations.toolsVersion.map({ $0 >= 21_000 }) ?? true
        else { return }
        report(
            .optionalLooksRequired,
            "'\(relationship.name)' of '\(entity)' is optional, so its minimum count of \(relationship.minimumCount) "
                + "is ignored; remove 'minCount' if the relationship may be nil, or 'optional' if it must reference an object",
            at: place(.minCount, of: relationship.name, of: entity)
        )
    }

    // MARK: Delete rules

    /// Finds delete rules that make deleting impossible, or leave objects broken.
    mutating func checkDeleteRules() {
        for entity in entities(where: { !$0.declaredRelationships.isEmpty }) {
            for relationship in entity.declaredRelationships where !relationship.isTransient {
                checkMeaning(of: relationship, of: entity.name)
                checkNullify(relationship, of: entity.name)
            }
        }
        checkCascades()
    }

    private mutating func checkMeaning(of relationship: RelationshipDescription, of entity: String) {
        if relationship.deleteRule == .noAction, let inverse = relationship.inverseName {
            report(
                .ineffectiveDeleteRule,
                "'\(relationship.name)' of '\(entity)' has delete rule 'No Action', so after a deletion '\(inverse)' of "
                    + "'\(relationship.destinationEntityName)' can still reference the deleted object in memory, although the "
                    + "store has removed this reference; use 'Nullify'",
                at: place(.deletionRule, of: relationship.name, of: entity)
            )
        } else if relationship.isToMany,
            locations.propertyElement(relationship.name, of: entity)?.attribute(.deletionRule) == nil
        {
            report(
                .ineffectiveDeleteRule,
                "to-many '\(relationship.name)' of '\(entity)' has no delete rule, so 'Nullify' is used; choose a "
                    + "delete rule",
                at: place(.deletionRule, of: relationship.name, of: entity)
            )
        }
    }

    /// Finds relationships whose rule Nullify empties a required inverse, so that the save after a deletion fails.
    private mutating func checkNullify(_ relationship: RelationshipDescription, of entity: String) {
        guard relationship.deleteRule == .nullify, let inverse = inverse(of: relationship), !inverse.isToMany,
            !inverse.isOptional, !inverse.isTransient
        else { return }
        report(
            .nullifiedRequiredInverse,
            "deleting a '\(entity)' nullifies '\(inverse.name)' of '\(relationship.destinationEntityName)', which is "
                + "required, so the save fails; set the delete rule of '\(relationship.name)' to 'Cascade' or 'Deny', or make "
                + "'\(inverse.name)' optional",
            at: place(.deletionRule, of: relationship.name, of: entity)
        )
    }

    /// Finds the rule Deny behind the rule Cascade: the deletion of an object fails because of an object that it
    /// cascades to.
    ///
    /// Each Deny is reported once, with the first Cascade that reaches it.
    private mutating func checkCascades() {
        var cascades: [String: [(owner: String, relationship: RelationshipDescription)]] = [:]
        for entity in entities(where: { !$0.declaredRelationships.isEmpty }) {
            for relationship in entity.declaredRelationships where relationship.deleteRule == .cascade {
                // Two are enough, because at most one of them is the inverse of a denying relationship.
                if cascades[relationship.destinationEntityName]?.count ?? 0 < 2 {
                    cascades[relationship.destinationEntityName, default: []].append((entity.name, relationship))
                }
            }
        }
        guard !cascades.isEmpty else { return }
        var told: Set<[String]> = []
        for entity in entities(where: { $0.relationships.contains { $0.deleteRule == .deny } }) {
            // Relationships to a superentity can reference its objects too.
            var reaching: [(owner: String, relationship: RelationshipDescription)] = []
            var level: String? = entity.name
            while let name = level {
                reaching += cascades[name] ?? []
                level = model.entity(named: name)?.superentityName
            }
            for denied in entity.relationships where denied.deleteRule == .deny {
                guard let cascade = reaching.first(where: { $0.relationship.inverseName != denied.name }) else {
                    continue
                }
                let owner = owner(of: denied.name, from: entity.name)
                guard told.insert([owner, denied.name]).inserted else { continue }
                let place = place(.deletionRule, of: cascade.relationship.name, of: cascade.owner)
                report(
                    .denyUnderCascade,
                    "'\(denied.name)' of '\(owner)' has delete rule 'Deny', and '\(cascade.relationship.name)' of "
                        + "'\(cascade.owner)' has delete rule 'Cascade', so deleting an object of '\(cascade.owner)' fails "
                        + "while '\(denied.name)' of an object that its '\(cascade.relationship.name)' references is not "
                        + "empty; change one of these two rules",
                    at: self.place(.deletionRule, of: denied.name, of: owner),
                    notes: [
                        Diagnostic.Note(
                            "'\(cascade.relationship.name)' of '\(cascade.owner)' cascades here",
                            at: place
                        )
                    ]
                )
            }
        }
    }

    private mutating func inverse(of relationship: RelationshipDescription) -> RelationshipDescription? {
        relationship.inverseName.flatMap { self.relationship($0, of: relationship.destinationEntityName) }
    }

    /// Returns the entity that declares a relationship, among an entity and its superentities.
    private mutating func owner(of relationship: String, from entity: String) -> String {
        var current: String? = entity
        while let candidate = current {
            if let element = locations.propertyElement(relationship, of: candidate), element.name == .relationship,
                !isInherited(relationship, by: candidate)
            {
                return candidate
            }
            current = model.entity(named: candidate)?.superentityName
        }
        return entity
    }

    /// Returns a Boolean value that indicates whether a superentity has the relationship already, so that the entity
    /// only repeats it.
    private mutating func isInherited(_ relationship: String, by entity: String) -> Bool {
        guard let superentity = model.entity(named: entity)?.superentityName else { return false }
        return self.relationship(relationship, of: superentity) != nil
    }
}
