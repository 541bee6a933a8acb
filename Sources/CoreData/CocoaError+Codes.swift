#if !canImport(Darwin)
    public import Foundation

    // The codes of Core Data's errors, for `catch CocoaError.validationStringTooLong` and `error.code`.

    extension CocoaError.Code {
        /// See `NSManagedObjectValidationError`.
        public static var managedObjectValidation: CocoaError.Code { code(NSManagedObjectValidationError) }
        /// See `NSManagedObjectConstraintValidationError`.
        public static var managedObjectConstraintValidation: CocoaError.Code {
            code(NSManagedObjectConstraintValidationError)
        }
        /// See `NSValidationMultipleErrorsError`.
        public static var validationMultipleErrors: CocoaError.Code { code(NSValidationMultipleErrorsError) }
        /// See `NSValidationMissingMandatoryPropertyError`.
        public static var validationMissingMandatoryProperty: CocoaError.Code {
            code(NSValidationMissingMandatoryPropertyError)
        }
        /// See `NSValidationRelationshipLacksMinimumCountError`.
        public static var validationRelationshipLacksMinimumCount: CocoaError.Code {
            code(NSValidationRelationshipLacksMinimumCountError)
        }
        /// See `NSValidationRelationshipExceedsMaximumCountError`.
        public static var validationRelationshipExceedsMaximumCount: CocoaError.Code {
            code(NSValidationRelationshipExceedsMaximumCountError)
        }
        /// See `NSValidationRelationshipDeniedDeleteError`.
        public static var validationRelationshipDeniedDelete: CocoaError.Code {
            code(NSValidationRelationshipDeniedDeleteError)
        }
        /// See `NSValidationNumberTooLargeError`.
        public static var validationNumberTooLarge: CocoaError.Code { code(NSValidationNumberTooLargeError) }
        /// See `NSValidationNumberTooSmallError`.
        public static var validationNumberTooSmall: CocoaError.Code { code(NSValidationNumberTooSmallError) }
        /// See `NSValidationDateTooLateError`.
        public static var validationDateTooLate: CocoaError.Code { code(NSValidationDateTooLateError) }
        /// See `NSValidationDateTooSoonError`.
        public static var validationDateTooSoon: CocoaError.Code { code(NSValidationDateTooSoonError) }
        /// See `NSValidationInvalidDateError`.
        public static var validationInvalidDate: CocoaError.Code { code(NSValidationInvalidDateError) }
        /// See `NSValidationStringTooLongError`.
        public static var validationStringTooLong: CocoaError.Code { code(NSValidationStringTooLongError) }
        /// See `NSValidationStringTooShortError`.
        public static var validationStringTooShort: CocoaError.Code { code(NSValidationStringTooShortError) }
        /// See `NSValidationStringPatternMatchingError`.
        public static var validationStringPatternMatching: CocoaError.Code {
            code(NSValidationStringPatternMatchingError)
        }
        /// See `NSValidationInvalidURIError`.
        public static var validationInvalidURI: CocoaError.Code { code(NSValidationInvalidURIError) }
        /// See `NSManagedObjectContextLockingError`.
        public static var managedObjectContextLocking: CocoaError.Code { code(NSManagedObjectContextLockingError) }
        /// See `NSPersistentStoreCoordinatorLockingError`.
        public static var persistentStoreCoordinatorLocking: CocoaError.Code {
            code(NSPersistentStoreCoordinatorLockingError)
        }
        /// See `NSManagedObjectReferentialIntegrityError`.
        public static var managedObjectReferentialIntegrity: CocoaError.Code {
            code(NSManagedObjectReferentialIntegrityError)
        }
        /// See `NSManagedObjectExternalRelationshipError`.
        public static var managedObjectExternalRelationship: CocoaError.Code {
            code(NSManagedObjectExternalRelationshipError)
        }
        /// See `NSManagedObjectMergeError`.
        public static var managedObjectMerge: CocoaError.Code { code(NSManagedObjectMergeError) }
        /// See `NSManagedObjectConstraintMergeError`.
        public static var managedObjectConstraintMerge: CocoaError.Code { code(NSManagedObjectConstraintMergeError) }
        /// See `NSPersistentStoreInvalidTypeError`.
        public static var persistentStoreInvalidType: CocoaError.Code { code(NSPersistentStoreInvalidTypeError) }
        /// See `NSPersistentStoreTypeMismatchError`.
        public static var persistentStoreTypeMismatch: CocoaError.Code { code(NSPersistentStoreTypeMismatchError) }
        /// See `NSPersistentStoreIncompatibleSchemaError`.
        public static var persistentStoreIncompatibleSchema: CocoaError.Code {
            code(NSPersistentStoreIncompatibleSchemaError)
        }
        /// See `NSPersistentStoreSaveError`.
        public static var persistentStoreSave: CocoaError.Code { code(NSPersistentStoreSaveError) }
        /// See `NSPersistentStoreIncompleteSaveError`.
        public static var persistentStoreIncompleteSave: CocoaError.Code { code(NSPersistentStoreIncompleteSaveError) }
        /// See `NSPersistentStoreSaveConflictsError`.
        public static var persistentStoreSaveConflicts: CocoaError.Code { code(NSPersistentStoreSaveConflictsError) }
        /// See `NSCoreDataError`.
        public static var coreData: CocoaError.Code { code(NSCoreDataError) }
        /// See `NSPersistentStoreOperationError`.
        public static var persistentStoreOperation: CocoaError.Code { code(NSPersistentStoreOperationError) }
        /// See `NSPersistentStoreOpenError`.
        public static var persistentStoreOpen: CocoaError.Code { code(NSPersistentStoreOpenError) }
        /// See `NSPersistentStoreTimeoutError`.
        public static var persistentStoreTimeout: CocoaError.Code { code(NSPersistentStoreTimeoutError) }
        /// See `NSPersistentStoreUnsupportedRequestTypeError`.
        public static var persistentStoreUnsupportedRequestType: CocoaError.Code {
            code(NSPersistentStoreUnsupportedRequestTypeError)
        }
        /// See `NSPersistentStoreIncompatibleVersionHashError`.
        public static var persistentStoreIncompatibleVersionHash: CocoaError.Code {
            code(NSPersistentStoreIncompatibleVersionHashError)
        }
        /// See `NSMigrationError`.
        public static var migration: CocoaError.Code { code(NSMigrationError) }
        /// See `NSMigrationCancelledError`.
        public static var migrationCancelled: CocoaError.Code { code(NSMigrationCancelledError) }
        /// See `NSMigrationMissingSourceModelError`.
        public static var migrationMissingSourceModel: CocoaError.Code { code(NSMigrationMissingSourceModelError) }
        /// See `NSMigrationMissingMappingModelError`.
        public static var migrationMissingMappingModel: CocoaError.Code { code(NSMigrationMissingMappingModelError) }
        /// See `NSMigrationManagerSourceStoreError`.
        public static var migrationManagerSourceStore: CocoaError.Code { code(NSMigrationManagerSourceStoreError) }
        /// See `NSMigrationManagerDestinationStoreError`.
        public static var migrationManagerDestinationStore: CocoaError.Code {
            code(NSMigrationManagerDestinationStoreError)
        }
        /// See `NSEntityMigrationPolicyError`.
        public static var entityMigrationPolicy: CocoaError.Code { code(NSEntityMigrationPolicyError) }
        /// See `NSInferredMappingModelError`.
        public static var inferredMappingModel: CocoaError.Code { code(NSInferredMappingModelError) }
        /// See `NSExternalRecordImportError`.
        public static var externalRecordImport: CocoaError.Code { code(NSExternalRecordImportError) }
        /// See `NSSQLiteError`.
        public static var sqlite: CocoaError.Code { code(NSSQLiteError) }

        private static func code(_ number: Int) -> CocoaError.Code { CocoaError.Code(rawValue: number) }
    }

    extension CocoaError {
        /// See `NSManagedObjectValidationError`.
        public static var managedObjectValidation: CocoaError.Code { .managedObjectValidation }
        /// See `NSManagedObjectConstraintValidationError`.
        public static var managedObjectConstraintValidation: CocoaError.Code { .managedObjectConstraintValidation }
        /// See `NSValidationMultipleErrorsError`.
        public static var validationMultipleErrors: CocoaError.Code { .validationMultipleErrors }
        /// See `NSValidationMissingMandatoryPropertyError`.
        public static var validationMissingMandatoryProperty: CocoaError.Code { .validationMissingMandatoryProperty }
        /// See `NSValidationRelationshipLacksMinimumCountError`.
        public static var validationRelationshipLacksMinimumCount: CocoaError.Code {
            .validationRelationshipLacksMinimumCount
        }
        /// See `NSValidationRelationshipExceedsMaximumCountError`.
        public static var validationRelationshipExceedsMaximumCount: CocoaError.Code {
            .validationRelationshipExceedsMaximumCount
        }
        /// See `NSValidationRelationshipDeniedDeleteError`.
        public static var validationRelationshipDeniedDelete: CocoaError.Code { .validationRelationshipDeniedDelete }
        /// See `NSValidationNumberTooLargeError`.
        public static var validationNumberTooLarge: CocoaError.Code { .validationNumberTooLarge }
        /// See `NSValidationNumberTooSmallError`.
        public static var validationNumberTooSmall: CocoaError.Code { .validationNumberTooSmall }
        /// See `NSValidationDateTooLateError`.
        public static var validationDateTooLate: CocoaError.Code { .validationDateTooLate }
        /// See `NSValidationDateTooSoonError`.
        public static var validationDateTooSoon: CocoaError.Code { .validationDateTooSoon }
        /// See `NSValidationInvalidDateError`.
        public static var validationInvalidDate: CocoaError.Code { .validationInvalidDate }
        /// See `NSValidationStringTooLongError`.
        public static var validationStringTooLong: CocoaError.Code { .validationStringTooLong }
        /// See `NSValidationStringTooShortError`.
        public static var validationStringTooShort: CocoaError.Code { .validationStringTooShort }
        /// See `NSValidationStringPatternMatchingError`.
        public static var validationStringPatternMatching: CocoaError.Code { .validationStringPatternMatching }
        /// See `NSValidationInvalidURIError`.
        public static var validationInvalidURI: CocoaError.Code { .validationInvalidURI }
        /// See `NSManagedObjectContextLockingError`.
        public static var managedObjectContextLocking: CocoaError.Code { .managedObjectContextLocking }
        /// See `NSPersistentStoreCoordinatorLockingError`.
        public static var persistentStoreCoordinatorLocking: CocoaError.Code { .persistentStoreCoordinatorLocking }
        /// See `NSManagedObjectReferentialIntegrityError`.
        public static var managedObjectReferentialIntegrity: CocoaError.Code { .managedObjectReferentialIntegrity }
        /// See `NSManagedObjectExternalRelationshipError`.
        public static var managedObjectExternalRelationship: CocoaError.Code { .managedObjectExternalRelationship }
        /// See `NSManagedObjectMergeError`.
        public static var managedObjectMerge: CocoaError.Code { .managedObjectMerge }
        /// See `NSManagedObjectConstraintMergeError`.
        public static var managedObjectConstraintMerge: CocoaError.Code { .managedObjectConstraintMerge }
        /// See `NSPersistentStoreInvalidTypeError`.
        public static var persistentStoreInvalidType: CocoaError.Code { .persistentStoreInvalidType }
        /// See `NSPersistentStoreTypeMismatchError`.
        public static var persistentStoreTypeMismatch: CocoaError.Code { .persistentStoreTypeMismatch }
        /// See `NSPersistentStoreIncompatibleSchemaError`.
        public static var persistentStoreIncompatibleSchema: CocoaError.Code { .persistentStoreIncompatibleSchema }
        /// See `NSPersistentStoreSaveError`.
        public static var persistentStoreSave: CocoaError.Code { .persistentStoreSave }
        /// See `NSPersistentStoreIncompleteSaveError`.
        public static var persistentStoreIncompleteSave: CocoaError.Code { .persistentStoreIncompleteSave }
        /// See `NSPersistentStoreSaveConflictsError`.
        public static var persistentStoreSaveConflicts: CocoaError.Code { .persistentStoreSaveConflicts }
        /// See `NSCoreDataError`.
        public static var coreData: CocoaError.Code { .coreData }
        /// See `NSPersistentStoreOperationError`.
        public static var persistentStoreOperation: CocoaError.Code { .persistentStoreOperation }
        /// See `NSPersistentStoreOpenError`.
        public static var persistentStoreOpen: CocoaError.Code { .persistentStoreOpen }
        /// See `NSPersistentStoreTimeoutError`.
        public static var persistentStoreTimeout: CocoaError.Code { .persistentStoreTimeout }
        /// See `NSPersistentStoreUnsupportedRequestTypeError`.
        public static var persistentStoreUnsupportedRequestType: CocoaError.Code {
            .persistentStoreUnsupportedRequestType
        }
        /// See `NSPersistentStoreIncompatibleVersionHashError`.
        public static var persistentStoreIncompatibleVersionHash: CocoaError.Code {
            .persistentStoreIncompatibleVersionHash
        }
        /// See `NSMigrationError`.
        public static var migration: CocoaError.Code { .migration }
        /// See `NSMigrationCancelledError`.
        public static var migrationCancelled: CocoaError.Code { .migrationCancelled }
        /// See `NSMigrationMissingSourceModelError`.
        public static var migrationMissingSourceModel: CocoaError.Code { .migrationMissingSourceModel }
        /// See `NSMigrationMissingMappingModelError`.
        public static var migrationMissingMappingModel: CocoaError.Code { .migrationMissingMappingModel }
        /// See `NSMigrationManagerSourceStoreError`.
        public static var migrationManagerSourceStore: CocoaError.Code { .migrationManagerSourceStore }
        /// See `NSMigrationManagerDestinationStoreError`.
        public static var migrationManagerDestinationStore: CocoaError.Code { .migrationManagerDestinationStore }
        /// See `NSEntityMigrationPolicyError`.
        public static var entityMigrationPolicy: CocoaError.Code { .entityMigrationPolicy }
        /// See `NSInferredMappingModelError`.
        public static var inferredMappingModel: CocoaError.Code { .inferredMappingModel }
        /// See `NSExternalRecordImportError`.
        public static var externalRecordImport: CocoaError.Code { .externalRecordImport }
        /// See `NSSQLiteError`.
        public static var sqlite: CocoaError.Code { .sqlite }
    }
#endif
