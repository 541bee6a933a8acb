/// The identifiers of all diagnostics, which are stable and never reused.
///
/// The first two digits after `CD` are the family: 01 files and bundles, 02 entities and properties, 03 predicates,
/// 04 migrations, 05 generated code.
///
/// Each has a page in the manual, with an example that tests run.
package enum DiagnosticID: String, Sendable, Hashable, Codable, CaseIterable {
    // MARK: Files and bundles
    case unreadableFile = "CD0101"
    case emptyFile = "CD0102"
    case malformedXML = "CD0103"
    case documentTypeDeclaration = "CD0104"
    case notAModel = "CD0105"
    case limitExceeded = "CD0106"
    case noVersions = "CD0107"
    case missingCurrentVersion = "CD0108"
    case unknownElement = "CD0109"
    case ignoredText = "CD0110"
    case unknownAttribute = "CD0111"
    case unsupportedEncoding = "CD0112"
    case unnamedCurrentVersion = "CD0113"
    case malformedConfiguration = "CD0114"
    case unknownConfigurationKey = "CD0115"
    case invalidConfigurationValue = "CD0116"
    case orphanedConfiguration = "CD0117"
    case olderFormat = "CD0118"
    case versionAfterCurrent = "CD0119"

    // MARK: Entities and properties
    case missingName = "CD0201"
    case invalidName = "CD0202"
    case duplicateName = "CD0203"
    case unknownAttributeType = "CD0204"
    case missingAttributeType = "CD0205"
    case unknownSuperentity = "CD0206"
    case cyclicInheritance = "CD0207"
    case missingDestination = "CD0208"
    case unknownDestination = "CD0209"
    case unknownInverse = "CD0210"
    case unknownComposite = "CD0211"
    case invalidDefault = "CD0212"
    case unknownDeleteRule = "CD0213"
    case unknownConstraintProperty = "CD0214"
    case malformedNumber = "CD0215"
    case redeclaredProperty = "CD0216"
    case missingInverse = "CD0217"
    case oneSidedInverse = "CD0218"
    case caseClash = "CD0219"
    case unknownValue = "CD0220"
    case unknownIndexProperty = "CD0221"
    case emptyGroup = "CD0222"
    case invalidConstraintProperty = "CD0223"
    case unknownMemberEntity = "CD0224"
    case missingFetchRequest = "CD0225"
    case denyUnderCascade = "CD0226"
    case nullifiedRequiredInverse = "CD0227"
    case ineffectiveDeleteRule = "CD0228"
    case optionalLooksRequired = "CD0229"
    case childlessAbstractEntity = "CD0230"
    case unknownRenamingIdentifier = "CD0231"
    case contradictoryBounds = "CD0232"
    case malformedRegularExpression = "CD0233"
    case duplicateUserInfoKey = "CD0234"
    case duplicateRenamingIdentifier = "CD0235"
    case invalidIndexProperty = "CD0236"

    // MARK: Predicates
    case malformedPredicate = "CD0301"
    case unknownKey = "CD0302"
    case typeMismatch = "CD0303"
    case unknownFetchEntity = "CD0304"
    case conflictingVariable = "CD0305"

    // MARK: Migrations
    case migrationNotInferred = "CD0401"
    case migrationLosesData = "CD0402"
    case migrationLeavesInvalid = "CD0403"
    case modifiedReleasedMigration = "CD0404"
    case malformedMigrationLock = "CD0405"
    case staleMigration = "CD0406"
    case emptyMigration = "CD0407"
    case orphanedMigration = "CD0408"
    case riskyConversion = "CD0409"
    case migrationDependsOnData = "CD0410"
    case likelyRenaming = "CD0411"
    case migrationBreaksReaders = "CD0412"
    case indistinguishableVersions = "CD0413"
    case unrunnableMigration = "CD0414"

    // MARK: Generated code
    case generatedNameConflict = "CD0501"
    case nameConflict = "CD0502"
    case shadowedType = "CD0504"
    case keywordName = "CD0505"
    case untypedTransformable = "CD0506"
    case invalidUserInfo = "CD0507"
    case unknownSortKey = "CD0508"

    /// The severity of a diagnostic, unless a pass sets another one.
    package var severity: Diagnostic.Severity {
        switch self {
        case .unknownElement, .unknownAttribute, .migrationBreaksReaders: .remark
        case .ignoredText, .unnamedCurrentVersion, .olderFormat, .versionAfterCurrent, .invalidDefault,
            .missingInverse, .unknownValue, .emptyGroup,
            .denyUnderCascade, .nullifiedRequiredInverse, .ineffectiveDeleteRule, .optionalLooksRequired,
            .childlessAbstractEntity, .unknownRenamingIdentifier, .contradictoryBounds, .malformedRegularExpression,
            .duplicateUserInfoKey, .invalidIndexProperty,
            .migrationLosesData, .migrationLeavesInvalid, .staleMigration, .orphanedMigration, .riskyConversion,
            .migrationDependsOnData, .likelyRenaming, .nameConflict,
            .shadowedType,
            .keywordName, .untypedTransformable, .invalidUserInfo:
            .warning
        case .unreadableFile, .emptyFile, .malformedXML, .documentTypeDeclaration, .notAModel, .limitExceeded,
            .noVersions,
            .missingCurrentVersion, .unsupportedEncoding, .malformedConfiguration, .unknownConfigurationKey,
            .invalidConfigurationValue, .orphanedConfiguration, .missingName, .invalidName, .duplicateName,
            .unknownAttributeType,
            .missingAttributeType, .unknownSuperentity, .cyclicInheritance, .missingDestination, .unknownDestination,
            .unknownInverse, .unknownComposite, .unknownDeleteRule, .unknownConstraintProperty, .malformedNumber,
            .redeclaredProperty, .oneSidedInverse, .caseClash, .unknownIndexProperty, .invalidConstraintProperty,
            .unknownMemberEntity, .missingFetchRequest, .malformedPredicate, .unknownKey, .typeMismatch,
            .unknownFetchEntity, .conflictingVariable, .unknownSortKey, .duplicateRenamingIdentifier,
            .generatedNameConflict, .migrationNotInferred, .modifiedReleasedMigration, .malformedMigrationLock,
            .emptyMigration,
            .indistinguishableVersions, .unrunnableMigration:
            .error
        }
    }

    /// A Boolean value that indicates whether a configuration can lower the level of the diagnostic below `error`.
    ///
    /// Problems that make valid output impossible remain errors. A model can work without the inverse of a one-sided
    /// relationship, as some real models show, and without the stores of older versions.
    package var canBeLowered: Bool {
        switch self {
        case .unknownInverse, .oneSidedInverse, .migrationNotInferred: true
        default: severity != .error  // All others, including future ones.
        }
    }
}
