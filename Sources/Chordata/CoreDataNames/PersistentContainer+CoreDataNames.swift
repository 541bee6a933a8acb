// Core Data's names for platforms without Core Data, so that the compiler's error names the replacement.

#if !canImport(Darwin)
    public import Foundation

    extension PersistentContainer {
        /// A name of Core Data for which Chordata has no declaration of the same form; if there is a replacement, the
        /// compiler's error names it.
        @available(
            *,
            unavailable,
            message: "use the generated function of the model, such as ShopModel.container(at: path)"
        )
        public convenience init(name: String) { preconditionFailure("unavailable") }

        /// A name of Core Data for which Chordata has no declaration of the same form; if there is a replacement, the
        /// compiler's error names it.
        @available(
            *,
            unavailable,
            message: "use the generated function of the model, such as ShopModel.container(at: path)"
        )
        public convenience init(name: String, managedObjectModel: ManagedObjectModel) {
            preconditionFailure("unavailable")
        }

        /// A name of Core Data for which Chordata has no declaration of the same form; if there is a replacement, the
        /// compiler's error names it.
        @available(*, unavailable, message: "remove the call; the initializer of a container opens its store")
        public func loadPersistentStores(
            completionHandler: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
        ) {}

        /// A name of Core Data for which Chordata has no declaration of the same form; if there is a replacement, the
        /// compiler's error names it.
        @available(*, unavailable, message: "pass StoreOptions to the generated function container(at:options:)")
        public var persistentStoreDescriptions: [NSPersistentStoreDescription] {
            get { [] }
            set {}
        }

        /// A name of Core Data for which Chordata has no declaration of the same form; if there is a replacement, the
        /// compiler's error names it.
        @available(*, unavailable, message: "pass a path of your own to the generated function container(at:)")
        public static func defaultDirectoryURL() -> URL { preconditionFailure("unavailable") }

        /// Core Data's name of `newContext()`.
        @available(*, unavailable, renamed: "newContext()")
        public func newBackgroundContext() -> ManagedObjectContext { newContext() }
    }
#endif
