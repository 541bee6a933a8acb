/// The identifiers of all diagnostics: promised to users, never reused.
///
/// The first two digits after `CD` are the family: 01 files and bundles, 02 entities and properties, 03 predicates,
/// 04 migrations, 05 generated code.
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
    case unfittingDefault = "CD0212"
    case unknownDeleteRule = "CD0213"
    case unknownConstraintProperty = "CD0214"
    case malformedNumber = "CD0215"
    case redeclaredProperty = "CD0216"

    // MARK: Predicates
    case malformedPredicate = "CD0301"
    case unknownKey = "CD0302"
    case unfittingType = "CD0303"
    case unknownFetchEntity = "CD0304"
    case conflictingVariable = "CD0305"

    // MARK: Migrations
    case migrationNotInferred = "CD0401"
    case migrationLosesData = "CD0402"

    // MARK: Generated code
    case classNameConflict = "CD0501"
    case nameConflict = "CD0502"
    case unsupportedFeature = "CD0503"

    /// The severity a diagnostic has unless a pass says otherwise.
    package var severity: Diagnostic.Severity {
        switch self {
        case .unfittingDefault, .unknownInverse, .migrationNotInferred, .migrationLosesData: .warning
        case .unknownElement: .remark
        default: .error
        }
    }
}
