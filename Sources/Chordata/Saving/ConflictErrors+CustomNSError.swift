public import Foundation

// What a handler of Core Data's errors looks for (S6).

/// The key of the list of conflicts in `userInfo`, which is Core Data's.
private let conflictListKey = "conflictList"

extension SaveConflictError: CustomNSError {
    /// Core Data's: `NSCocoaErrorDomain`.
    public static var errorDomain: String { NSCocoaErrorDomain }

    /// Core Data's number of merge conflicts.
    public var errorCode: Int { 133_020 }

    /// ``conflicts`` for the key `conflictList`, and `NSLocalizedDescriptionKey`.
    public var errorUserInfo: [String: Any] {
        [NSLocalizedDescriptionKey: description, conflictListKey: conflicts]
    }
}

extension UniquenessConflictError: CustomNSError {
    /// Core Data's: `NSCocoaErrorDomain`.
    public static var errorDomain: String { NSCocoaErrorDomain }

    /// Core Data's number of conflicts of uniqueness constraints.
    public var errorCode: Int { 133_021 }

    /// ``conflicts`` for the key `conflictList` (rule U6 of <doc:Core-Data-Rules>), and `NSLocalizedDescriptionKey`.
    public var errorUserInfo: [String: Any] {
        [NSLocalizedDescriptionKey: description, conflictListKey: conflicts]
    }
}
