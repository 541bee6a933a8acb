internal import ChordataDiagnostics
internal import ChordataModel

extension ModelResolver {
    mutating func resolveRelationship(_ element: ElementSyntax, of owner: String) -> RelationshipDescription? {
        // A relationship without a name has been reported.
        guard let name = element[.name] else { return nil }
        guard let destination = element.attribute(.destinationEntity) else {
            report(
                .missingDestination,
                "relationship '\(name)' of '\(owner)' has no destination; choose an entity",
                at: element.location
            )
            return nil
        }
        guard hasEntity(destination.value) else {
            report(
                .unknownDestination,
                "relationship '\(name)' of '\(owner)' has destination '\(destination.shown)', which is not an entity",
                at: destination,
                among: entityNames,
                otherwise: "choose an entity of this model"
            )
            return nil
        }
        // Core Data decides by the maximum count; Xcode writes both attributes if the count is bounded.
        let maximumCount = number(element, .maxCount)
        let isToMany = flag(element, .toMany) || (maximumCount ?? 1) != 1
        let isOrdered = flag(element, .ordered)
        let relationship = RelationshipDescription(
            name: name,
            destinationEntityName: destination.value,
            inverseName: element[.inverseName].flatMap { $0.isEmpty ? nil : $0 },
            isToMany: isToMany,
            isOrdered: isToMany && isOrdered,
            isOptional: flag(element, .optional),
            isTransient: flag(element, .transient),
            minimumCount: number(element, .minCount) ?? 0,
            maximumCount: isToMany ? maximumCount : nil,
            deleteRule: resolveDeleteRule(element, of: name, owner),
            renamingIdentifier: renamingIdentifier(element),
            versionHashModifier: element[.versionHashModifier],
            userInfo: userInfo(element)
        )
        checkBounds(relationship, element, owner: owner)
        return relationship
    }

    private mutating func resolveDeleteRule(_ element: ElementSyntax, of name: String, _ owner: String) -> DeleteRule {
        guard let attribute = element.attribute(.deletionRule) else { return .nullify }
        if let rule = DeleteRule(rawValue: attribute.value) { return rule }
        // This is an error, because the effect on other objects must not be guessed.
        report(
            .unknownDeleteRule,
            "relationship '\(name)' of '\(owner)' has unknown delete rule '\(attribute.shown)'",
            at: attribute,
            among: DeleteRule.allCases.map(\.rawValue),
            otherwise: "choose 'Nullify', 'Cascade', 'Deny' or 'No Action'"
        )
        return .nullify
    }
}
