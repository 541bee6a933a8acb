/// A position in a model or its configuration that can have any text.
enum TextSlot: String, CaseIterable {
    // MARK: Names
    case entityName, attributeName, relationshipName, inverseName, fetchedPropertyName, compositeName, elementName
    case className, parentEntity, destinationEntity, inverseEntity, compositeReference
    case fetchRequestName, fetchRequestEntity, predicateVariable
    case configurationName, configurationMember, indexName, indexProperty, constraint
    case bundleName, versionName, oldVersionName, currentVersionName

    // MARK: Text that is kept
    case entityModifier, entityRenaming, entityInfoKey, entityInfoValue, entityDocumentation, entityDiscussion
    case attributeModifier, attributeRenaming, attributeInfoKey, attributeInfoValue, attributeDocumentation
    case relationshipModifier, relationshipRenaming, relationshipInfoValue, relationshipDocumentation
    case fetchedPropertyDocumentation, elementDocumentation
    case stringDefault, elementDefault, regularExpression, transformerName
    case predicateLiteral, fetchedPropertyLiteral, derivationLiteral
    case versionIdentifier, spotlightExpression

    // MARK: Text with a grammar of its own
    case attributeType, numberDefault, decimalDefault, dateDefault, uuidDefault, urlDefault, minimum, maximum
    case customClass, rawType, scalarType, valueClassName, additionalImports, sortKeys
    case predicate, derivation, partialIndexPredicate, deleteRule, codeGeneration, resultType, fetchLimit, indexOrder,
        flag

    // MARK: Ignored text
    case comment, characterData, unknownAttribute, sourceLanguage

    // MARK: chordata.json
    case jsonName, jsonAccess, jsonImport, jsonCodeGeneration, jsonEntity, jsonEntityCodeGeneration, jsonClass,
        jsonModule, jsonOptionality
    case jsonTypeKey, jsonType, jsonDiagnostic, jsonLevel, jsonSchema, jsonKey, jsonEntityKey

    /// A Boolean value that indicates whether a text that is a name becomes the name of a generated or another
    /// declaration in the generated code.
    var becomesName: Bool {
        switch self {
        case .customClass, .rawType, .scalarType, .valueClassName, .additionalImports, .jsonImport, .jsonModule,
            .jsonType,
            .className, .jsonName, .jsonEntity, .jsonClass:
            true
        case .versionName, .configurationName, .indexName: false
        default: isName
        }
    }

    /// A Boolean value that indicates whether the model must have the text unchanged if it is not rejected.
    var isKept: Bool {
        switch self {
        case .entityModifier, .entityRenaming, .entityInfoKey, .entityInfoValue, .entityDocumentation,
            .entityDiscussion,
            .attributeModifier, .attributeRenaming, .attributeInfoKey, .attributeInfoValue, .attributeDocumentation,
            .relationshipModifier, .relationshipRenaming, .relationshipInfoValue, .relationshipDocumentation,
            .elementDocumentation, .fetchedPropertyDocumentation, .stringDefault, .elementDefault, .regularExpression,
            .transformerName, .versionIdentifier, .fetchRequestName, .configurationName, .indexName,
            .entityName, .attributeName, .relationshipName, .fetchedPropertyName, .compositeName, .elementName,
            .className:
            true
        default: false
        }
    }

    /// A Boolean value that indicates whether words that could be names are also tried here.
    var isName: Bool {
        switch self {
        case .entityName, .attributeName, .relationshipName, .fetchedPropertyName, .compositeName, .elementName,
            .fetchRequestName, .predicateVariable, .indexName, .configurationName, .versionName:
            true
        default: false
        }
    }

    /// Slots that accept nearly every text, and are tried together first.
    static let tolerant = Set(allCases.filter { $0.isKept && !$0.isName }).union(
        [
            .bundleName, .versionName, .oldVersionName, .fetchRequestName, .configurationName, .indexName,
            .predicateLiteral,
            .fetchedPropertyLiteral, .derivationLiteral, .spotlightExpression, .numberDefault, .decimalDefault,
            .dateDefault,
            .uuidDefault, .urlDefault, .minimum, .maximum, .customClass, .rawType, .scalarType, .valueClassName,
            .additionalImports,
            .codeGeneration, .inverseEntity, .indexOrder, .resultType, .flag, .sourceLanguage, .unknownAttribute,
            .comment, .characterData, .jsonSchema, .jsonTypeKey,
        ])
}
