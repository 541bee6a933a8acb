internal import ChordataDiagnostics
internal import ChordataModel

extension ModelResolver {
    mutating func resolveEntity(_ element: ElementSyntax) -> EntityDescription? {
        guard let name = element["name"] else { return nil }
        let attributeElements = element.children(named: "attribute")
        let relationshipElements = element.children(named: "relationship")
        let fetchedElements = element.children(named: "fetchedProperty")
        checkDuplicates(attributeElements + relationshipElements + fetchedElements, of: "property", within: "'\(name)'")
        for property in attributeElements + relationshipElements + fetchedElements {
            if let propertyName = property["name"] {
                locations.properties["\(name).\(propertyName)"] = property.place("name")
                locations.derivations["\(name).\(propertyName)"] =
                    property.attribute("derivationExpression")?.valueLocation
            }
        }
        let known: Set = [
            "attribute", "relationship", "fetchedProperty", "userInfo", "compoundIndexes", "fetchIndex",
            "uniquenessConstraints",
        ]
        for child in element.children where !known.contains(child.name) {
            report(.unknownElement, "element '\(child.name)' is unknown and ignored", at: child.location)
        }
        return EntityDescription(
            name: name,
            managedObjectClassName: element["representedClassName"],
            isAbstract: element.flag("isAbstract"),
            superentityName: element["parentEntity"],
            codeGeneration: element["codeGenerationType"].flatMap { EntityDescription.CodeGeneration(rawValue: $0) }
                ?? .unspecified,
            attributes: attributeElements.compactMap { resolveAttribute($0, of: name) },
            relationships: relationshipElements.compactMap { resolveRelationship($0, of: name) },
            fetchedProperties: fetchedElements.compactMap { resolveFetchedProperty($0) },
            indexes: resolveIndexes(element),
            uniquenessConstraints: resolveConstraints(element),
            renamingIdentifier: renamingIdentifier(element),
            versionHashModifier: element["versionHashModifier"],
            userInfo: userInfo(element)
        )
    }

    /// Both spellings occur; Xcode writes `elementID`.
    private func renamingIdentifier(_ element: ElementSyntax) -> String? {
        element["elementID"] ?? element["renamingIdentifier"]
    }

    private func userInfo(_ element: ElementSyntax) -> [String: String] {
        Dictionary(
            element.children(named: "userInfo").flatMap { $0.children(named: "entry") }.compactMap { entry in
                entry["key"].map { ($0, entry["value"] ?? "") }
            },
            uniquingKeysWith: { first, _ in first }
        )
    }

    // MARK: Attributes

    private mutating func resolveAttribute(_ element: ElementSyntax, of owner: String) -> AttributeDescription? {
        guard let name = element["name"] else { return nil }
        let isTransient = element.flag("transient")
        guard let type = resolveType(element, name: name, owner: owner, isTransient: isTransient) else { return nil }
        var attribute = AttributeDescription(
            name: name,
            attributeType: type,
            isOptional: element.flag("optional"),
            isTransient: isTransient,
            usesScalarValueType: element.flag("usesScalarValueType"),
            regularExpression: element["regularExpressionString"],
            allowsExternalBinaryDataStorage: element.flag("allowsExternalBinaryDataStorage"),
            valueTransformerName: element["valueTransformerName"].flatMap { $0.isEmpty ? nil : $0 },
            attributeValueClassName: element["customClassName"],
            derivationExpression: element.flag("derived") ? element["derivationExpression"] : nil,
            isIndexed: element.flag("indexed"),
            preservesValueInHistoryOnDeletion: element.flag("preserveAfterDeletion")
                || element.flag("preservesValueInHistoryOnDeletion"),
            renamingIdentifier: renamingIdentifier(element),
            versionHashModifier: element["versionHashModifier"],
            userInfo: userInfo(element)
        )
        attribute.defaultValue = resolveValue(element, "default", of: attribute, owner)
        // On a String the bounds are lengths.
        var bounds = attribute
        if type == .string { bounds.attributeType = .integer64 }
        attribute.minimumValue = resolveValue(element, "min", of: bounds, owner)
        attribute.maximumValue = resolveValue(element, "max", of: bounds, owner)
        if type == .composite { resolveElements(of: &attribute, element, owner: owner, path: []) }
        return attribute
    }

