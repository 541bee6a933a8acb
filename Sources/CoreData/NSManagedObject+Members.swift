#if !canImport(Darwin)
    public import Chordata
    public import Foundation

    // Members of Core Data's class that Chordata's objects do not have.

    extension ManagedObject {
        /// Returns the values of properties, keyed by name; `NSNull` for `nil`.
        public func dictionaryWithValues(forKeys keys: [String]) -> [String: Any] {
            Dictionary(keys.map { ($0, value(forKey: $0) ?? NSNull()) }, uniquingKeysWith: { first, _ in first })
        }

        /// Sets properties to values, keyed by name; `NSNull` sets a property to `nil`.
        public func setValuesForKeys(_ keyedValues: [String: Any]) {
            for (key, value) in keyedValues { setValue(value is NSNull ? nil : value, forKey: key) }
        }

        /// 0 for an object whose values have been read, and 1 for a fault.
        public var faultingState: Int { isFault ? 1 : 0 }

        /// Does nothing: reading a property of a fault reads its row.
        public func willAccessValue(forKey key: String?) {}
        /// Does nothing.
        public func didAccessValue(forKey key: String?) {}
        /// Does nothing: setting a primitive value reports the change.
        public func didChangeValue(forKey key: String) {}
    }

    extension CocoaError.Code {
        /// See `NSManagedObjectValidationError`.
        public static var managedObjectValidation: CocoaError.Code { CocoaError.Code(rawValue: NSManagedObjectValidationError) }
        /// See `NSManagedObjectConstraintValidationError`.
        public static var managedObjectConstraintValidation: CocoaError.Code {
            CocoaError.Code(rawValue: NSManagedObjectConstraintValidationError)
        }
        /// See `NSValidationMultipleErrorsError`.
        public static var validationMultipleErrors: CocoaError.Code {
            CocoaError.Code(rawValue: NSValidationMultipleErrorsError)
        }
        /// See `NSValidationMissingMandatoryPropertyError`.
        public static var validationMissingMandatoryProperty: CocoaError.Code {
            CocoaError.Code(rawValue: NSValidationMissingMandatoryPropertyError)
        }
        /// See `NSManagedObjectMergeError`.
        public static var managedObjectMerge: CocoaError.Code { CocoaError.Code(rawValue: NSManagedObjectMergeError) }
        /// See `NSManagedObjectConstraintMergeError`.
        public static var managedObjectConstraintMerge: CocoaError.Code {
            CocoaError.Code(rawValue: NSManagedObjectConstraintMergeError)
        }
        /// See `NSPersistentStoreIncompatibleVersionHashError`.
        public static var persistentStoreIncompatibleVersionHash: CocoaError.Code {
            CocoaError.Code(rawValue: NSPersistentStoreIncompatibleVersionHashError)
        }
    }
#endif
