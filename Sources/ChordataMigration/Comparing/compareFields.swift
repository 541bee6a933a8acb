internal import ChordataModel

// Each field of a description is listed here once, except for its name and for lists of other descriptions, which are
// matched before they are compared. `isHashed` indicates what `ManagedObjectModel.versionHashesByEntityName` covers.

func compareFields(_ old: EntityDescription, _ new: EntityDescription) -> [FieldChange] {
    var fields = FieldComparison()
    fields.compare(.managedObjectClassName, old.managedObjectClassName, new.managedObjectClassName)
    fields.compare(.isAbstract, old.isAbstract, new.isAbstract, isHashed: true)
    fields.compare(.superentityName, old.superentityName, new.superentityName, isHashed: true)
    fields.compare(.codeGeneration, text(old.codeGeneration), text(new.codeGeneration))
    fields.compare(.renamingIdentifier, old.renamingIdentifier, new.renamingIdentifier)
    fields.compare(modifier: old.versionHashModifier, new.versionHashModifier)
    fields.compare(userInfo: old.userInfo, new.userInfo)
    return fields.changes
}

/// Compares all fields except the elements.
func compareFields(_ old: AttributeDescription, _ new: AttributeDescription) -> [FieldChange] {
    var fields = FieldComparison()
    fields.compare(.attributeType, old.attributeType.rawValue, new.attributeType.rawValue, isHashed: true)
    fields.compare(.isOptional, old.isOptional, new.isOptional, isHashed: true)
    fields.compare(.isTransient, old.isTransient, new.isTransient, isHashed: true)
    fields.compare(.defaultValue, old.defaultValue, new.defaultValue)
    fields.compare(.usesScalarValueType, old.usesScalarValueType, new.usesScalarValueType)
    fields.compare(.minimumValue, old.minimumValue, new.minimumValue)
    fields.compare(.maximumValue, old.maximumValue, new.maximumValue)
    fields.compare(.regularExpression, old.regularExpression, new.regularExpression)
    fields.compare(
        .allowsExternalBinaryDataStorage,
        old.allowsExternalBinaryDataStorage,
        new.allowsExternalBinaryDataStorage,
        isHashed: true
    )
    fields.compare(.valueTransformerName, old.valueTransformerName, new.valueTransformerName)
    fields.compare(.attributeValueClassName, old.attributeValueClassName, new.attributeValueClassName)
    fields.compare(.compositeName, old.compositeName, new.compositeName)
    fields.compare(.derivationExpression, old.derivationExpression, new.derivationExpression, isHashed: true)
    fields.compare(.isIndexed, old.isIndexed, new.isIndexed)
    fields.compare(
        .preservesValueInHistoryOnDeletion,
        old.preservesValueInHistoryOnDeletion,
        new.preservesValueInHistoryOnDeletion
    )
    fields.compare(.allowsCloudEncryption, old.allowsCloudEncryption, new.allowsCloudEncryption)
    fields.compare(.isIndexedBySpotlight, old.isIndexedBySpotlight, new.isIndexedBySpotlight)
    fields.compare(.isStoredInExternalRecord, old.isStoredInExternalRecord, new.isStoredInExternalRecord)
    fields.compare(.renamingIdentifier, old.renamingIdentifier, new.renamingIdentifier)
    fields.compare(modifier: old.versionHashModifier, new.versionHashModifier)
    fields.compare(userInfo: old.userInfo, new.userInfo)
    return fields.changes
}

func compareFields(_ old: RelationshipDescription, _ new: RelationshipDescription) -> [FieldChange] {
    var fields = FieldComparison()
    fields.compare(.destinationEntityName, old.destinationEntityName, new.destinationEntityName, isHashed: true)
    fields.compare(.inverseName, old.inverseName, new.inverseName, isHashed: true)
    fields.compare(.isToMany, old.isToMany, new.isToMany, isHashed: true)
    fields.compare(.isOrdered, old.isOrdered, new.isOrdered, isHashed: true)
    fields.compare(.isOptional, old.isOptional, new.isOptional, isHashed: true)
    fields.compare(.isTransient, old.isTransient, new.isTransient, isHashed: true)
    fields.compare(.minimumCount, old.minimumCount, new.minimumCount, isHashed: true)
    fields.compare(.maximumCount, old.maximumCount, new.maximumCount, isHashed: true)
    fields.compare(.deleteRule, old.deleteRule.rawValue, new.deleteRule.rawValue)
    fields.compare(.renamingIdentifier, old.renamingIdentifier, new.renamingIdentifier)
    fields.compare(modifier: old.versionHashModifier, new.versionHashModifier)
    fields.compare(userInfo: old.userInfo, new.userInfo)
    return fields.changes
}

func compareFields(_ old: FetchedPropertyDescription, _ new: FetchedPropertyDescription) -> [FieldChange] {
    var fields = FieldComparison()
    fields.compare(.fetchRequestName, old.fetchRequest.name, new.fetchRequest.name)
    fields.compare(.isOptional, old.isOptional, new.isOptional)
    fields.compare(userInfo: old.userInfo, new.userInfo)
    return fields.changes + compareFields(old.fetchRequest, new.fetchRequest)
}

func compareFields(_ old: FetchRequestTemplate, _ new: FetchRequestTemplate) -> [FieldChange] {
    var fields = FieldComparison()
    fields.compare(.entityName, old.entityName, new.entityName)
    fields.compare(.predicateFormat, old.predicateFormat, new.predicateFormat)
    fields.compare(.resultType, text(old.resultType), text(new.resultType))
    fields.compare(.fetchLimit, old.fetchLimit, new.fetchLimit)
    fields.compare(.fetchBatchSize, old.fetchBatchSize, new.fetchBatchSize)
    fields.compare(.includesSubentities, old.includesSubentities, new.includesSubentities)
    fields.compare(.includesPropertyValues, old.includesPropertyValues, new.includesPropertyValues)
    fields.compare(.includesPendingChanges, old.includesPendingChanges, new.includesPendingChanges)
    fields.compare(.returnsObjectsAsFaults, old.returnsObjectsAsFaults, new.returnsObjectsAsFaults)
    fields.compare(.returnsDistinctResults, old.returnsDistinctResults, new.returnsDistinctResults)
    return fields.changes
}

func compareFields(_ old: FetchIndexDescription, _ new: FetchIndexDescription) -> [FieldChange] {
    var fields = FieldComparison()
    fields.compare(.elements, text(old.elements), text(new.elements))
    fields.compare(.partialIndexPredicate, old.partialIndexPredicate, new.partialIndexPredicate)
    return fields.changes
}

func text(_ elements: [FetchIndexDescription.Element]) -> String {
    elements.map { element in
        let order = element.isAscending ? "ascending" : "descending"
        return "\(element.propertyName) \(order)" + (element.collationType == .rTree ? " by space" : "")
    }
    .joined(separator: ", ")
}

private func text(_ codeGeneration: EntityDescription.CodeGeneration) -> String? {
    codeGeneration == .unspecified ? nil : codeGeneration.rawValue
}

private func text(_ resultType: FetchRequestTemplate.ResultType) -> String {
    switch resultType {
    case .managedObjects: "managed objects"
    case .managedObjectIDs: "managed object IDs"
    case .dictionaries: "dictionaries"
    case .count: "count"
    }
}
