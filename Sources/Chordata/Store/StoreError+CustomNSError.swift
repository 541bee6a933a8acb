public import Foundation

/// The bridge to Core Data's error domain; <doc:Errors> has the table.
extension StoreError: CustomNSError {
    /// The keys in `userInfo`, by their raw values, which are those of Core Data and Foundation.
    public enum UserInfoKey: String, Sendable, Hashable, CaseIterable {
        /// SQLite's extended result code: an `Int`; absent where SQLite was not the cause.
        case sqliteCode = "NSSQLiteErrorDomain"
        /// The path of the store: a `String`; absent for a store in memory.
        case path = "NSFilePath"
    }

    /// Core Data's: `NSCocoaErrorDomain`.
    public static var errorDomain: String { NSCocoaErrorDomain }

    /// Core Data's number of the ``code``, or that of Foundation where Core Data uses it.
    public var errorCode: Int {
        switch code {
        case .notADatabase, .incompleteStore: 259  // NSFileReadCorruptFileError
        case .readOnly: 513  // NSFileWriteNoPermissionError
        case .full: 640  // NSFileWriteOutOfSpaceError
        case .notAChordataStore: 134_010
        case .storeDrifted, .incompatibleClass: 134_020
        case .outcomeUnknown: 134_040
        case .unsupportedEnvironment: 134_060
        case .cannotOpen: 134_080
        case .busy: 134_090
        case .incompatibleModel, .newerVersion, .migrationNeeded: 134_100
        case .migrationFailed: 134_110
        case .constraintViolated: 134_111
        case .cancelled: 134_120
        case .missingMigration, .missingStage: 134_140
        case .statementFailed: 134_180
        }
    }

    /// `NSLocalizedDescriptionKey`, and what is known by ``UserInfoKey``.
    public var errorUserInfo: [String: Any] {
        // Foundation does not ask LocalizedError where there is this.
        var userInfo: [String: Any] = [NSLocalizedDescriptionKey: description]
        if sqliteCode != 0 { userInfo[UserInfoKey.sqliteCode.rawValue] = Int(sqliteCode) }
        if !path.isEmpty { userInfo[UserInfoKey.path.rawValue] = path }
        return userInfo
    }
}
