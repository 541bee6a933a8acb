package import ChordataDiagnostics

/// The page of a diagnostic.
package func page(of id: DiagnosticID) -> DiagnosticPage {
    switch id {
    // MARK: Files and bundles
    case .unreadableFile: .unreadableFile
    case .emptyFile: .emptyFile
    case .malformedXML: .malformedXML
    case .documentTypeDeclaration: .documentTypeDeclaration
    case .notAModel: .notAModel
    case .limitExceeded: .limitExceeded
    case .noVersions: .noVersions
    case .missingCurrentVersion: .missingCurrentVersion
    case .unknownElement: .unknownElement
    case .ignoredText: .ignoredText
    case .unknownAttribute: .unknownAttribute
    case .unsupportedEncoding: .unsupportedEncoding
    case .unnamedCurrentVersion: .unnamedCurrentVersion
    case .malformedConfiguration: .malformedConfiguration
    case .unknownConfigurationKey: .unknownConfigurationKey
    case .invalidConfigurationValue: .invalidConfigurationValue
    case .orphanedConfiguration: .orphanedConfiguration
    case .olderFormat: .olderFormat
    case .versionAfterCurrent: .versionAfterCurrent

    // MARK: Entities and properties
    case .missingName: .missingName
    case .invalidName: .invalidName
    case .duplicateName: .duplicateName
    case .unknownAttributeType: .unknownAttributeType
    case .missingAttributeType: .missingAttributeType
    case .unknownSuperentity: .unknownSuperentity
    case .cyclicInheritance: .cyclicInheritance
    case .missingDestination: .missingDestination
    case .unknownDestination: .unknownDestination
    case .unknownInverse: .unknownInverse
    case .unknownComposite: .unknownComposite
    case .invalidDefault: .invalidDefault
    case .unknownDeleteRule: .unknownDeleteRule
    case .unknownConstraintProperty: .unknownConstraintProperty
    case .malformedNumber: .malformedNumber
    case .redeclaredProperty: .redeclaredProperty
    case .missingInverse: .missingInverse
    case .oneSidedInverse: .oneSidedInverse
    case .caseClash: .caseClash
    case .unknownValue: .unknownValue
    case .unknownIndexProperty: .unknownIndexProperty
    case .emptyGroup: .emptyGroup
    case .invalidConstraintProperty: .invalidConstraintProperty
    case .unknownMemberEntity: .unknownMemberEntity
    case .missingFetchRequest: .missingFetchRequest
    case .denyUnderCascade: .denyUnderCascade
    case .nullifiedRequiredInverse: .nullifiedRequiredInverse
    case .ineffectiveDeleteRule: .ineffectiveDeleteRule
    case .optionalLooksRequired: .optionalLooksRequired
    case .childlessAbstractEntity: .childlessAbstractEntity
    case .unknownRenamingIdentifier: .unknownRenamingIdentifier
    case .duplicateRenamingIdentifier: .duplicateRenamingIdentifier
    case .invalidIndexProperty: .invalidIndexProperty
    case .contradictoryBounds: .contradictoryBounds
    case .malformedRegularExpression: .malformedRegularExpression
    case .duplicateUserInfoKey: .duplicateUserInfoKey

    // MARK: Predicates
    case .malformedPredicate: .malformedPredicate
    case .unknownKey: .unknownKey
    case .typeMismatch: .typeMismatch
    case .unknownFetchEntity: .unknownFetchEntity
    case .conflictingVariable: .conflictingVariable

    // MARK: Migrations
    case .migrationNotInferred: .migrationNotInferred
    case .migrationLosesData: .migrationLosesData
    case .migrationLeavesInvalid: .migrationLeavesInvalid
    case .modifiedReleasedMigration: .modifiedReleasedMigration
    case .malformedMigrationLock: .malformedMigrationLock
    case .staleMigration: .staleMigration
    case .emptyMigration: .emptyMigration
    case .orphanedMigration: .orphanedMigration
    case .riskyConversion: .riskyConversion
    case .migrationDependsOnData: .migrationDependsOnData
    case .likelyRenaming: .likelyRenaming
    case .migrationBreaksReaders: .migrationBreaksReaders
    case .indistinguishableVersions: .indistinguishableVersions
    case .unrunnableMigration: .unrunnableMigration

    // MARK: Generated code
    case .generatedNameConflict: .generatedNameConflict
    case .nameConflict: .nameConflict
    case .untypedTransformable: .untypedTransformable
    case .invalidUserInfo: .invalidUserInfo
    case .unknownSortKey: .unknownSortKey
    case .shadowedType: .shadowedType
    case .keywordName: .keywordName
    }
}
