public import ChordataModel
public import ChordataPredicate
public import Foundation

// The bridge of errors with one number or few to Core Data's domain; <doc:Errors> has the table. Foundation does not
// ask LocalizedError of an error that conforms to CustomNSError, so each has its description too.

/// Core Data's key of the objects that an error is about.
private let affectedObjectsKey = "NSAffectedObjectsErrorKey"
/// Core Data's code for errors that have no code of their own.
private let coreDataError = 134_060

extension MissingObjectError: CustomNSError {
    /// The error domain, which is the one of Core Data: `NSCocoaErrorDomain`.
    public static var errorDomain: String { NSCocoaErrorDomain }
    /// Core Data's number of references to objects that do not exist.
    public var errorCode: Int { 133_000 }
    /// ``objectID`` in an array for the key `NSAffectedObjectsErrorKey`, and `NSLocalizedDescriptionKey`.
    public var errorUserInfo: [String: Any] {
        [NSLocalizedDescriptionKey: description, affectedObjectsKey: [objectID]]
    }
}

extension UnreadableValueError: CustomNSError {
    /// The error domain, which is the one of Core Data: `NSCocoaErrorDomain`.
    public static var errorDomain: String { NSCocoaErrorDomain }
    /// Core Data's code for errors that have no code of their own.
    public var errorCode: Int { coreDataError }
    /// ``objectID`` in an array for the key `NSAffectedObjectsErrorKey`, and `NSLocalizedDescriptionKey`.
    public var errorUserInfo: [String: Any] {
        [NSLocalizedDescriptionKey: description, affectedObjectsKey: [objectID]]
    }
}

extension BatchUpdateError: CustomNSError {
    /// The error domain, which is the one of Core Data: `NSCocoaErrorDomain`.
    public static var errorDomain: String { NSCocoaErrorDomain }
    /// Core Data's number of what a save of the same values would throw; of a wrong request that of errors that have
    /// none of their own.
    public var errorCode: Int {
        switch self {
        case .nothingToUpdate, .unknownProperty, .notUpdatable: coreDataError
        case .unfittingValue: ValidationError.Failure.Code.managedObjectValidation.rawValue
        case .missingValue: ValidationError.Failure.Code.missingMandatoryProperty.rawValue
        case .unknownDestination: 133_000
        case .notUnique: 133_021
        }
    }
    /// `NSLocalizedDescriptionKey`.
    public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: description] }
}

extension RecursiveSaveError: CustomNSError {
    /// The error domain, which is the one of Core Data: `NSCocoaErrorDomain`.
    public static var errorDomain: String { NSCocoaErrorDomain }
    /// Core Data's number of saves within a save.
    public var errorCode: Int { 132_001 }
    /// `NSLocalizedDescriptionKey`.
    public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: description] }
}

extension ChangeLimitExceededError: CustomNSError {
    /// The error domain, which is the one of Core Data: `NSCocoaErrorDomain`.
    public static var errorDomain: String { NSCocoaErrorDomain }
    /// Core Data's code for errors that have no code of their own.
    public var errorCode: Int { coreDataError }
    /// `NSLocalizedDescriptionKey`.
    public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: description] }
}

extension FetchError: CustomNSError {
    /// The error domain, which is the one of Core Data: `NSCocoaErrorDomain`.
    public static var errorDomain: String { NSCocoaErrorDomain }
    /// Core Data's code for errors that have no code of their own.
    public var errorCode: Int { coreDataError }
    /// `NSLocalizedDescriptionKey`.
    public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: description] }
}

extension RemoteChangesError: CustomNSError {
    /// The error domain, which is the one of Core Data: `NSCocoaErrorDomain`.
    public static var errorDomain: String { NSCocoaErrorDomain }
    /// Core Data's code for errors that have no code of their own.
    public var errorCode: Int { coreDataError }
    /// `NSLocalizedDescriptionKey`.
    public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: description] }
}

extension FetchPredicateError: CustomNSError {
    /// The error domain, which is the one of Core Data: `NSCocoaErrorDomain`.
    public static var errorDomain: String { NSCocoaErrorDomain }
    /// Core Data's code for errors that have no code of their own.
    public var errorCode: Int { coreDataError }
    /// `NSLocalizedDescriptionKey`.
    public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: description] }
}

extension ManagedObjectModelError: CustomNSError {
    /// The error domain, which is the one of Core Data: `NSCocoaErrorDomain`.
    public static var errorDomain: String { NSCocoaErrorDomain }
    /// Core Data's code for errors that have no code of their own.
    public var errorCode: Int { coreDataError }
    /// `NSLocalizedDescriptionKey`.
    public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: description] }
}
