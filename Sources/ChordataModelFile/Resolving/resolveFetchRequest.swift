internal import ChordataDiagnostics
internal import ChordataModel

extension ModelResolver {
    mutating func resolveFetchRequest(_ element: ElementSyntax) -> FetchRequestTemplate? {
        // A request without a name has been reported.
        element[.name].flatMap { template(element, name: $0) }
    }

    mutating func resolveFetchedProperty(_ element: ElementSyntax, of owner: String) -> FetchedPropertyDescription? {
        guard let name = element[.name] else { return nil }
        guard let request = element.children(named: .fetchRequest).first else {
            report(
                .missingFetchRequest,
                "fetched property '\(name)' of '\(owner)' has no fetch request; give it one, or remove it",
                at: element.location
            )
            return nil
        }
        guard let template = template(request, name: request[.name] ?? name) else { return nil }
        return FetchedPropertyDescription(
            name: name,
            fetchRequest: template,
            isOptional: flag(element, .optional),
            userInfo: userInfo(element)
        )
    }

    private mutating func template(_ element: ElementSyntax, name: String) -> FetchRequestTemplate? {
        guard let entity = element.attribute(.entity) else {
            report(
                .unknownFetchEntity,
                "fetch request '\(name)' has no entity; choose one",
                at: element.location
            )
            return nil
        }
        guard hasEntity(entity.value) else {
            report(
                .unknownFetchEntity,
                "fetch request '\(name)' is for entity '\(entity.shown)', which does not exist",
                at: entity,
                among: entityNames,
                otherwise: "choose an entity of this model"
            )
            return nil
        }
        return FetchRequestTemplate(
            name: name,
            entityName: entity.value,
            predicateFormat: element[.predicateString].flatMap { $0.isEmpty ? nil : $0 },
            resultType: resolveResultType(element, of: name),
            fetchLimit: number(element, .fetchLimit) ?? 0,
            fetchBatchSize: number(element, .fetchBatchSize) ?? 0,
            includesSubentities: flag(element, .includeSubentities, default: true),
            includesPropertyValues: flag(element, .includePropertyValues, default: true),
            includesPendingChanges: flag(element, .includesPendingChanges, default: true),
            returnsObjectsAsFaults: flag(element, .returnObjectsAsFaults, default: true),
            returnsDistinctResults: flag(element, .returnDistinctResults)
        )
    }

    private mutating func resolveResultType(_ element: ElementSyntax, of name: String)
        -> FetchRequestTemplate.ResultType
    {
        guard let attribute = element.attribute(.resultType) else { return .managedObjects }
        if let type = Int(attribute.value).flatMap({ FetchRequestTemplate.ResultType(rawValue: $0) }) { return type }
        report(
            .unknownValue,
            "fetch request '\(name)' has unknown result type '\(attribute.shown)', so 0 is used; write 0 for "
                + "objects, 1 for their IDs, 2 for dictionaries, 4 for the count",
            at: attribute.valueLocation
        )
        return .managedObjects
    }
}
