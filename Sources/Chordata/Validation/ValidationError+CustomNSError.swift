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
    /// The keys in `userInfo`; their raw values are keys of Core Data.
    public enum UserInfoKey: String, Sendable, Hashable, CaseIterable {
        /// The failures, if there are several: an `[NSError]` with one error for each failure.
        ///
        /// The error of a hook is included as it was thrown.
        case detailedErrors = "NSDetailedErrors"
        /// The name of the invalid property, as a `String`; absent if the failure concerns the object as a whole.
        case key = "NSValidationErrorKey"
        /// The ``ManagedObjectID`` of the invalid object.
        ///
        /// The value is not the object, because errors can be passed to another isolation and objects cannot.
        case object = "NSValidationErrorObject"
    }

    /// The error domain of Core Data, `NSCocoaErrorDomain`.
    public static var errorDomain: String { NSCocoaErrorDomain }

    /// The raw value of the ``code``, which is Core Data's error code.
    public var errorCode: Int { code.rawValue }

    /// A dictionary with the keys of ``UserInfoKey``, `NSLocalizedDescriptionKey`, and `NSUnderlyingErrorKey` for the
    /// error of a hook.
    ///
    /// The dictionary contains no values of a user's data.
    public var errorUserInfo: [String: Any] {
        // Foundation does not use LocalizedError for a type that conforms to CustomNSError.
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
