public import ChordataModel
public import ChordataPredicate
public import Foundation

// The bridge of errors with one or a few codes to Core Data's error domain; <doc:Errors> has the table. Foundation does
// not use LocalizedError for an error that conforms to CustomNSError, so each conformance provides the description too.

/// Core Data's key of the objects that an error concerns.
private let affectedObjectsKey = "NSAffectedObjectsErrorKey"
/// The code 134060 (`NSCoreDataError`), which Core Data uses for errors without a specific code.
private let coreDataError = 134_060

extension MissingObjectError: CustomNSError {
    /// The error domain of Core Data, `NSCocoaErrorDomain`.
    public static var errorDomain: String { NSCocoaErrorDomain }
    /// Core Data's error code for a reference to an object that does not exist.
    public var errorCode: Int { 133_000 }
    /// A dictionary with ``objectID`` in an array for the key `NSAffectedObjectsErrorKey`, and the description for the
    /// key `NSLocalizedDescriptionKey`.
    public var errorUserInfo: [String: Any] {
        [NSLocalizedDescriptionKey: description, affectedObjectsKey: [objectID]]
    }
}

extension UnreadableValueError: CustomNSError {
    /// The error domain of Core Data, `NSCocoaErrorDomain`.
    public static var errorDomain: String { NSCocoaErrorDomain }
    /// The code 134060 (`NSCoreDataError`), which Core Data uses for errors without a specific code.
    public var errorCode: Int { coreDataError }
    /// A dictionary with ``objectID`` in an array for the key `NSAffectedObjectsErrorKey`, and the description for the
    /// key `NSLocalizedDescriptionKey`.
    public var errorUserInfo: [String: Any] {
        [NSLocalizedDescriptionKey: description, affectedObjectsKey: [objectID]]
    }
}

extension BatchUpdateError: CustomNSError {
    /// The error domain of Core Data, `NSCocoaErrorDomain`.
    public static var errorDomain: String { NSCocoaErrorDomain }
    /// For values that violate the model, the code of the error that Core Data throws when an object with these values
    /// is saved; if the request is not valid, 134060 (`NSCoreDataError`), Core Data's code of errors without a specific
    /// code.
    public var errorCode: Int {
        switch self {
        case .nothingToUpdate, .unknownProperty, .notUpdatable: coreDataError
        case .invalidValue: ValidationError.Failure.Code.managedObjectValidation.rawValue
        case .missingValue: ValidationError.Failure.Code.missingMandatoryProperty.rawValue
        case .unknownDestination: 133_000
        case .notUnique: 133_021
        }
    }
    /// A dictionary with the description for the key `NSLocalizedDescriptionKey`.
    public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: description] }
}

extension BatchInsertError: CustomNSError {
    /// The error domain of Core Data, `NSCocoaErrorDomain`.
    public static var errorDomain: String { NSCocoaErrorDomain }
    /// For a value that violates the model, the code of the error that Core Data throws when an object with this value
    /// is saved; if a key is not valid, 134060 (`NSCoreDataError`), Core Data's code of errors without a specific code.
    public var errorCode: Int {
        switch self {
        case .unknownProperty, .notInsertable: coreDataError
        case .invalidValue: ValidationError.Failure.Code.managedObjectValidation.rawValue
        }
    }
    /// A dictionary with the description for the key `NSLocalizedDescriptionKey`.
    public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: description] }
}

extension PersistentHistoryError: CustomNSError {
    /// The error domain of Core Data, `NSCocoaErrorDomain`.
    public static var errorDomain: String { NSCocoaErrorDomain }
    /// 134301 (`NSPersistentHistoryTokenExpiredError`) if the history token has expired or belongs to another store;
    /// otherwise 134060 (`NSCoreDataError`), Core Data's code of errors without a specific code.
    public var errorCode: Int {
        switch self {
        case .notTracked: coreDataError
        case .tokenExpired, .tokenOfAnotherStore: 134_301
        }
    }
    /// A dictionary with the description for the key `NSLocalizedDescriptionKey`.
    public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: description] }
}

extension StoreAssignmentError: CustomNSError {
    /// The error domain of Core Data, `NSCocoaErrorDomain`.
    public static var errorDomain: String { NSCocoaErrorDomain }
    /// The code 134060 (`NSCoreDataError`), which Core Data uses for errors without a specific code.
    public var errorCode: Int { coreDataError }
    /// A dictionary with the description for the key `NSLocalizedDescriptionKey`.
    public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: description] }
}

extension RecursiveSaveError: CustomNSError {
    /// The error domain of Core Data, `NSCocoaErrorDomain`.
    public static var errorDomain: String { NSCocoaErrorDomain }
    /// Core Data's error code for a save that is started during a save.
    public var errorCode: Int { 132_001 }
    /// A dictionary with the description for the key `NSLocalizedDescriptionKey`.
    public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: description] }
}

extension WriteError: CustomNSError {
    /// The error domain of Core Data, `NSCocoaErrorDomain`.
    public static var errorDomain: String { NSCocoaErrorDomain }
    /// The code 134060 (`NSCoreDataError`), which Core Data uses for errors without a specific code.
    public var errorCode: Int { coreDataError }
    /// A dictionary with the description for the key `NSLocalizedDescriptionKey`.
    public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: description] }
}

extension ChangeLimitExceededError: CustomNSError {
    /// The error domain of Core Data, `NSCocoaErrorDomain`.
    public static var errorDomain: String { NSCocoaErrorDomain }
    /// The code 134060 (`NSCoreDataError`), which Core Data uses for errors without a specific code.
    public var errorCode: Int { coreDataError }
    /// A dictionary with the description for the key `NSLocalizedDescriptionKey`.
    public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: description] }
}

extension FetchError: CustomNSError {
    /// The error domain of Core Data, `NSCocoaErrorDomain`.
    public static var errorDomain: String { NSCocoaErrorDomain }
    /// The code 134060 (`NSCoreDataError`), which Core Data uses for errors without a specific code.
    public var errorCode: Int { coreDataError }
    /// A dictionary with the description for the key `NSLocalizedDescriptionKey`.
    public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: description] }
}

extension RemoteChangesError: CustomNSError {
    /// The error domain of Core Data, `NSCocoaErrorDomain`.
    public static var errorDomain: String { NSCocoaErrorDomain }
    /// The code 134060 (`NSCoreDataError`), which Core Data uses for errors without a specific code.
    public var errorCode: Int { coreDataError }
    /// A dictionary with the description for the key `NSLocalizedDescriptionKey`.
    public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: description] }
}

extension FetchPredicateError: CustomNSError {
    /// The error domain of Core Data, `NSCocoaErrorDomain`.
    public static var errorDomain: String { NSCocoaErrorDomain }
    /// The code 134060 (`NSCoreDataError`), which Core Data uses for errors without a specific code.
    public var errorCode: Int { coreDataError }
    /// A dictionary with the description for the key `NSLocalizedDescriptionKey`.
    public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: description] }
}

extension ManagedObjectModelError: CustomNSError {
    /// The error domain of Core Data, `NSCocoaErrorDomain`.
    public static var errorDomain: String { NSCocoaErrorDomain }
    /// The code 134060 (`NSCoreDataError`), which Core Data uses for errors without a specific code.
    public var errorCode: Int { coreDataError }
    /// A dictionary with the description for the key `NSLocalizedDescriptionKey`.
    public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: description] }
}
