public import Foundation

/// The domain, codes and keys of Core Data's errors (rule S6 of <doc:Core-Data-Rules>).
///
/// ```swift
/// typealias Key = ValidationError.UserInfoKey
/// let error = error as NSError
/// let failures = error.userInfo[Key.detailedErrors.rawValue] as? [NSError] ?? [error]
/// for failure in failures { print(failure.code, failure.userInfo[Key.key.rawValue] ?? "") }
/// ```
extension ValidationError: CustomNSError {
    /// The keys in `userInfo`, by their raw values, which are those of Core Data.
    public enum UserInfoKey: String, Sendable, Hashable, CaseIterable {
        /// The failures, where there are several: an `[NSError]` of errors with one failure each; the error of a hook
        /// is as it was thrown.
        case detailedErrors = "NSDetailedErrors"
        /// The property that is wrong: a `String`; absent where the object as a whole is wrong.
        case key = "NSValidationErrorKey"
        /// The object that is wrong, by its ``ManagedObjectID``, because errors go where objects must not.
        case object = "NSValidationErrorObject"
    }

    /// Core Data's: `NSCocoaErrorDomain`.
    public static var errorDomain: String { NSCocoaErrorDomain }

    /// The number of the ``code``.
    public var errorCode: Int { code.rawValue }

    /// The failures by ``UserInfoKey``, with `NSLocalizedDescriptionKey`, and `NSUnderlyingErrorKey` for what a hook
    /// has thrown; no value of a user's data.
    public var errorUserInfo: [String: Any] {
        // Foundation does not ask LocalizedError where there is this.
        var userInfo: [String: Any] = [NSLocalizedDescriptionKey: description]
        guard failures.count == 1 else {
            userInfo[UserInfoKey.detailedErrors.rawValue] = failures.map { $0.error as NSError }
            return userInfo
        }
        let failure = failures[0]
        userInfo[UserInfoKey.object.rawValue] = failure.objectID
        if !failure.propertyName.isEmpty { userInfo[UserInfoKey.key.rawValue] = failure.propertyName }
        if let cause = failure.underlyingError { userInfo[NSUnderlyingErrorKey] = cause as NSError }
        return userInfo
    }
}
