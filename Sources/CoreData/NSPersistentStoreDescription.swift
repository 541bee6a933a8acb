#if !canImport(Darwin)
    internal import Chordata
    public import Foundation

    /// The type of stores in an SQLite database.
    public var NSSQLiteStoreType: String { "SQLite" }
    /// The type of stores in memory.
    public var NSInMemoryStoreType: String { "InMemory" }
    /// The type of stores in an XML file, which this module does not support.
    public var NSXMLStoreType: String { "XML" }
    /// The type of stores in a binary file, which this module does not support.
    public var NSBinaryStoreType: String { "Binary" }

    /// The option that records the persistent history; a Boolean value.
    public var NSPersistentHistoryTrackingKey: String { "NSPersistentHistoryTrackingKey" }
    /// The option that posts notifications of the saves of other processes; a Boolean value.
    public var NSPersistentStoreRemoteChangeNotificationPostOptionKey: String {
        "NSPersistentStoreRemoteChangeNotificationOptionKey"
    }
    /// The option that migrates stores of older versions; a Boolean value.
    public var NSMigratePersistentStoresAutomaticallyOption: String { "NSMigratePersistentStoresAutomaticallyOption" }
    /// The option that infers mapping models; migrations are inferred when code is generated, so it must be `true`.
    public var NSInferMappingModelAutomaticallyOption: String { "NSInferMappingModelAutomaticallyOption" }
    /// The option that opens a store for reading only; a Boolean value.
    public var NSReadOnlyPersistentStoreOption: String { "NSReadOnlyPersistentStoreOption" }
    /// The option with the number of seconds that a store waits for other processes.
    public var NSPersistentStoreTimeoutOption: String { "NSPersistentStoreTimeoutOption" }
    /// The option with SQLite pragmas: `journal_mode` WAL, `synchronous` and `cache_size`.
    public var NSSQLitePragmasOption: String { "NSSQLitePragmasOption" }
    /// An option that this module does not support: a store is never vacuumed when it is opened.
    public var NSSQLiteManualVacuumOption: String { "NSSQLiteManualVacuumOption" }
    /// An option that this module does not support: a store is analyzed when it is necessary.
    public var NSSQLiteAnalyzeOption: String { "NSSQLiteAnalyzeOption" }
    /// An option that this module does not support: a migration is always completed when the store is opened.
    public var NSPersistentStoreDeferredLightweightMigrationOptionKey: String {
        "NSPersistentStoreDeferredLightweightMigrationOptionKey"
    }
    /// An option that this module does not support.
    ///
    /// Add the store with Chordata's
    /// `addPersistentStore(type:configuration:at:options:)` of the coordinator, and set `StoreOptions.migrationStages`.
    public var NSPersistentStoreStagedMigrationManagerOptionKey: String {
        "NSPersistentStoreStagedMigrationManagerOptionKey"
    }
    /// An option that this module does not support.
    ///
    /// Add the store with Chordata's
    /// `addPersistentStore(type:configuration:at:options:)` of the coordinator, and set
    /// `StoreOptions.maximumReaderCount`.
    public var NSPersistentStoreConnectionPoolMaxSizeKey: String { "NSPersistentStoreConnectionPoolMaxSize" }
    /// The option with the protection of a store's file, which only Apple's systems have.
    public var NSPersistentStoreFileProtectionKey: String { "NSPersistentStoreFileProtectionKey" }

    /// A description of a store that a container opens.
    open class NSPersistentStoreDescription: NSObject {
        /// The file of the store; `nil` for a store in memory.
        open var url: URL?
        /// The type of the store.
        open var type = NSSQLiteStoreType
        /// The configuration of the model whose entities the store has; `nil` for all entities.
        open var configuration: String?
        /// A Boolean value that indicates whether the store is opened for reading only.
        open var isReadOnly = false
        /// The number of seconds that the store waits for other processes.
        open var timeout: TimeInterval = 5
        /// A Boolean value that indicates whether a store of an older version is migrated.
        open var shouldMigrateStoreAutomatically = true
        /// A Boolean value that indicates whether migrations are inferred; they are inferred when code is generated.
        open var shouldInferMappingModelAutomatically = true
        /// A Boolean value that indicates whether the store is opened on another queue.
        open var shouldAddStoreAsynchronously = false
        /// The options that were set, keyed by name.
        public private(set) var options: [String: NSObject] = [:]
        /// The values of SQLite pragmas, keyed by name.
        public private(set) var sqlitePragmas: [String: NSObject] = [:]

        /// Creates a description of a store in the file `/dev/null`, like Core Data.
        public override convenience init() { self.init(url: URL(fileURLWithPath: "/dev/null")) }

        /// Creates a description of a store in a file.
        public init(url: URL) {
            self.url = url
            super.init()
        }

        /// Sets an option; `nil` removes it.
        open func setOption(_ option: NSObject?, forKey key: String) { options[key] = option }

        /// Sets an option to a Boolean value, which is stored as an `NSNumber`; on Apple's systems, Swift converts the
        /// value itself.
        public func setOption(_ option: Bool, forKey key: String) { options[key] = NSNumber(value: option) }

        /// Sets the value of an SQLite pragma; `nil` removes it.
        open func setValue(_ value: NSObject?, forPragmaNamed name: String) { sqlitePragmas[name] = value }

        open override var description: String { "\(type) \(url?.path ?? "in memory")" }
    }

    extension NSPersistentStoreDescription {
        /// The path and options of the store.
        /// - Throws: ``UnsupportedFeatureError`` when this module does not support an option.
        func value() throws(UnsupportedFeatureError) -> PersistentStoreDescription {
            var all = options
            if !sqlitePragmas.isEmpty {
                let former = all[NSSQLitePragmasOption] as? NSDictionary ?? [:]
                let merged = NSMutableDictionary()
                for (name, value) in former { merged["\(name)"] = value }
                for (name, value) in sqlitePragmas { merged[name] = value }
                all[NSSQLitePragmasOption] = merged
            }
            var storeOptions = StoreOptions()
            storeOptions.isReadOnly = isReadOnly
            storeOptions.busyTimeout = try duration(timeout)
            guard shouldInferMappingModelAutomatically else {
                throw notInferred("shouldInferMappingModelAutomatically")
            }
            storeOptions.shouldMigrateStoreAutomatically = shouldMigrateStoreAutomatically
            try storeOptions.apply(all)
            return PersistentStoreDescription(
                path: try storePath(ofType: type, at: url),
                configuration: configuration,
                options: storeOptions
            )
        }
    }

    /// The path of a store of a type.
    func storePath(ofType type: String, at url: URL?) throws(UnsupportedFeatureError) -> String {
        switch type {
        case NSInMemoryStoreType: return ":memory:"
        case NSSQLiteStoreType:
            guard let url, url.isFileURL else {
                throw UnsupportedFeatureError(
                    "a store of type SQLite needs the URL of a file; set the url of the description"
                )
            }
            // Tests use this path for an SQLite store without a file.
            return url.path == "/dev/null" ? ":memory:" : url.path
        default:
            throw UnsupportedFeatureError(
                "there are no stores of type '\(type)'; use NSSQLiteStoreType or NSInMemoryStoreType"
            )
        }
    }

    private func notInferred(_ name: String) -> UnsupportedFeatureError {
        UnsupportedFeatureError(
            "migrations are inferred when code is generated; remove '\(name)', and write the SQL of each migration that "
                + "cannot be inferred"
        )
    }

    private func duration(_ seconds: TimeInterval) throws(UnsupportedFeatureError) -> Duration {
        guard seconds >= 0, seconds < 1e9 else {
            throw UnsupportedFeatureError(
                "the timeout \(seconds) of a store is not valid; set a number of seconds between 0 and 1,000,000,000"
            )
        }
        return .seconds(seconds)
    }

    extension StoreOptions {
        /// Sets options of Core Data.
        mutating func apply(_ options: [AnyHashable: Any]) throws(UnsupportedFeatureError) {
            for (key, value) in options {
                let name = "\(key)"
                switch name {
                case NSPersistentHistoryTrackingKey:
                    // A dictionary enables tracking, with additional options.
                    tracksPersistentHistory = value is NSDictionary ? true : try flag(value, name)
                case NSPersistentStoreRemoteChangeNotificationPostOptionKey:
                    reportsRemoteChanges = try flag(value, name)
                case NSMigratePersistentStoresAutomaticallyOption:
                    shouldMigrateStoreAutomatically = try flag(value, name)
                case NSInferMappingModelAutomaticallyOption:
                    guard try flag(value, name) else {
                        throw notInferred(name)
                    }
                case NSReadOnlyPersistentStoreOption: isReadOnly = try flag(value, name)
                case NSPersistentStoreTimeoutOption:
                    guard let seconds = (value as? NSNumber)?.doubleValue ?? value as? Double else {
                        throw wrongValue(value, name)
                    }
                    busyTimeout = try duration(seconds)
                case NSSQLitePragmasOption:
                    guard let pragmas = value as? [String: Any] ?? (value as? NSDictionary) as? [String: Any] else {
                        throw wrongValue(value, name)
                    }
                    for (pragma, setting) in pragmas { try apply(pragma, "\(setting)") }
                default:
                    throw UnsupportedFeatureError(
                        "the store option '\(name)' is not supported on this platform; remove the option"
                    )
                }
            }
        }

        private mutating func apply(_ pragma: String, _ setting: String) throws(UnsupportedFeatureError) {
            switch (pragma.lowercased(), setting.uppercased()) {
            case ("journal_mode", "WAL"): break  // Stores always have a write-ahead log.
            case ("cache_size", _) where Int(setting).map { abs($0) < 1 << 31 } == true:
                // Pages of the default size, or a negative number of KiB.
                let number = Int(setting) ?? 0
                cacheSize = number < 0 ? -number * 1_024 : number * 4_096
            case ("synchronous", "FULL"), ("synchronous", "2"): synchronous = .full
            case ("synchronous", "NORMAL"), ("synchronous", "1"): synchronous = .normal
            default:
                throw UnsupportedFeatureError(
                    "the SQLite pragma \(pragma) = \(setting) cannot be set; a store uses journal_mode WAL, and synchronous FULL or "
                        + "NORMAL"
                )
            }
        }

        private func flag(_ value: Any, _ name: String) throws(UnsupportedFeatureError) -> Bool {
            if let number = value as? NSNumber { return number.boolValue }
            if let flag = value as? Bool { return flag }
            throw wrongValue(value, name)
        }

        private func wrongValue(_ value: Any, _ name: String) -> UnsupportedFeatureError {
            UnsupportedFeatureError(
                "the store option '\(name)' does not accept a value of type \(type(of: value)); set a value of the option's type"
            )
        }
    }
#endif