    private mutating func resolveType(
        _ element: ElementSyntax,
        name: String,
        owner: String,
        isTransient: Bool
    ) -> AttributeType? {
        guard let text = element["attributeType"] else {
            if isTransient { return .undefined }
            report(
                .missingAttributeType,
                "attribute '\(name)' of '\(owner)' has no type; choose one, or make it transient",
                at: element.location
            )
            return nil
        }
        if let type = AttributeType(rawValue: text) { return type }
        let names = AttributeType.allCases.map(\.rawValue)
        report(
            .unknownAttributeType,
            "attribute '\(name)' of '\(owner)' has unknown type '\(text)'\(suggestion(text, names))",
            at: element.place("attributeType")
        )
        return nil
    }

    private mutating func resolveElements(
        of attribute: inout AttributeDescription,
        _ element: ElementSyntax,
        owner: String,
        path: [String]
    ) {
        let name = element["composite"] ?? ""
        attribute.compositeName = name
        guard let composite = compositeElements[name], !path.contains(name) else {
            let reason =
                path.contains(name)
                ? "contains itself" : "does not exist" + suggestion(name, compositeElements.keys.sorted())
            report(
                .unknownComposite,
                "composite '\(name)' of '\(attribute.name)' of '\(owner)' \(reason)",
                at: element.place("composite")
            )
            return
        }
        for child in composite.children(named: "attribute") {
            // A composite that holds another one twice, which holds a third one twice, and so on, is small only in the file.
            compositeElementCount += 1
            guard compositeElementCount <= Self.maximumCompositeElementCount else {
                // Said once, for the first element that is too many.
                guard compositeElementCount == Self.maximumCompositeElementCount + 1 else { return }
                report(
                    .limitExceeded,
                    "the composites of this model have more than \(Self.maximumCompositeElementCount) elements where they "
                        + "are used; nest fewer of them",
                    at: element.place("composite")
                )
                return
            }
            guard let childName = child["name"],
                let type = resolveType(child, name: childName, owner: name, isTransient: child.flag("transient"))
            else { continue }
            var member = AttributeDescription(
                name: childName,
                attributeType: type,
                isOptional: child.flag("optional"),
                usesScalarValueType: child.flag("usesScalarValueType")
            )
            member.defaultValue = resolveValue(child, "default", of: member, name)
            if type == .composite { resolveElements(of: &member, child, owner: owner, path: path + [name]) }
            attribute.elements.append(member)
        }
    }

    /// The default or a bound; a date's interval wins over its free text.
    private mutating func resolveValue(
        _ element: ElementSyntax,
        _ prefix: String,
        of attribute: AttributeDescription,
        _ owner: String
    ) -> AttributeValue? {
        let key = prefix + "ValueString"
        if attribute.attributeType == .date, let interval = element[prefix + "DateTimeInterval"] {
            if let value = dateValue(interval) { return value }
        }
        guard let text = element[key] else { return nil }
        if let value = parseValue(text, type: attribute.attributeType) { return value }
        let what = prefix == "default" ? "default" : prefix == "min" ? "minimum" : "maximum"
        report(
            .unfittingDefault,
            "\(what) '\(text)' of '\(attribute.name)' of '\(owner)' is not of type '\(attribute.attributeType.rawValue)' and is ignored; "
                + "give one that is, or none",
            at: element.place(key)
        )
        return nil
    }

    // MARK: Relationships

