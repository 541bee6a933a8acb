public import Foundation

// The properties that a handler of Core Data's errors looks for (S6).

/// Core Data's key of the list of conflicts in `userInfo`.
private let conflictListKey = "conflictList"

extension SaveConflictError: CustomNSError {
    /// The error domain of Core Data, `NSCocoaErrorDomain`.
    public static var errorDomain: String { NSCocoaErrorDomain }

    /// Core Data's error code for merge conflicts.
    public var errorCode: Int { 133_020 }

    /// A dictionary with ``conflicts`` for the key `conflictList`, and the description for the key
    /// `NSLocalizedDescriptionKey`.
    public var errorUserInfo: [String: Any] {
        [NSLocalizedDescriptionKey: description, conflictListKey: conflicts]
    }
}

extension UniquenessConflictError: CustomNSError {
    /// The error domain of Core Data, `NSCocoaErrorDomain`.
    public static var errorDomain: String { NSCocoaErrorDomain }

    /// Core Data's error code for violated uniqueness constraints.
    public var errorCode: Int { 133_021 }

    /// A dictionary with ``conflicts`` for the key `conflictList` (rule U6 of <doc:Core-Data-Rules>), and the
    /// description for the key `NSLocalizedDescriptionKey`.
    public var errorUserInfo: [String: Any] {
        [NSLocalizedDescriptionKey: description, conflictListKey: conflicts]
    }
}
