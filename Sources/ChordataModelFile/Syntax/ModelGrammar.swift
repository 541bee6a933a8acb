/// The attributes and children of an element, in the order in which Xcode writes them.
///
/// Apple does not publish a grammar. The lists come from files that Xcode wrote over ten years, and for elements that
/// occur in few files from the place where the editor shows the setting.
struct ModelGrammar {
    var attributes: [ModelName]
    var children: [ModelName]

    private init(_ attributes: [ModelName], children: [ModelName] = []) {
        self.attributes = attributes
        self.children = children
    }

    /// Creates the grammar of an element; `nil` for unknown elements.
    init?(of element: ModelName) {
        guard let grammar = Self.byElement[element] else { return nil }
        self = grammar
    }

    private static let byElement: [ModelName: ModelGrammar] = [
        .model: ModelGrammar(
            [
                .name, .type, .documentVersion, .lastSavedToolsVersion, .systemVersion, .minimumToolsVersion,
                .sourceLanguage, .usedWithCloudKit, .usedWithSwiftData, .userDefinedModelVersionIdentifier,
                .macOSVersion, .iOSVersion,
            ],
            children: [.entity, .fetchRequest, .configuration, .composite, .elements]
        ),
        .entity: ModelGrammar(
            [
                .name, .representedClassName, .isAbstract, .parentEntity, .coreSpotlightDisplayNameExpression,
                .elementID, .versionHashModifier, .renamingIdentifier, .syncable, .codeGenerationType,
            ],
            children: [
                .attribute, .relationship, .fetchedProperty, .fetchIndex, .compoundIndexes, .uniquenessConstraints,
                .userInfo,
            ]
        ),
        .attribute: ModelGrammar(
            [
                .name, .optional, .transient, .attributeType, .composite, .valueTransformerName,
                .allowsExternalBinaryDataStorage, .allowsCloudEncryption, .derived, .derivationExpression,
                .minValueString, .maxValueString, .regularExpressionString, .minDateTimeInterval, .maxDateTimeInterval,
                .defaultDateTimeInterval, .defaultValueString, .usesScalarValueType, .customClassName, .indexed,
                .preserveAfterDeletion,
                .preservesValueInHistoryOnDeletion, .spotlightIndexingEnabled, .storedInTruthFile,
                .versionHashModifier, .elementID, .renamingIdentifier, .syncable,
            ],
            children: [.userInfo]
        ),
        .relationship: ModelGrammar(
            [
                .name, .optional, .transient, .toMany, .minCount, .maxCount, .deletionRule, .ordered,
                .destinationEntity, .inverseName, .inverseEntity, .indexed, .spotlightIndexingEnabled,
                .storedInTruthFile, .versionHashModifier, .elementID, .renamingIdentifier, .syncable,
            ],
            children: [.userInfo]
        ),
        .fetchedProperty: ModelGrammar(
            [
                .name, .optional, .transient, .indexed, .spotlightIndexingEnabled, .storedInTruthFile,
                .versionHashModifier, .elementID, .renamingIdentifier, .syncable,
            ],
            children: [.fetchRequest, .userInfo]
        ),
        .fetchRequest: ModelGrammar([
            .name, .entity, .predicateString, .resultType, .fetchLimit, .fetchBatchSize, .includeSubentities,
            .includePropertyValues, .includesPendingChanges, .returnObjectsAsFaults, .returnDistinctResults,
        ]),
        .fetchIndex: ModelGrammar([.name, .partialIndexPredicate], children: [.fetchIndexElement]),
        .fetchIndexElement: ModelGrammar([.property, .expression, .expressionType, .type, .order]),
        .compoundIndexes: ModelGrammar([], children: [.compoundIndex]),
        .compoundIndex: ModelGrammar([], children: [.index]),
        .index: ModelGrammar([.value]),
        .uniquenessConstraints: ModelGrammar([], children: [.uniquenessConstraint]),
        .uniquenessConstraint: ModelGrammar([], children: [.constraint]),
        .constraint: ModelGrammar([.value]),
        .userInfo: ModelGrammar([], children: [.entry]),
        .entry: ModelGrammar([.key, .value]),
        .configuration: ModelGrammar([.name, .usedWithCloudKit], children: [.memberEntity]),
        .memberEntity: ModelGrammar([.name]),
        .composite: ModelGrammar([.name, .elementID, .renamingIdentifier], children: [.attribute, .userInfo]),
        .elements: ModelGrammar([], children: [.element]),
        .element: ModelGrammar([.name, .positionX, .positionY, .width, .height]),
    ]
}
