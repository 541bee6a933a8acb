internal import ChordataModel

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The reasons why objects cannot be saved, or a value is invalid for a property.
///
/// All failures are reported together. Codes are those of Core Data.
public struct ValidationError: Error, Sendable, Hashable {
    /// One thing that is wrong with one object.
    public struct Failure: Sendable {
        /// The kind of failure, numbered as in Core Data.
        public enum Code: Int, Sendable, Hashable {
            /// A value cannot be stored, or a rule of the class was broken.
            case managedObjectValidation = 1550
            /// There are several failures.
            case multipleErrors = 1560
            /// A required property has no value.
            case missingMandatoryProperty = 1570
            /// A relationship has fewer objects than its minimum count.
            case relationshipLacksMinimumCount = 1580
            /// A relationship has more objects than its maximum count.
            case relationshipExceedsMaximumCount = 1590
            /// A relationship with the delete rule Deny still has objects.
            case relationshipDeniedDelete = 1600
            /// A number is above the maximum.
            case numberTooLarge = 1610
            /// A number is below the minimum.
            case numberTooSmall = 1620
            /// A date is after the maximum.
            case dateTooLate = 1630
            /// A date is before the minimum.
            case dateTooSoon = 1640
            /// A value is no date.
            case invalidDate = 1650
            /// A text is longer than the maximum.
            case stringTooLong = 1660
            /// A text is shorter than the minimum.
            case stringTooShort = 1670
            /// A text does not match the regular expression.
            case stringPatternMatching = 1680
            /// A value is no URI.
            case invalidURI = 1690
        }

        /// The kind of failure.
        public let code: Code
        /// The object's entity.
        public let entityName: String
        /// The property that is wrong; for an element of a composite the names from the attribute down, with dots;
        /// empty where the object as a whole is wrong.
        public let propertyName: String
        /// The object; with key 0 for values to be inserted.
        public let objectID: ManagedObjectID
        /// The problem and its remedy, as the rest of a sentence about the property.
        ///
        /// Names types, lengths and numbers of objects, and the model's bounds, but not the value.
        public let reason: String
        /// The error that a validation hook threw; `nil` if a validation rule of the model was violated.
        public let underlyingError: (any Error)?
        /// A Boolean value that indicates whether ``underlyingError`` is an error of a hook, which is thrown unchanged
        /// where it is the only failure.
        let isThrownByHook: Bool

        /// Creates a failure, for a hook that wants to say more than an error of its own says.
        ///
        /// - Parameters:
        ///   - code: The kind of failure.
        ///   - object: The object that is wrong.
        ///   - propertyName: The property that is wrong; empty for the object as a whole.
        ///   - reason: What is wrong and what to do, as the rest of a sentence: "is before 'start'; choose a later
        ///     day".
        ///   - underlyingError: The cause, if there is one.
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

        init(
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

        /// The error that reports this failure alone: an error of a hook as the hook has thrown it.
        var error: any Error {
            if isThrownByHook, let underlyingError { return underlyingError }
            return ValidationError(failures: [self])
        }
    }

    /// All failures, object by object; at least one.
    public let failures: [Failure]

    /// Creates an error of one or more failures.
    /// - Parameter failures: The failures; an empty array traps.
    public init(failures: [Failure]) {
        precondition(!failures.isEmpty, "a ValidationError has at least one failure")
        self.failures = failures
    }

    /// Throws what was found: the error of a hook unchanged where it is the only failure, as Core Data does, else one
    /// error with all.
    static func throwIfAny(_ failures: [Failure]) throws {
        if failures.count == 1 { throw failures[0].error }
        if !failures.isEmpty { throw ValidationError(failures: failures) }
    }

    /// The code of the only failure, or ``Failure/Code/multipleErrors``.
    public var code: Failure.Code { failures.count == 1 ? failures[0].code : .multipleErrors }
}

extension ValidationError.Failure: Hashable {
    /// Returns a Boolean value that indicates whether both are the same failure.
    ///
    /// Underlying errors are compared by their reason.
    public static func == (left: Self, right: Self) -> Bool {
        left.code == right.code && left.objectID == right.objectID && left.propertyName == right.propertyName
            && left.reason == right.reason
    }

    /// Hashes what is compared.
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

    /// The whole in words, a line for each failure.
    public var description: String {
        failures.map { failure in
            let property = failure.propertyName.isEmpty ? "" : "'\(failure.propertyName)' of "
            return
                "\(property)'\(failure.entityName)' (\(failure.objectID)) \(failure.reason) (\(failure.code.rawValue))"
        }.joined(separator: "\n")
    }
}