    private mutating func resolveRelationship(_ element: ElementSyntax, of owner: String) -> RelationshipDescription? {
        guard let name = element["name"] else { return nil }
        guard let destination = element["destinationEntity"] else {
            report(
                .missingDestination,
                "relationship '\(name)' of '\(owner)' has no destination; choose an entity",
                at: element.location
            )
            return nil
        }
        guard hasEntity(destination) else {
            let suggestion = suggestion(destination, entityNames)
            report(
                .unknownDestination,
                "relationship '\(name)' of '\(owner)' leads to '\(destination)', which is not an entity\(suggestion)",
                at: element.place("destinationEntity")
            )
            return nil
        }
        let ruleText = element["deletionRule"] ?? DeleteRule.nullify.rawValue
        let rule = DeleteRule(rawValue: ruleText)
        if rule == nil {
            report(
                .unknownDeleteRule,
                "relationship '\(name)' of '\(owner)' has unknown delete rule '\(ruleText)'\(suggestion(ruleText, DeleteRule.allCases.map(\.rawValue)))",
                at: element.place("deletionRule")
            )
        }
        let isToMany = element.flag("toMany")
        return RelationshipDescription(
            name: name,
            destinationEntityName: destination,
            inverseName: element["inverseName"],
            isToMany: isToMany,
            isOrdered: isToMany && element.flag("ordered"),
            isOptional: element.flag("optional"),
            isTransient: element.flag("transient"),
            minimumCount: number(element, "minCount") ?? 0,
            maximumCount: isToMany ? number(element, "maxCount") : 1,
            deleteRule: rule ?? .nullify,
            renamingIdentifier: renamingIdentifier(element),
            versionHashModifier: element["versionHashModifier"],
            userInfo: userInfo(element)
        )
    }

    mutating func number(_ element: ElementSyntax, _ key: String) -> Int? {
        guard let text = element[key] else { return nil }
        if let number = Int(text), number >= 0 { return number }
        report(.malformedNumber, "'\(key)' is '\(text)', which is not a number; write one", at: element.place(key))
        return nil
    }

    // MARK: Fetch requests

    mutating func resolveTemplate(_ element: ElementSyntax) -> FetchRequestTemplate? {
        // A request without a name has been reported.
        guard let name = element["name"] else { return nil }
        locations.fetchRequests[name] = element.place("name")
        locations.predicates[name] = element.attribute("predicateString")?.valueLocation
        return template(element, name: name)
    }

    private mutating func resolveFetchedProperty(_ element: ElementSyntax) -> FetchedPropertyDescription? {
        guard let name = element["name"], let request = element.children(named: "fetchRequest").first else {
            return nil
        }
        return FetchedPropertyDescription(
            name: name,
            fetchRequest: template(request, name: request["name"] ?? name),
            isOptional: element.flag("optional"),
            userInfo: userInfo(element)
        )
    }

    private mutating func template(_ element: ElementSyntax, name: String) -> FetchRequestTemplate {
        func standard(_ key: String) -> Bool { element[key].map { _ in element.flag(key) } ?? true }
        return FetchRequestTemplate(
            name: name,
            entityName: element["entity"] ?? "",
            predicateFormat: element["predicateString"],
            resultType: number(element, "resultType").flatMap { FetchRequestTemplate.ResultType(rawValue: $0) }
                ?? .managedObjects,
            fetchLimit: number(element, "fetchLimit") ?? 0,
            fetchBatchSize: number(element, "fetchBatchSize") ?? 0,
            includesSubentities: standard("includeSubentities"),
            includesPropertyValues: standard("includePropertyValues"),
            includesPendingChanges: standard("includesPendingChanges"),
            returnsObjectsAsFaults: standard("returnObjectsAsFaults"),
            returnsDistinctResults: element.flag("returnDistinctResults")
        )
    }

    // MARK: Indexes and constraints

    private func resolveIndexes(_ element: ElementSyntax) -> [FetchIndexDescription] {
        let new = element.children(named: "fetchIndex").map { index in
            FetchIndexDescription(
                name: index["name"] ?? "index",
                elements: index.children(named: "fetchIndexElement").compactMap { part in
                    part["property"].map { .init(propertyName: $0, isAscending: part["order"] != "descending") }
                }
            )
        }
        let old = element.children(named: "compoundIndexes").flatMap { $0.children(named: "compoundIndex") }
            .map { index in
                let names = index.children(named: "index").compactMap { $0["value"] }
                return FetchIndexDescription(
                    name: "by_" + names.joined(separator: "_"),
                    elements: names.map { .init(propertyName: $0) }
                )
            }
        return new + old
    }

    private func resolveConstraints(_ element: ElementSyntax) -> [[String]] {
        element.children(named: "uniquenessConstraints").flatMap { $0.children(named: "uniquenessConstraint") }
            .map { $0.children(named: "constraint").compactMap { $0["value"] } }
            .filter { !$0.isEmpty }
    }
}
