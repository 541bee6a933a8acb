public import Foundation

/// The bridge to Core Data's error domain; <doc:Errors> has the table.
extension StoreError: CustomNSError {
    /// The keys in `userInfo`; their raw values are keys of Core Data and Foundation where these have one.
    public enum UserInfoKey: String, Sendable, Hashable, CaseIterable {
        /// SQLite's extended result code, as an `Int`; absent when SQLite was not the cause.
        case sqliteCode = "NSSQLiteErrorDomain"
        /// The SQLSTATE of PostgreSQL, as a `String`; absent when PostgreSQL was not the cause.
        case sqlState = "ChordataSQLState"
        /// The path of the store, as a `String`, which is `:memory:` for a store in memory; absent if the error has no
        /// path.
        case path = "NSFilePath"
    }

    /// The error domain of Core Data, `NSCocoaErrorDomain`.
    public static var errorDomain: String { NSCocoaErrorDomain }

    /// The error code of Core Data, or of Foundation where Core Data uses Foundation's, for the ``code``.
    public var errorCode: Int {
        switch code {
        case .notADatabase, .incompleteStore: 259  // NSFileReadCorruptFileError
        case .readOnly: 513  // NSFileWriteNoPermissionError
        case .full: 640  // NSFileWriteOutOfSpaceError
        case .notAChordataStore: 134_010
        case .storeDrifted, .incompatibleClass, .noStoreForEntity: 134_020
        case .outcomeUnknown: 134_040
        case .unsupportedEnvironment: 134_060
        case .connectionLost: 134_070
        case .cannotOpen: 134_080
        case .queryGenerationExpired: 134_060
        case .busy, .readerLimitExceeded, .waitingSaveLimitExceeded, .timedOut: 134_090
        case .incompatibleModel, .newerVersion, .migrationNeeded: 134_100
        case .migrationFailed: violation?.isOfUniqueness == true ? 134_111 : 134_110
        case .constraintViolated: 134_111
        case .cancelled: 134_120
        case .missingMigration, .missingStage: 134_140
        case .statementFailed: 134_180
        }
    }

    /// A dictionary with the description for the key `NSLocalizedDescriptionKey`, and the available values for the keys
    /// of ``UserInfoKey``.
    public var errorUserInfo: [String: Any] {
        // Foundation does not use LocalizedError for a type that conforms to CustomNSError.
        var userInfo: [String: Any] = [NSLocalizedDescriptionKey: description]
        if sqliteCode != 0 { userInfo[UserInfoKey.sqliteCode.rawValue] = Int(sqliteCode) }
        if let sqlState { userInfo[UserInfoKey.sqlState.rawValue] = sqlState }
        if !path.isEmpty { userInfo[UserInfoKey.path.rawValue] = path }
        return userInfo
    }
}
