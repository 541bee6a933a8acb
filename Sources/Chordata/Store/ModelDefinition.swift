public import ChordataModel

/// A model as generated code hands it to the runtime: the current version with its classes, and the way to it from
/// older ones.
public struct ModelDefinition: Sendable {
    /// One step from a version to the next, as reviewed SQL.
    public struct Migration: Sendable, Hashable {
        /// The name of the version the step begins with.
        public let source: String
        /// The hash of that version.
        public let sourceHash: String
        /// The name of the version the step ends with.
        public let destination: String
        /// The hash of that version.
        public let destinationHash: String
        /// The statements, separated by semicolons.
        public let sql: String
        let stage: Stage?
        /// A Boolean value that indicates whether the program has a part in it, as a ``MigrationStage``.
        public var hasStage: Bool { stage != nil }

        /// The two versions of a step that the program has a part in.
        @_spi(Generated)
        public struct Stage: Sendable, Hashable {
            private let serializedSource: String
            private let serializedDestination: String

            /// Takes both as `ManagedObjectModel` writes itself; they are not read before a store needs them.
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
                        "a version of a stage cannot be read: \(error); generate the code again"
                    )
                }
            }
        }

        /// Creates a step.
        @_spi(Generated)
        public init(
            source: String,
            sourceHash: String,
            destination: String,
            destinationHash: String,
            sql: String,
            stage: Stage? = nil
        ) {
            self.source = source
            self.sourceHash = sourceHash
            self.destination = destination
            self.destinationHash = destinationHash
            self.sql = sql
            self.stage = stage
        }
    }

    /// The name of the model.
    public let name: String
    /// The name of the current version.
    public let versionName: String
    /// The current version.
    public let model: ManagedObjectModel
    /// The steps that are known; where several begin with identical versions, the last one counts.
    public let migrations: [Migration]
    /// The names of the versions, by hash, the current one included.
    public let versionNames: [String: String]
    /// The names of the versions, oldest first; none where the names decide the order, as in `Done 2` before `Done 10`.
    public let versionOrder: [String]
    /// The classes of the entities; none where objects have no class of their own.
    let classes: [ManagedObject.Type]
    /// The comparison of the classes with the model.
    let classCheck = ClassCheck()

    /// Creates the definition of a model that was built in code or read at run time: its objects are plain
    /// ``ManagedObject``s, whose properties are reached by their names.
    ///
    /// - Parameters:
    ///   - name: The name of the model, which its stores remember.
    ///   - versionName: The name of the version.
    ///   - migrations: The steps from other versions; where several begin with identical versions, the last one counts.
    ///   - versionNames: The names of other versions, by hash.
    ///   - versionOrder: The names of all versions, oldest first; without them the names decide the order.
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
        self.versionNames = versionNames.merging([model.versionHash: versionName]) { other, _ in other }
        self.versionOrder = versionOrder
        classes = []
    }

    /// Creates a definition.
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
        migrations: [Migration]
    ) {
        self.name = name
        self.versionName = versionName
        do {
            self.model = try ManagedObjectModel(serialized: serializedModel)
        } catch {
            preconditionFailure("the generated model '\(name)' cannot be read: \(error); generate the code again")
        }
        self.classes = classes
        self.versionNames = versionNames
        self.versionOrder = versionOrder
        self.migrations = migrations
        remember()
    }
}
