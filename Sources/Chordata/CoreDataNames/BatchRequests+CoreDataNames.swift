// Core Data's names for platforms without Core Data, so that the compiler's error names the replacement.

#if !canImport(Darwin)
    public import Foundation

    extension BatchDeleteRequest where Object == ManagedObject {
        /// A name of Core Data for which Chordata has no declaration of the same form; if there is a replacement, the
        /// compiler's error names it.
        @available(*, unavailable, message: "pass the name of the entity: init(entityName:objectIDs:)")
        public init(objectIDs: [ManagedObjectID]) { preconditionFailure("unavailable") }
    }

    extension BatchInsertRequest where Object == ManagedObject {
        /// A name of Core Data for which Chordata has no declaration of the same form; if there is a replacement, the
        /// compiler's error names it.
        @available(*, unavailable, message: "pass the name of the entity: init(entityName:objects:)")
        public init(entity: EntityDescription, objects: [[String: Any]]) { preconditionFailure("unavailable") }

        /// A name of Core Data for which Chordata has no declaration of the same form; if there is a replacement, the
        /// compiler's error names it.
        @available(*, unavailable, message: "pass the name of the entity, and a closure that fills a [String: Any?]")
        public init(entity: EntityDescription, dictionaryHandler: (NSMutableDictionary) -> Bool) {
            preconditionFailure("unavailable")
        }

        /// A name of Core Data for which Chordata has no declaration of the same form; if there is a replacement, the
        /// compiler's error names it.
        @available(*, unavailable, message: "pass a closure that fills a [String: Any?]")
        public init(entityName: String, dictionaryHandler: (NSMutableDictionary) -> Bool) {
            preconditionFailure("unavailable")
        }

        /// A name of Core Data for which Chordata has no declaration of the same form; if there is a replacement, the
        /// compiler's error names it.
        @available(*, unavailable, message: "pass the name of the entity: init(entityName:managedObjectHandler:)")
        public init(entity: EntityDescription, managedObjectHandler: (ManagedObject) -> Bool) {
            preconditionFailure("unavailable")
        }
    }
#endif
