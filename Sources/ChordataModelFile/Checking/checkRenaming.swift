internal import ChordataDiagnostics
internal import ChordataModel

extension ModelChecker {
    /// Finds renaming identifiers that do not occur in an earlier version: nothing would be renamed, and the old column
    /// would be dropped.
    mutating func checkRenaming(since earlier: [ManagedObjectModel]) {
        guard !earlier.isEmpty else { return }
        checkClaims()
        let renamed = earlier.map { old in
            Dictionary(old.entities.map { ($0.renamingIdentifier, $0) }, uniquingKeysWith: { first, _ in first })
        }
        for entity in model.entities {
            let counterparts = zip(earlier, renamed).compactMap { old, renamed in
                renamed[entity.renamingIdentifier] ?? old.entity(named: entity.renamingIdentifier)
            }
            if entity.renamingIdentifier != entity.name, counterparts.isEmpty {
                report(
                    .unknownRenamingIdentifier,
                    "no earlier version has an entity '\(entity.renamingIdentifier)' that '\(entity.name)' could have been "
                        + "renamed from; correct or remove the renaming identifier",
                    at: renamingPlace(locations.entityElement(entity.name))
                )
            }
            var known: Set<String> = []
            for old in counterparts {
                for attribute in old.attributes { known.formUnion([attribute.name, attribute.renamingIdentifier]) }
                for relationship in old.relationships {
                    known.formUnion([relationship.name, relationship.renamingIdentifier])
                }
            }
            let properties =
                entity.declaredAttributes.map { ($0.name, $0.renamingIdentifier) }
                + entity.declaredRelationships.map { ($0.name, $0.renamingIdentifier) }
            for (name, identifier) in properties where identifier != name && !known.contains(identifier) {
                report(
                    .unknownRenamingIdentifier,
                    "no earlier version has a property '\(identifier)' that '\(name)' of '\(entity.name)' could have been "
                        + "renamed from; correct or remove the renaming identifier",
                    at: renamingPlace(locations.propertyElement(name, of: entity.name))
                )
            }
        }
    }

    /// Finds two entities or two properties with the same renaming identifier: the old values cannot be moved to both.
    mutating func checkClaims() {
        var entities: [String: String] = [:]
        for entity in model.entities {
            if entity.renamingIdentifier != entity.name,
                let other = entities.updateValue(entity.name, forKey: entity.renamingIdentifier)
            {
                reportClaim(
                    "entities '\(other)' and '\(entity.name)'",
                    entity.renamingIdentifier,
                    at: renamingPlace(locations.entityElement(entity.name)),
                    other: renamingPlace(locations.entityElement(other))
                )
            }
            var properties: [String: String] = [:]
            let claims =
                entity.declaredAttributes.map { ($0.name, $0.renamingIdentifier) }
                + entity.declaredRelationships.map { ($0.name, $0.renamingIdentifier) }
            for (name, identifier) in claims where identifier != name {
                guard let other = properties.updateValue(name, forKey: identifier) else { continue }
                reportClaim(
                    "'\(other)' and '\(name)' of '\(entity.name)'",
                    identifier,
                    at: renamingPlace(locations.propertyElement(name, of: entity.name)),
                    other: renamingPlace(locations.propertyElement(other, of: entity.name))
                )
            }
        }
    }

    private mutating func reportClaim(
        _ claimants: String,
        _ identifier: String,
        at location: SourceLocation?,
        other: SourceLocation?
    ) {
        report(
            .duplicateRenamingIdentifier,
            "\(claimants) both have the renaming identifier '\(identifier)', but only one of them can be renamed "
                + "from it; remove one of the two renaming identifiers",
            at: location,
            notes: [Diagnostic.Note("the other one is here", at: other)]
        )
    }

    private func renamingPlace(_ element: ElementSyntax?) -> SourceLocation? {
        (element?.attribute(.elementID) ?? element?.attribute(.renamingIdentifier))?.valueLocation
    }
}
