#if !canImport(Darwin)
    public import Foundation

    // The codes and user-info keys of errors. `error as NSError` has them for the errors of this library.

    /// The user-info key of the single errors, in an error that combines several errors.
    public var NSDetailedErrorsKey: String { "NSDetailedErrors" }
    /// The user-info key of the object that is not valid, in a validation error.
    public var NSValidationObjectErrorKey: String { "NSValidationErrorObject" }
    /// The user-info key of the name of the property that is not valid, in a validation error.
    public var NSValidationKeyErrorKey: String { "NSValidationErrorKey" }
    /// The user-info key of the value that is not valid, in a validation error.
    public var NSValidationValueErrorKey: String { "NSValidationErrorValue" }
    /// The user-info key of the predicate that the value does not match, in a validation error.
    public var NSValidationPredicateErrorKey: String { "NSValidationErrorPredicate" }
    /// The user-info key of the objects that are affected by an error.
    public var NSAffectedObjectsErrorKey: String { "NSAffectedObjectsErrorKey" }
    /// The user-info key of the stores that are affected by an error.
    public var NSAffectedStoresErrorKey: String { "NSAffectedStoresErrorKey" }
    /// The user-info key of the conflicts that prevented a save.
    public var NSPersistentStoreSaveConflictsErrorKey: String { "conflictList" }
    /// The user-info key of SQLite's error code.
    public var NSSQLiteErrorDomain: String { "NSSQLiteErrorDomain" }

    /// An object is not valid.
    public var NSManagedObjectValidationError: Int { 1550 }
    /// A uniqueness constraint is violated.
    public var NSManagedObjectConstraintValidationError: Int { 1551 }
    /// Several validations failed, of one object or of several objects.
    public var NSValidationMultipleErrorsError: Int { 1560 }
    /// A required property has no value.
    public var NSValidationMissingMandatoryPropertyError: Int { 1570 }
    /// A to-many relationship has too few objects.
    public var NSValidationRelationshipLacksMinimumCountError: Int { 1580 }
    /// A to-many relationship has too many objects.
    public var NSValidationRelationshipExceedsMaximumCountError: Int { 1590 }
    /// A relationship with the delete rule Deny has objects.
    public var NSValidationRelationshipDeniedDeleteError: Int { 1600 }
    /// A number is too large.
    public var NSValidationNumberTooLargeError: Int { 1610 }
    /// A number is too small.
    public var NSValidationNumberTooSmallError: Int { 1620 }
    /// A date is too late.
    public var NSValidationDateTooLateError: Int { 1630 }
    /// A date is too early.
    public var NSValidationDateTooSoonError: Int { 1640 }
    /// A date is not valid.
    public var NSValidationInvalidDateError: Int { 1650 }
    /// A string is too long.
    public var NSValidationStringTooLongError: Int { 1660 }
    /// A string is too short.
    public var NSValidationStringTooShortError: Int { 1670 }
    /// A string does not match its regular expression.
    public var NSValidationStringPatternMatchingError: Int { 1680 }
    /// A URI is not valid.
    public var NSValidationInvalidURIError: Int { 1690 }
    /// A context could not acquire a lock.
    public var NSManagedObjectContextLockingError: Int { 132000 }
    /// A coordinator could not acquire a lock.
    public var NSPersistentStoreCoordinatorLockingError: Int { 132010 }
    /// An object or a referenced object does not exist in the store.
    public var NSManagedObjectReferentialIntegrityError: Int { 133000 }
    /// A relationship references an object in another store.
    public var NSManagedObjectExternalRelationshipError: Int { 133010 }
    /// A save has conflicts that the merge policy does not resolve.
    public var NSManagedObjectMergeError: Int { 133020 }
    /// A uniqueness constraint is violated.
    public var NSManagedObjectConstraintMergeError: Int { 133021 }
    /// The type of a store is unknown.
    public var NSPersistentStoreInvalidTypeError: Int { 134000 }
    /// The file of a store does not have the requested store type.
    public var NSPersistentStoreTypeMismatchError: Int { 134010 }
    /// A store or a class does not match the model, for example because a table or a property is missing.
    public var NSPersistentStoreIncompatibleSchemaError: Int { 134020 }
    /// A save failed.
    public var NSPersistentStoreSaveError: Int { 134030 }
    /// A save changed some of the stores, but not all of them.
    public var NSPersistentStoreIncompleteSaveError: Int { 134040 }
    /// A save has conflicts with the rows in a store.
    public var NSPersistentStoreSaveConflictsError: Int { 134050 }
    /// An error that no other code describes.
    public var NSCoreDataError: Int { 134060 }
    /// An operation on a store failed.
    public var NSPersistentStoreOperationError: Int { 134070 }
    /// A store cannot be opened.
    public var NSPersistentStoreOpenError: Int { 134080 }
    /// A store could not be reached within the time limit.
    public var NSPersistentStoreTimeoutError: Int { 134090 }
    /// A store does not support a request of this type.
    public var NSPersistentStoreUnsupportedRequestTypeError: Int { 134091 }
    /// A store has a version of the model that is not the coordinator's version.
    public var NSPersistentStoreIncompatibleVersionHashError: Int { 134100 }
    /// A migration failed.
    public var NSMigrationError: Int { 134110 }
    /// A migration failed, because values that must be unique in the new version are not unique.
    public var NSMigrationConstraintViolationError: Int { 134111 }
    /// A migration was cancelled.
    public var NSMigrationCancelledError: Int { 134120 }
    /// A migration has no mapping model.
    public var NSMigrationMissingMappingModelError: Int { 134140 }
    /// The model with which the store was created was not found, so the store cannot be migrated.
    public var NSMigrationMissingSourceModelError: Int { 134130 }
    /// A migration cannot read the source store.
    public var NSMigrationManagerSourceStoreError: Int { 134150 }
    /// A migration cannot write the destination store.
    public var NSMigrationManagerDestinationStoreError: Int { 134160 }
    /// A migration policy failed; this module has no migration policies.
    public var NSEntityMigrationPolicyError: Int { 134170 }
    /// An external record could not be imported; this module has no external records.
    public var NSExternalRecordImportError: Int { 134200 }
    /// A mapping model cannot be inferred.
    public var NSInferredMappingModelError: Int { 134190 }
    /// A history token refers to transactions that are no longer in the history.
    public var NSPersistentHistoryTokenExpiredError: Int { 134301 }
    /// An SQLite error.
    public var NSSQLiteError: Int { 134180 }

    extension UnsupportedFeatureError: CustomNSError {
        /// The domain of Cocoa's errors.
        public static var errorDomain: String { NSCocoaErrorDomain }
        /// The code `NSCoreDataError`.
        public var errorCode: Int { NSCoreDataError }
        /// The user info, with the message as the localized description.
        public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: message] }
    }
#endif
