#if !canImport(Darwin)
    public import Chordata
    public import Foundation

    /// A model, its open stores and their contexts.
    open class NSPersistentContainer: @unchecked Sendable {  // Its variables are set before it is shared.
        // A subclass cannot override a 'let'.
        private let ownName: String
        private let ownModel: NSManagedObjectModel
        private let ownCoordinator: NSPersistentStoreCoordinator
        private let ownViewContext: NSManagedObjectContext

        /// The name of the container, and of its store's file.
        open var name: String { ownName }
        /// The model.
        open var managedObjectModel: NSManagedObjectModel { ownModel }
        /// The coordinator of the stores.
        open var persistentStoreCoordinator: NSPersistentStoreCoordinator { ownCoordinator }
        /// The descriptions of the stores that ``loadPersistentStores(completionHandler:)`` opens.
        ///
        /// At first, this is one store in ``defaultDirectoryURL()``.
        open var persistentStoreDescriptions: [NSPersistentStoreDescription]
        /// The context that uses the main queue.
        open var viewContext: NSManagedObjectContext { ownViewContext }

        /// Creates a container for a generated model.
        /// - Parameter name: The name of the model. A module of the program must contain the model; another name traps.
        public convenience init(name: String) {
            guard let model = NSManagedObjectModel(named: name) else {
                preconditionFailure(
                    "no module of the program has a generated model '\(name)'; add '\(name).xcdatamodeld' to a target with "
                        + "the plugin ChordataGenerate, and \"optionality\": \"coreData\" to the file chordata.json beside the model"
                )
            }
            self.init(name: name, managedObjectModel: model)
        }

        /// Creates a container for a model.
        public init(name: String, managedObjectModel model: NSManagedObjectModel) {
            ownName = name
            ownModel = model
            ownCoordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
            ownViewContext = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
            persistentStoreDescriptions = []
            // A subclass can override the coordinator and the name.
            ownViewContext.persistentStoreCoordinator = persistentStoreCoordinator
            let url = Self.defaultDirectoryURL().appendingPathComponent(self.name).appendingPathExtension("sqlite")
            persistentStoreDescriptions = [NSPersistentStoreDescription(url: url)]
        }

        /// The class, the address and the name of the container.
        open var description: String { text(ofObject: "\(type(of: self))", name) }

        /// Returns the folder of the stores: a folder with the name of the program in the user's `Application Support`.
        ///
        /// The folder is created if it does not exist.
        open class func defaultDirectoryURL() -> URL {
            let parent =
                FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
                ?? FileManager.default.temporaryDirectory
            let folder = parent.appendingPathComponent(ProcessInfo.processInfo.processName)
            // If that fails, opening a store in it reports the cause.
            try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            return folder
        }

        /// Opens the stores of ``persistentStoreDescriptions``, and calls a closure for each store.
        open func loadPersistentStores(
            completionHandler block: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
        ) {
            for description in persistentStoreDescriptions {
                persistentStoreCoordinator.addPersistentStore(with: description, completionHandler: block)
            }
        }

        /// Creates a context with a private queue.
        open func newBackgroundContext() -> NSManagedObjectContext {
            let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            context.persistentStoreCoordinator = persistentStoreCoordinator
            return context
        }

        /// Runs a closure with a new context on the context's queue.
        open func performBackgroundTask(_ block: @escaping (NSManagedObjectContext) -> Void) {
            let context = newBackgroundContext()
            context.perform { block(context) }
        }

        /// Runs a closure with a new context on the context's queue.
        /// - Returns: The value that the closure returns.
        /// - Throws: Any error that the closure throws.
        @discardableResult
        open func performBackgroundTask<Result, Failure: Error>(
            _ block: @escaping (NSManagedObjectContext) throws(Failure) -> Result
        ) async throws(Failure) -> Result {
            let context = newBackgroundContext()
            return try await context.perform { () throws(Failure) in try block(context) }
        }
    }

    extension PersistentStoreCoordinator {
        /// Opens the store of a description, and calls a closure when it is open or could not be opened.
        public func addPersistentStore(
            with storeDescription: NSPersistentStoreDescription,
            completionHandler block: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
        ) {
            func load() {
                do {
                    let description = try storeDescription.value()
                    _ = try open(
                        description.path,
                        configuration: description.configuration,
                        options: description.options
                    )
                } catch {
                    return block(storeDescription, error)
                }
                block(storeDescription, nil)
            }
            guard storeDescription.shouldAddStoreAsynchronously else { return load() }
            let opening = UncheckedSendable(load)
            DispatchQueue.global().async { opening.value() }
        }

        /// Creates a coordinator for a model; add stores to it before you use it.
        public convenience init(managedObjectModel model: NSManagedObjectModel) {
            self.init(managedObjectModel: model.definition)
        }

        /// The model.
        public var managedObjectModel: NSManagedObjectModel { NSManagedObjectModel(definition) }

        /// Opens a store.
        /// - Returns: The open store.
        /// - Throws: ``UnsupportedFeatureError`` when the type or an option has no counterpart; `CocoaError` with Core
        ///   Data's code when the store cannot be opened.
        @discardableResult
        public func addPersistentStore(
            ofType storeType: String,
            configurationName configuration: String?,
            at storeURL: URL?,
            options: [AnyHashable: Any]? = nil
        ) throws -> NSPersistentStore {
            var storeOptions = StoreOptions()
            storeOptions.shouldMigrateStoreAutomatically = false
            try storeOptions.apply(options ?? [:])
            return try open(
                storePath(ofType: storeType, at: storeURL),
                configuration: configuration,
                options: storeOptions
            )
        }

        private func open(
            _ path: String,
            configuration: String?,
            options: StoreOptions
        ) throws -> NSPersistentStore {
            let isInMemory = path == ":memory:"
            let store = try throwingCocoaErrors {
                try addPersistentStore(
                    type: isInMemory ? .inMemory : .sqlite,
                    configuration: configuration,
                    at: isInMemory ? nil : URL(fileURLWithPath: path),
                    options: options
                )
            }
            if options.reportsRemoteChanges { postRemoteChanges(of: store) }
            return store
        }

        /// Removes the only store of the coordinator, so that another one can be added.
        ///
        /// Contexts that have used the store keep it open until they are released; create new contexts for the next
        /// store.
        /// - Throws: ``UnsupportedFeatureError`` when the coordinator has several stores, or does not have this store.
        public func remove(_ store: NSPersistentStore) throws {
            guard removeOnlyStore(store) else {
                throw UnsupportedFeatureError(
                    "one of several stores cannot be removed from its coordinator; create another coordinator with the other "
                        + "stores"
                )
            }
        }

        /// Copies the only store to a file, and uses the copy instead of the store; the former file remains.
        ///
        /// Contexts that have used the store have its objects from the former file, and cannot save them; create new
        /// ones for the copy.
        /// - Returns: The store of the copy.
        /// - Throws: ``UnsupportedFeatureError`` when the coordinator has several stores, or not this one, or when the
        ///   destination is not a file; `CocoaError` when a file exists at the URL, or when the store cannot be
        ///   copied. The coordinator then has the former store.
        @discardableResult
        public func migratePersistentStore(
            _ store: NSPersistentStore,
            to storeURL: URL,
            options: [AnyHashable: Any]? = nil,
            withType storeType: String
        ) throws -> NSPersistentStore {
            let path = try storePath(ofType: storeType, at: storeURL)
            var storeOptions = StoreOptions()
            try storeOptions.apply(options ?? [:])
            guard path != ":memory:" else {
                throw UnsupportedFeatureError("a store cannot be moved to memory; use the URL of a file")
            }
            guard persistentStores.count == 1, persistentStores[0] === store else {
                throw UnsupportedFeatureError(
                    "a store cannot be moved while its coordinator has other stores; copy the store with "
                        + "PersistentStore.backUp(to:), and open the copy with another coordinator"
                )
            }
            let configuration = store.configurationName
            try throwingCocoaErrors {
                try store.backUp(to: path)
                // A copy that cannot be opened leaves the coordinator as it is.
                let trial = PersistentStoreCoordinator(managedObjectModel: definition)
                _ = try trial.addPersistentStore(
                    type: .sqlite,
                    configuration: configuration,
                    at: URL(fileURLWithPath: path),
                    options: storeOptions
                )
            }
            try remove(store)
            return try open(path, configuration: configuration, options: storeOptions)
        }

        /// Removes the contents of a store that is not open; its file remains, and is empty.
        ///
        /// Coordinators that have the store open cannot be used afterwards.
        /// - Throws: An error if another connection is writing, or if the file is not a store.
        public func destroyPersistentStore(
            at url: URL,
            ofType storeType: String,
            options: [AnyHashable: Any]? = nil
        ) throws {
            let path = try storePath(ofType: storeType, at: url)
            if path != ":memory:" { try throwingCocoaErrors { try Self.destroyPersistentStore(at: path) } }
        }

        /// Replaces the contents of a store that is not open with those of another store, which may be open.
        ///
        /// Coordinators that have the replaced store open cannot be used afterwards.
        /// - Throws: An error if another connection is writing to the replaced store, or if a file is not a store.
        public func replacePersistentStore(
            at destinationURL: URL,
            destinationOptions: [AnyHashable: Any]? = nil,
            withPersistentStoreFrom sourceURL: URL,
            sourceOptions: [AnyHashable: Any]? = nil,
            ofType storeType: String
        ) throws {
            let destination = try storePath(ofType: storeType, at: destinationURL)
            let source = try storePath(ofType: storeType, at: sourceURL)
            try throwingCocoaErrors { try Self.replacePersistentStore(at: destination, withStoreAt: source) }
        }

        /// Returns the metadata of a store, which need not be open.
        public static func metadataForPersistentStore(
            ofType storeType: String,
            at url: URL,
            options: [AnyHashable: Any]? = nil
        ) throws -> [String: Any] {
            let path = try storePath(ofType: storeType, at: url)
            return try throwingCocoaErrors { try metadata(forStoreAt: path).dictionary }
        }

        /// Returns the metadata of a store, which need not be open.
        public static func metadataForPersistentStore(
            type storeType: NSPersistentStore.StoreType,
            at url: URL,
            options: [AnyHashable: Any]? = nil
        ) throws -> [String: Any] {
            try metadataForPersistentStore(ofType: try name(of: storeType), at: url, options: options)
        }

        /// Copies the only store to a file, and uses the copy instead of the store; see
        /// `migratePersistentStore(_:to:options:withType:)`.
        /// - Returns: The store of the copy.
        @discardableResult
        public func migratePersistentStore(
            _ store: NSPersistentStore,
            to storeURL: URL,
            options: [AnyHashable: Any]? = nil,
            type storeType: NSPersistentStore.StoreType
        ) throws -> NSPersistentStore {
            let type = try Self.name(of: storeType)
            return try migratePersistentStore(store, to: storeURL, options: options, withType: type)
        }

        /// Removes the contents of a store that is not open; its file remains, and is empty.
        ///
        /// Coordinators that have the store open cannot be used afterwards.
        /// - Throws: An error if another connection is writing, or if the file is not a store.
        public func destroyPersistentStore(
            at url: URL,
            type storeType: NSPersistentStore.StoreType,
            options: [AnyHashable: Any]? = nil
        ) throws { try destroyPersistentStore(at: url, ofType: try Self.name(of: storeType), options: options) }

        /// Replaces the contents of a store that is not open with those of another store, which may be open.
        ///
        /// Coordinators that have the replaced store open cannot be used afterwards.
        /// - Throws: An error if another connection is writing to the replaced store, or if a file is not a store.
        public func replacePersistentStore(
            at destinationURL: URL,
            destinationOptions: [AnyHashable: Any]? = nil,
            withPersistentStoreFrom sourceURL: URL,
            sourceOptions: [AnyHashable: Any]? = nil,
            type storeType: NSPersistentStore.StoreType
        ) throws {
            try replacePersistentStore(
                at: destinationURL,
                destinationOptions: destinationOptions,
                withPersistentStoreFrom: sourceURL,
                sourceOptions: sourceOptions,
                ofType: try Self.name(of: storeType)
            )
        }

        private static func name(of type: NSPersistentStore.StoreType) throws -> String {
            guard type != .postgresql else {
                throw UnsupportedFeatureError(
                    "a store on a server has no file; use PersistentContainer(model:postgres:) of ChordataPostgres"
                )
            }
            return type.rawValue
        }

        /// Returns the URL of a store.
        public func url(for store: NSPersistentStore) -> URL { store.url ?? URL(fileURLWithPath: "/dev/null") }

        /// Executes a request with a context of this coordinator.
        /// - Returns: The result, of the class of the request's results.
        @discardableResult
        public func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext) throws -> Any {
            try context.execute(request)
        }

        /// Returns the metadata of an open store.
        public func metadata(for store: NSPersistentStore) -> [String: Any] {
            (try? store.metadata().dictionary) ?? [:]
        }

        /// Replaces the metadata of an open store immediately, except the values that the store sets itself.
        ///
        /// The values are property lists: strings, numbers, Boolean values, dates, data, and arrays and dictionaries of
        /// these. A value of another type traps, and so does a store that cannot be written.
        public func setMetadata(_ metadata: [String: Any]?, for store: NSPersistentStore) {
            do {
                let former = try store.metadata()
                for (key, value) in metadata ?? [:] where !former.isReserved(key) {
                    guard let text = try metadataText(of: value) else {
                        preconditionFailure(
                            "the metadata '\(key)' has a value of type \(type(of: value)), which is not a valid property "
                                + "list; use a string, number, Bool, Date, Data, array or dictionary"
                        )
                    }
                    if former.notes[key] != text { try store.setMetadata(text, forKey: key) }
                }
                for key in former.notes.keys where metadata?[key] == nil { try store.setMetadata(nil, forKey: key) }
            } catch {
                preconditionFailure("the metadata of '\(store.path)' cannot be written: \(error)")
            }
        }

        /// Runs a closure; a coordinator can be used by all threads.
        public func performAndWait(_ block: () -> Void) { block() }

        /// Runs a closure; a coordinator can be used by all threads.
        /// - Returns: The value that the closure returns.
        public func performAndWait<Result>(_ block: () throws -> Result) rethrows -> Result { try block() }

        /// Runs a closure on another thread; a coordinator can be used by all threads.
        public func perform(_ block: @escaping () -> Void) {
            let block = UncheckedSendable(block)
            DispatchQueue.global().async { block.value() }
        }
    }

    extension PersistentStore.StoreType: RawRepresentable {
        /// Creates the type with a name, such as `NSSQLiteStoreType`; the name of a type that does not exist traps.
        public init(rawValue: String) {
            switch rawValue {
            case NSSQLiteStoreType: self = .sqlite
            case NSInMemoryStoreType: self = .inMemory
            case "PostgreSQL": self = .postgresql
            default:
                preconditionFailure(
                    "there are no stores of type '\(rawValue)'; use NSSQLiteStoreType or NSInMemoryStoreType"
                )
            }
        }

        /// The name of the type, such as `NSSQLiteStoreType`.
        public var rawValue: String {
            switch self {
            case .sqlite: NSSQLiteStoreType
            case .inMemory: NSInMemoryStoreType
            case .postgresql: "PostgreSQL"
            }
        }

        /// There are no binary stores.
        @available(*, unavailable, message: "there are no binary stores; use sqlite or inMemory")
        public static var binary: PersistentStore.StoreType { .sqlite }
        /// There are no XML stores.
        @available(*, unavailable, message: "there are no XML stores; use sqlite or inMemory")
        public static var xml: PersistentStore.StoreType { .sqlite }
    }

    extension PersistentStore {
        /// The type of the store: `NSSQLiteStoreType` or `NSInMemoryStoreType`.
        public var type: String { path == ":memory:" ? NSInMemoryStoreType : NSSQLiteStoreType }
        /// The file of the store.
        public var url: URL? { path == ":memory:" ? URL(fileURLWithPath: "/dev/null") : URL(fileURLWithPath: path) }
    }

    /// The key of the version hashes of entities in metadata.
    public var NSStoreModelVersionHashesKey: String { "NSStoreModelVersionHashes" }
    /// The key of the identifiers of a version in metadata.
    public var NSStoreModelVersionIdentifiersKey: String { "NSStoreModelVersionIdentifiers" }
#endif
