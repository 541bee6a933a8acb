/// The names of elements and attributes in model files, as they occur in practice.
///
/// The raw value is the number that the scanner gives the name; it must be less than 128, because elements have 128
/// bits for names.
enum ModelName: UInt16, CaseIterable {
    // MARK: Elements
    case attribute, composite, compoundIndex, compoundIndexes, configuration, constraint, element, elements, entity,
        entry
    case fetchIndex, fetchIndexElement, fetchRequest, fetchedProperty, index, memberEntity, model, relationship
    case uniquenessConstraint, uniquenessConstraints, userInfo

    // MARK: Attributes of several elements
    case destinationEntity, elementID, name, optional, renamingIdentifier, syncable, transient, type, value
    case versionHashModifier

    // MARK: Attributes of `model`
    case documentVersion, iOSVersion, lastSavedToolsVersion, macOSVersion, minimumToolsVersion, sourceLanguage
    case systemVersion, usedWithCloudKit, usedWithSwiftData, userDefinedModelVersionIdentifier

    // MARK: Attributes of `entity`
    case codeGenerationType, coreSpotlightDisplayNameExpression, isAbstract, parentEntity, representedClassName

    // MARK: Attributes of `attribute`
    case allowsCloudEncryption, allowsExternalBinaryDataStorage, attributeType, customClassName, defaultDateTimeInterval
    case defaultValueString, derivationExpression, derived, indexed, maxDateTimeInterval, maxValueString
    case minDateTimeInterval, minValueString, preserveAfterDeletion, preservesValueInHistoryOnDeletion
    case regularExpressionString, spotlightIndexingEnabled, storedInTruthFile, usesScalarValueType, valueTransformerName

    // MARK: Attributes of `relationship`
    case deletionRule, inverseEntity, inverseName, maxCount, minCount, ordered, toMany

    // MARK: Attributes of `fetchRequest`
    case fetchBatchSize, fetchLimit, includePropertyValues, includeSubentities, includesPendingChanges, predicateString
    case resultType, returnDistinctResults, returnObjectsAsFaults

    // MARK: Attributes of `fetchIndexElement`, `entry`, `element`
    case expression, expressionType, height, key, order, partialIndexPredicate, positionX, positionY, property, width

    // MARK: Property lists
    case dict, string

    var text: String { String(describing: self) }
}
