internal import ChordataDiagnostics
internal import ChordataModel

extension ModelResolver {
    mutating func resolveEntity(_ entity: EntitySyntax) -> EntityDescription {
        let element = entity.element
        var attributes: [AttributeDescription] = []
        attributes.reserveCapacity(entity.attributes.count)
        for attribute in entity.attributes {
            if let resolved = resolveAttribute(attribute, of: entity.name) { attributes.append(resolved) }
        }
        return EntityDescription(
            name: entity.name,
            managedObjectClassName: element[.representedClassName],
            isAbstract: flag(element, .isAbstract),
            superentityName: element[.parentEntity],
            codeGeneration: resolveCodeGeneration(element),
            attributes: attributes,
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
        // Xcode calls this setting Manual/None.
        case "", "none": return .unspecified
        default:
            report(
                .unknownValue,
                "'codeGenerationType' is '\(attribute.shown)', which is unknown and ignored",
                at: attribute,
                among: ["class", "category"],
                otherwise: "write 'class' or 'category', or remove it"
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
            let name = element[.name] ?? "index"
            // An index on some of the properties would be a different index.
            guard !elements.isEmpty, elements.count == parts.count else {
                reportIndex(
                    name,
                    elements.count == parts.count
                        ? nil : "has an element without a property (expressions cannot be indexed)",
                    at: element
                )
                continue
            }
            indexes.append(
                FetchIndexDescription(
                    name: name,
                    elements: elements,
                    partialIndexPredicate: element[.partialIndexPredicate].flatMap { $0.isEmpty ? nil : $0 }
                )
            )
        }
        for element in entity.compoundIndexes {
            let parts = element.children(named: .index)
            let names = parts.compactMap { $0[.value] }
            guard !names.isEmpty, names.count == parts.count else {
                reportIndex(nil, names.isEmpty ? nil : "has an element without a property", at: element)
                continue
            }
            let name = "by_" + names.joined(separator: "_")
            indexes.append(FetchIndexDescription(name: name, elements: names.map { .init(propertyName: $0) }))
        }
        return indexes
    }

    /// - Parameter problem: The problem of an element; `nil` for an index without properties.
    private mutating func reportIndex(_ name: String?, _ problem: String?, at element: ElementSyntax) {
        report(
            .emptyGroup,
            "\(name.map { "index '\($0)'" } ?? "an index") \(problem ?? "has no properties"), and is ignored; "
                + (problem == nil
                    ? "add properties, or remove it" : "name a property in each element, or remove the index"),
            at: element.location
        )
    }

    private mutating func resolveIndexElement(_ element: ElementSyntax) -> FetchIndexDescription.Element? {
        guard let property = element[.property] else { return nil }
        return FetchIndexDescription.Element(
            propertyName: property,
            isAscending: resolveValue(element, .order, ["ascending", "descending"]) != "descending",
            collationType: resolveValue(element, .type, FetchIndexDescription.CollationType.allCases.map(\.rawValue))
                .flatMap { FetchIndexDescription.CollationType(rawValue: $0) } ?? .binary
        )
    }

    /// Returns the value of an attribute with a few valid values; the first of them is assumed for an invalid value.
    private mutating func resolveValue(_ element: ElementSyntax, _ name: ModelName, _ known: [String]) -> String? {
        guard let attribute = element.attribute(name) else { return nil }
        let value = attribute.value
        if known.contains(value) { return value }
        report(
            .unknownValue,
            "'\(name.text)' is '\(value)', which is unknown, so '\(known[0])' is used",
            at: attribute,
            among: known,
            otherwise: "write " + known.map { "'\($0)'" }.joined(separator: " or ")
        )
        return nil
    }

    private mutating func resolveConstraints(_ entity: EntitySyntax) -> [[String]] {
        entity.uniquenessConstraints.compactMap { element in
            let names = element.children(named: .constraint).compactMap { $0[.value] }
            if names.isEmpty {
                // A constraint that does not name a property is reported separately.
                guard element.children(named: .constraint).isEmpty else { return nil }
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
        // A configuration without a name has been reported.
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
                    "configuration '\(name)' contains '\(attribute.shown)', which is not an entity of the model",
                    at: attribute,
                    among: entityNames,
                    otherwise: "use the name of an entity, or remove this member"
                )
                continue
            }
            if seen.insert(attribute.value).inserted { members.append(attribute.value) }
        }
        return ManagedObjectModel.Configuration(name: name, entityNames: members)
    }
}
