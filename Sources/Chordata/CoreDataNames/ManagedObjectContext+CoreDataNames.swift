// Core Data's names for platforms without Core Data, so that the compiler's error names the replacement.

#if !canImport(Darwin)
    public import Foundation

    extension ManagedObjectContext {
        /// Core Data's kinds of contexts.
        public enum ConcurrencyType {
            case mainQueueConcurrencyType, privateQueueConcurrencyType
        }

        /// A name of Core Data for which Chordata has no declaration of the same form; if there is a replacement, the
        /// compiler's error names it.
        @available(
            *,
            unavailable,
            message: "use newContext() of a container, or ManagedObjectContext() and set its parent"
        )
        public convenience init(concurrencyType: ConcurrencyType) { preconditionFailure("unavailable") }

        /// A name of Core Data for which Chordata has no declaration of the same form; if there is a replacement, the
        /// compiler's error names it.
        @available(*, unavailable, message: "keep such values in a type of your own")
        public var userInfo: NSMutableDictionary { preconditionFailure("unavailable") }

        /// A name of Core Data for which Chordata has no declaration of the same form; if there is a replacement, the
        /// compiler's error names it.
        @available(*, unavailable, message: "remove it; a fault reads the store")
        public var stalenessInterval: TimeInterval {
            get { 0 }
            set {}
        }

        /// A name of Core Data for which Chordata has no declaration of the same form; if there is a replacement, the
        /// compiler's error names it.
        @available(
            *,
            unavailable,
            message:
                "remove it; a context retains only objects with unsaved changes, so your program must retain others that it needs"
        )
        public var retainsRegisteredObjects: Bool {
            get { false }
            set {}
        }

        /// A name of Core Data for which Chordata has no declaration of the same form; if there is a replacement, the
        /// compiler's error names it.
        @available(
            *,
            unavailable,
            message:
                "remove it; if its row was deleted, a fault has nil for optional properties, and defaults for required attributes"
        )
        public var shouldDeleteInaccessibleFaults: Bool {
            get { false }
            set {}
        }

        /// A name of Core Data for which Chordata has no declaration of the same form; if there is a replacement, the
        /// compiler's error names it.
        @available(*, unavailable, message: "remove it; delete(_:) applies delete rules immediately")
        public var propagatesDeletesAtEndOfEvent: Bool {
            get { false }
            set {}
        }

        /// A name of Core Data for which Chordata has no declaration of the same form; if there is a replacement, the
        /// compiler's error names it.
        @available(*, unavailable, message: "remove it; a save detects conflicts")
        public func detectConflicts(for object: ManagedObject) {}
    }
#endif
