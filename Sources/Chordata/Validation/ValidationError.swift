internal import ChordataModel

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// An error with the validation failures of objects to be saved, or of a value for a property.
///
/// All failures are reported together. The error codes are the same as in Core Data.
public struct ValidationError: Error, Sendable, Hashable {
    /// A validation failure of one object.
    public struct Failure: Sendable {
        /// The kind of failure; raw values are Core Data's error codes.
        public enum Code: Int, Sendable, Hashable {
            /// A value cannot be stored, or a validation hook reported a failure.
            case managedObjectValidation = 1550
            /// There are several failures.
            case multipleErrors = 1560
            /// A required property has no value.
            case missingMandatoryProperty = 1570
            /// A relationship has fewer objects than its minimum count.
            case relationshipLacksMinimumCount = 1580
            /// A relationship has more objects than its maximum count.
            case relationshipExceedsMaximumCount = 1590
            /// A relationship with the delete rule Deny is not empty.
            case relationshipDeniedDelete = 1600
            /// A number is greater than the maximum.
            case numberTooLarge = 1610
            /// A number is less than the minimum.
            case numberTooSmall = 1620
            /// A date is later than the maximum.
            case dateTooLate = 1630
            /// A date is earlier than the minimum.
            case dateTooSoon = 1640
            /// A value is not a valid date.
            case invalidDate = 1650
            /// A string is longer than the maximum length.
            case stringTooLong = 1660
            /// A string is shorter than the minimum length.
            case stringTooShort = 1670
            /// A string does not match the regular expression.
            case stringPatternMatching = 1680
            /// A value is not a valid URI.
            case invalidURI = 1690
        }

        /// The kind of failure.
        public let code: Code
        /// The name of the object's entity.
        public let entityName: String
        /// The name of the invalid property; empty if the failure concerns the object as a whole.
        ///
        /// For an element of a composite attribute, it is a path such as `address.city`.
        public let propertyName: String
        /// The object ID of the invalid object; its key is 0 for `Values` that `insertValues(_:)` inserts.
        public let objectID: ManagedObjectID
        /// The problem and its remedy, as the part of a sentence that follows the name of the property.
        ///
        /// The text can contain types, lengths, numbers of objects and the bounds in the model, but not the value.
        public let reason: String
        /// The error that a validation hook threw; `nil` if a validation rule of the model was violated.
        public let underlyingError: (any Error)?
        /// A Boolean value that indicates whether ``underlyingError`` is an error of a hook, which is thrown unchanged
        /// if it is the only failure.
        let isThrownByHook: Bool

        /// Creates a failure, for a hook that reports more details than a custom error.
        ///
        /// - Parameters:
        ///   - code: The kind of failure.
        ///   - object: The invalid object.
        ///   - propertyName: The name of the invalid property; empty for the object as a whole.
        ///   - reason: The problem and its remedy, as the part of a sentence that follows the name of the property: "is
        ///     before 'start'; choose a later day".
        ///   - underlyingError: The error that caused the failure, if there is one.
        public init(
            _ code: Code,
            of object: ManagedObject,
            propertyName: String = "",
            reason: String,
            underlyingError: (any Error)? = nil
        ) {
            self.init(
                code,
                object.objectID,
                propertyName: propertyName,
                reason: reason,
                underlyingError: underlyingError
            )
        }

        package init(
            _ code: Code,
            _ objectID: ManagedObjectID,
            propertyName: String,
            reason: String,
            underlyingError: (any Error)? = nil,
            isThrownByHook: Bool = false
        ) {
            self.code = code
            entityName = objectID.entityName
            self.propertyName = propertyName
            self.objectID = objectID
            self.reason = reason
            self.underlyingError = underlyingError
            self.isThrownByHook = isThrownByHook
        }

        /// The error that reports only this failure; an error of a hook is returned as the hook has thrown it.
        var error: any Error {
            if isThrownByHook, let underlyingError { return underlyingError }
            return ValidationError(failures: [self])
        }
    }

    /// All failures, grouped by object; there is at least one.
    public let failures: [Failure]

    /// Creates an error with one or more failures.
    /// - Parameter failures: The failures. An empty array traps.
    public init(failures: [Failure]) {
        precondition(!failures.isEmpty, "a ValidationError must have at least one failure")
        self.failures = failures
    }

    /// Throws an error if there are failures: the unchanged error of a hook if it is the only failure, as Core Data
    /// does, or else one error with all failures.
    static func throwIfAny(_ failures: [Failure]) throws {
        if failures.count == 1 { throw failures[0].error }
        if !failures.isEmpty { throw ValidationError(failures: failures) }
    }

    /// The code of the only failure, or ``Failure/Code/multipleErrors``.
    public var code: Failure.Code { failures.count == 1 ? failures[0].code : .multipleErrors }
}

extension ValidationError.Failure: Hashable {
    /// Returns a Boolean value that indicates whether two failures are equal.
    ///
    /// Underlying errors are not compared; the reasons are compared instead.
    public static func == (left: Self, right: Self) -> Bool {
        left.code == right.code && left.objectID == right.objectID && left.propertyName == right.propertyName
            && left.reason == right.reason
    }

    /// Hashes the values that `==` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(code)
        hasher.combine(objectID)
        hasher.combine(propertyName)
        hasher.combine(reason)
    }
}

extension ValidationError: CustomStringConvertible, LocalizedError {
    /// The description of the error, which `localizedDescription` returns.
    public var errorDescription: String? { description }

    /// A textual description of the error, with one line for each failure.
    public var description: String {
        failures.map { failure in
            let property = failure.propertyName.isEmpty ? "" : "'\(failure.propertyName)' of "
            return
                "\(property)'\(failure.entityName)' (\(failure.objectID)) \(failure.reason) (\(failure.code.rawValue))"
        }.joined(separator: "\n")
    }
}
