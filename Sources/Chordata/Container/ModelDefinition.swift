public import ChordataModel

/// A model in the form in which generated code passes it to this library: the current version with its classes, and the
/// migrations from older versions.
public struct ModelDefinition: Sendable {
    /// A migration step from one version to the next, as SQL statements.
    public struct Migration: Sendable, Hashable {
        /// The name of the source version of the step.
        public let source: String
        /// The version hash of the source version.
        public let sourceHash: String
        /// The name of the destination version of the step.
        public let destination: String
        /// The version hash of the destination version.
        public let destinationHash: String
        /// The SQL statements of the step, separated by semicolons.
        public let sql: String
        /// The statements of the step for a store on a PostgreSQL server; `nil` if the key `stores` of the model's
        /// configuration file does not contain `postgresql`.
        public let postgresSQL: String?
        let stage: Stage?
        /// A Boolean value that indicates whether the step requires a ``MigrationStage``.
        public var hasStage: Bool { stage != nil }

        /// The source and destination versions of a step that requires a ``MigrationStage``.
        @_spi(Generated)
        public struct Stage: Sendable, Hashable {
            private let serializedSource: String
            private let serializedDestination: String

            /// Creates a stage from two serialized `ManagedObjectModel`s, which are parsed only when a store needs
            /// them.
            public init(serializedSource: String, serializedDestination: String) {
                self.serializedSource = serializedSource
                self.serializedDestination = serializedDestination
            }

            func models() throws(StoreError) -> (source: ManagedObjectModel, destination: ManagedObjectModel) {
                do {
                    return (
                        try ManagedObjectModel(serialized: serializedSource),
                        try ManagedObjectModel(serialized: serializedDestination)
                    )
                } catch {
                    throw StoreError(
                        .migrationFailed,
                        "the generated model of a version that a migration stage uses cannot be read: \(error); generate the code again"
                    )
                }
            }
        }

        /// Creates a migration step.
        @_spi(Generated)
        public init(
            source: String,
            sourceHash: String,
            destination: String,
            destinationHash: String,
            sql: String,
            postgresSQL: String? = nil,
            stage: Stage? = nil
        ) {
            self.source = source
            self.sourceHash = sourceHash
            self.destination = destination
            self.destinationHash = destinationHash
            self.sql = sql
            self.postgresSQL = postgresSQL
            self.stage = stage
        }
    }

    /// The name of the model.
    public let name: String
    /// The name of the current version.
    public let versionName: String
    /// The managed object model of the current version.
    public let model: ManagedObjectModel
    /// The version hash of the current version, stored because the model computes it at each access.
    package let versionHash: String
    /// The migration steps; if several steps have the same source version hash, the last one is used.
    public let migrations: [Migration]
    /// The names of all versions, including the current one, keyed by version hash.
    public let versionNames: [String: String]
    /// The names of all versions, oldest first; if the array is empty, versions are ordered by name, such as `Done 2`
    /// before `Done 10`.
    public let versionOrder: [String]
    /// The serialized models of the other versions, keyed by name, if the generated code has them.
    let serializedVersions: [String: String]
    /// The classes of the entities; empty if the objects have no classes of their own.
    package let classes: [ManagedObject.Type]
    /// The comparison of the classes with the model.
    package let classCheck = ClassCheck()
    /// The schemas of the model's stores.
    let schemas = SchemaCache()

    /// Creates the definition of a model without generated classes, for example one that was created in code or read at
    /// run time.
    ///
    /// Its objects are instances of ``ManagedObject``, whose properties are accessed by name.
    ///
    /// - Parameters:
    ///   - name: The name of the model, which is recorded in its stores.
    ///   - versionName: The name of the version.
    ///   - model: The entities of the version.
    ///   - migrations: The migration steps from other versions; if several steps have the same source version hash, the
    ///     last one is used.
    ///   - versionNames: The names of other versions, keyed by version hash.
    ///   - versionOrder: The names of all versions, oldest first; empty to order versions by name.
    public init(
        name: String,
        versionName: String,
        model: ManagedObjectModel,
        migrations: [Migration] = [],
        versionNames: [String: String] = [:],
        versionOrder: [String] = []
    ) {
        self.name = name
        self.versionName = versionName
        self.model = model
        self.migrations = migrations
        versionHash = model.versionHash
        self.versionNames = versionNames.merging([versionHash: versionName]) { other, _ in other }
        self.versionOrder = versionOrder
        serializedVersions = [:]
        classes = []
    }

    /// Creates the definition of a model with generated classes.
    ///
    /// Called by generated code.
    @_spi(Generated)
    public init(
        name: String,
        versionName: String,
        serializedModel: String,
        classes: [ManagedObject.Type],
        versionNames: [String: String],
        versionOrder: [String] = [],
        serializedVersions: [String: String] = [:],
        migrations: [Migration]
    ) {
        self.name = name
        self.versionName = versionName
        do {
            self.model = try ManagedObjectModel(serialized: serializedModel)
        } catch {
            preconditionFailure("the generated model '\(name)' cannot be read: \(error); generate the code again")
        }
        versionHash = model.versionHash
        self.classes = classes
        self.versionNames = versionNames
        self.versionOrder = versionOrder
        self.serializedVersions = serializedVersions
        self.migrations = migrations
        remember()
    }
}

// Members for the module `CoreData`, whose programs can open stores of older versions.

extension ModelDefinition {
    /// The names of the versions that ``definition(ofVersion:)`` returns, oldest first.
    package var availableVersions: [String] {
        let names = Array(serializedVersions.keys) + [versionName]
        let order = versionOrder.isEmpty ? names.sorted(by: isNaturallyOrdered(_:before:)) : versionOrder
        return order.filter(names.contains)
    }

    /// Returns the definition of a version, whose objects have no classes of their own unless it is the current one.
    /// - Returns: The definition; `nil` if the generated code has no model of this version.
    package func definition(ofVersion name: String) -> ModelDefinition? {
        if name == versionName { return self }
        guard let serialized = serializedVersions[name] else { return nil }
        do {
            return ModelDefinition(
                name: self.name,
                versionName: name,
                model: try ManagedObjectModel(serialized: serialized),
                migrations: migrations,
                versionNames: versionNames,
                versionOrder: versionOrder
            )
        } catch {
            preconditionFailure(
                "the generated version '\(name)' of model '\(self.name)' cannot be read: \(error); generate the code again"
            )
        }
    }
}

/// A generated model, which the module `CoreData` finds by its name.
public protocol GeneratedModel {
    /// The model with its classes and migrations.
    static var definition: ModelDefinition { get }
}
