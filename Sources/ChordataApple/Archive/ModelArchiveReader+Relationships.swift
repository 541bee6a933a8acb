internal import ChordataModel

extension ModelArchiveReader {
    mutating func readRelationship(_ property: Object, name: String, place: String) throws(Failure)
        -> RelationshipDescription
    {
        let destination = try archive.object(property.fields["NSDestinationEntity"])
        guard
            let destinationName = try archive.string(
                firstOf: property.fields["_NSDestinationEntityName"],
                destination?.fields["NSEntityName"]
            )
        else { throw Failure("has relationship \(place) without a destination") }
        let inverse = try archive.object(property.fields["NSInverseRelationship"])
        let maximum = try archive.integer(property.fields["NSMaxCount"]) ?? 1
        let rules: [Int64: DeleteRule] = [0: .noAction, 1: .nullify, 2: .cascade, 3: .deny]
        let rule = rules[try archive.integer(property.fields["NSDeleteRule"]) ?? 1]
        if rule == nil {
            omit("the delete rule of relationship \(place), which is unknown, so it is Nullify in the model file")
        }
        return RelationshipDescription(
            name: name,
            destinationEntityName: destinationName,
            inverseName: try archive.string(
                firstOf: property.fields["_NSInverseRelationshipName"],
                inverse?.fields["NSPropertyName"]
            ),
            isToMany: maximum != 1,
            isOrdered: try archive.boolean(property.fields["NSIsOrdered"]),
            isOptional: try archive.boolean(property.fields["NSIsOptional"]),
            isTransient: try archive.boolean(property.fields["NSIsTransient"]),
            minimumCount: Int(clamping: try archive.integer(property.fields["NSMinCount"]) ?? 0),
            maximumCount: Int(clamping: maximum),
            deleteRule: rule ?? .nullify,
            renamingIdentifier: try archive.string(property.fields["NSRenamingIdentifier"]),
            versionHashModifier: try archive.string(property.fields["NSVersionHashModifier"]),
            userInfo: try readUserInfo(property)
        )
    }

    /// Reads a fetch request; `nil`, with an omission, if it cannot be written in a model file.
    mutating func readFetchRequest(
        _ object: Object,
        name: String,
        entityName: String?,
        place: String,
        userInfo: [String: String] = [:]
    ) throws(Failure) -> FetchRequestTemplate? {
        let entity = try archive.object(object.fields["NSEntity"])
        let ownName = try archive.string(firstOf: entity?.fields["NSEntityName"], object.fields["NSEntityName"])
        guard let entityName = entityName ?? ownName else {
            omit("\(place), because it has no entity")
            return nil
        }
        var request = FetchRequestTemplate(name: name, entityName: entityName)
        if try archive.node(object.fields["NSPredicate"]) != nil {
            let printer = ArchivedPredicatePrinter(archive, userInfo: userInfo)
            guard let format = try printer.predicate(object.fields["NSPredicate"]) else {
                omit("\(place), because its predicate cannot be written in a model file")
                return nil
            }
            request.predicateFormat = format
        }
        if let type = try archive.integer(object.fields["NSResultType"]) {
            request.resultType = FetchRequestTemplate.ResultType(rawValue: Int(clamping: type)) ?? .managedObjects
        }
        request.fetchLimit = Int(clamping: try archive.integer(object.fields["NSFetchLimit"]) ?? 0)
        request.fetchBatchSize = Int(clamping: try archive.integer(object.fields["NSBatchSize"]) ?? 0)
        // Model files cannot have sort descriptors. A request that the model editor creates has the flags 30.
        if try !archive.elements(object.fields["NSSortDescriptors"]).isEmpty {
            omit("the sort descriptors of \(place)")
        }
        if try archive.boolean(object.fields["NSHasFetchRequestFlags"]),
            try archive.integer(object.fields["NSFetchRequestFlags"]) != 30
        {
            omit("the options of \(place), which are not those of a new request")
        }
        return request
    }
}
