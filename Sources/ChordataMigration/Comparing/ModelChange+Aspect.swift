extension ModelChange {
    /// The aspects of an element that can change, named as the fields of its description.
    package enum Aspect: String, Sendable, Hashable, Codable, CaseIterable {
        // MARK: Models
        case versionIdentifier

        // MARK: Entities
        case managedObjectClassName, isAbstract, superentityName, codeGeneration

        // MARK: Entities and properties
        case isOptional, isTransient

        // MARK: Attributes
        case attributeType, defaultValue, usesScalarValueType, minimumValue, maximumValue, regularExpression
        case allowsExternalBinaryDataStorage, valueTransformerName, attributeValueClassName, compositeName
        case derivationExpression, isIndexed, preservesValueInHistoryOnDeletion
        case allowsCloudEncryption, isIndexedBySpotlight, isStoredInExternalRecord

        // MARK: Relationships
        case destinationEntityName, inverseName, isToMany, isOrdered, minimumCount, maximumCount, deleteRule

        // MARK: Fetch requests; the name is that of the request within a fetched property
        case fetchRequestName, entityName, predicateFormat, resultType, fetchLimit, fetchBatchSize, includesSubentities
        case includesPropertyValues, includesPendingChanges, returnsObjectsAsFaults, returnsDistinctResults

        // MARK: Indexes and configurations
        case elements, partialIndexPredicate, entityNames

        // MARK: Nearly everything
        case renamingIdentifier, versionHashModifier, userInfo

        /// The words for false and true, or the words before a value.
        enum Wording: Hashable {
            case flag(ifFalse: String, ifTrue: String)
            case label(String)
            /// The value alone, without other words.
            case value
        }

        var wording: Wording {
            switch self {
            case .versionIdentifier: .label("version identifier")
            case .managedObjectClassName: .label("class name")
            case .isAbstract: .flag(ifFalse: "concrete", ifTrue: "abstract")
            case .superentityName: .label("superentity")
            case .codeGeneration: .label("code generation")
            case .isOptional: .flag(ifFalse: "required", ifTrue: "optional")
            case .isTransient: .flag(ifFalse: "stored", ifTrue: "transient")
            case .attributeType: .value
            case .defaultValue: .label("default")
            case .usesScalarValueType: .flag(ifFalse: "no scalar type", ifTrue: "scalar type")
            case .minimumValue: .label("minimum")
            case .maximumValue: .label("maximum")
            case .regularExpression: .label("regular expression")
            case .allowsExternalBinaryDataStorage: .flag(ifFalse: "inline storage", ifTrue: "external storage")
            case .valueTransformerName: .label("transformer")
            case .attributeValueClassName: .label("value class")
            case .compositeName: .label("composite")
            case .derivationExpression: .label("derivation")
            case .isIndexed: .flag(ifFalse: "not indexed", ifTrue: "indexed")
            case .preservesValueInHistoryOnDeletion:
                .flag(ifFalse: "not preserved in history", ifTrue: "preserved in history")
            case .allowsCloudEncryption: .flag(ifFalse: "not encrypted in CloudKit", ifTrue: "encrypted in CloudKit")
            case .isIndexedBySpotlight: .flag(ifFalse: "not in Spotlight", ifTrue: "in Spotlight")
            case .isStoredInExternalRecord: .flag(ifFalse: "not in external records", ifTrue: "in external records")
            case .destinationEntityName: .label("destination")
            case .inverseName: .label("inverse")
            case .isToMany: .flag(ifFalse: "to-one", ifTrue: "to-many")
            case .isOrdered: .flag(ifFalse: "unordered", ifTrue: "ordered")
            case .minimumCount: .label("minimum count")
            case .maximumCount: .label("maximum count")
            case .deleteRule: .label("delete rule")
            case .fetchRequestName: .label("name of the request")
            case .entityName: .label("entity")
            case .predicateFormat: .label("predicate")
            case .resultType: .label("result type")
            case .fetchLimit: .label("limit")
            case .fetchBatchSize: .label("batch size")
            case .includesSubentities: .flag(ifFalse: "without subentities", ifTrue: "with subentities")
            case .includesPropertyValues: .flag(ifFalse: "without property values", ifTrue: "with property values")
            case .includesPendingChanges: .flag(ifFalse: "without pending changes", ifTrue: "with pending changes")
            case .returnsObjectsAsFaults: .flag(ifFalse: "as full objects", ifTrue: "as faults")
            case .returnsDistinctResults: .flag(ifFalse: "with duplicates", ifTrue: "distinct")
            case .elements: .value
            case .partialIndexPredicate: .label("predicate")
            case .entityNames: .label("entity")
            case .renamingIdentifier: .label("renaming identifier")
            case .versionHashModifier: .label("hash modifier")
            case .userInfo: .label("user info")
            }
        }
    }
}
