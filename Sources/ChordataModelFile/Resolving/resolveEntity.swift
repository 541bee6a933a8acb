internal import ChordataDiagnostics
internal import ChordataModel

extension ModelResolver {
    mutating func resolveEntity(_ entity: EntitySyntax) -> EntityDescription {
        let element = entity.element
        return EntityDescription(
            name: entity.name,
            managedObjectClassName: element[.representedClassName],
            isAbstract: flag(element, .isAbstract),
            superentityName: element[.parentEntity],
            codeGeneration: resolveCodeGeneration(element),
            attributes: entity.attributes.compactMap { resolveAttribute($0, of: entity.name) },
            relationships: entity.relationships.compactMap { resolveRelationship($0, of: entity.name) },
            fetchedProperties: entity.fetchedProperties.compactMap { resolveFetchedProperty($0, of: entity.name) },
            indexes: resolveIndexes(entity),
            uniquenessConstraints: resolveConstraints(entity),
            renamingIdentifier: renamingIdentifier(element),
            versionHashModifier: element[.versionHashModifier],
            userInfo: userInfo(element)
        )
    }

    private mutating func resolveCodeGeneration(_ element: ElementSyntax) -> EntityDescription.CodeGeneration {
        guard let attribute = element.attribute(.codeGenerationType) else { return .unspecified }
        switch attribute.value {
        case "class": return .class
        case "category": return .category
        // What Xcode calls Manual/None.
        case "", "none": return .unspecified
        default:
            report(
                .unknownValue,
                "'codeGenerationType' is '\(attribute.value)', which is not known and counts as none; "
                    + "write 'class' or 'category', or remove it",
                at: attribute,
                among: ["class", "category"]
            )
            return .unspecified
        }
    }

    // MARK: Indexes and constraints

    private mutating func resolveIndexes(_ entity: EntitySyntax) -> [FetchIndexDescription] {
        var indexes: [FetchIndexDescription] = []
        for element in entity.fetchIndexes {
            let parts = element.children(named: .fetchIndexElement)
            let elements = parts.compactMap { resolveIndexElement($0) }
            indexes += index(
                named: element[.name] ?? "index",
                elements,
                element,
                isComplete: elements.count == parts.count
            )
        }
        for element in entity.compoundIndexes {
            let names = element.children(named: .index).compactMap { $0[.value] }
            let elements = names.map { FetchIndexDescription.Element(propertyName: $0) }
            indexes += index(named: "by_" + names.joined(separator: "_"), elements, element, isComplete: true)
        }
        return indexes
    }

    private mutating func index(
        named name: String,
        _ elements: [FetchIndexDescription.Element],
        _ element: ElementSyntax,
        isComplete: Bool
    ) -> [FetchIndexDescription] {
        guard elements.isEmpty else { return [FetchIndexDescription(name: name, elements: elements)] }
        if isComplete {
            report(
                .emptyGroup,
                "index '\(name)' has no properties and is ignored; add some, or remove it",
                at: element.location
            )
        }
        return []
    }

    private mutating func resolveIndexElement(_ element: ElementSyntax) -> FetchIndexDescription.Element? {
        guard let property = element[.property] else {
            report(
                .missingName,
                "index element names no property; expressions cannot be indexed, name a property instead",
                at: element.location
            )
            return nil
        }
        var isAscending = true
        if let order = element.attribute(.order) {
            switch order.value {
            case "ascending": break
            case "descending": isAscending = false
            default:
                report(
                    .unknownValue,
                    "'order' is '\(order.value)', which is not known and counts as 'ascending'",
                    at: order,
                    among: ["ascending", "descending"]
                )
            }
        }
        return FetchIndexDescription.Element(propertyName: property, isAscending: isAscending)
    }

    private mutating func resolveConstraints(_ entity: EntitySyntax) -> [[String]] {
        entity.uniquenessConstraints.compactMap { element in
            let names = element.children(named: .constraint).compactMap { $0[.value] }
            if names.isEmpty {
                report(
                    .emptyGroup,
                    "a uniqueness constraint of '\(entity.name)' has no properties and is ignored; add some, or remove it",
                    at: element.location
                )
                return nil
            }
            return names
        }
    }

    // MARK: Configurations

    mutating func resolveConfiguration(_ element: ElementSyntax) -> ManagedObjectModel.Configuration? {
        // One without a name has been reported.
        guard let name = element[.name] else { return nil }
        var members: [String] = []
        var seen: Set<String> = []
        for member in element.children(named: .memberEntity) {
            guard let attribute = member.attribute(.name) else {
                report(.missingName, "member of configuration '\(name)' has no name; give it one", at: member.location)
                continue
            }
            guard hasEntity(attribute.value) else {
                report(
                    .unknownMemberEntity,
                    "configuration '\(name)' has the member '\(attribute.value)', which is not an entity",
                    at: attribute,
                    among: entityNames
                )
                continue
            }
            if seen.insert(attribute.value).inserted { members.append(attribute.value) }
        }
        return ManagedObjectModel.Configuration(name: name, entityNames: members)
    }
}
