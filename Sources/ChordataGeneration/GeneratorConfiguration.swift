package import ChordataConfiguration
package import ChordataMigrationFiles

/// The options of code generation.
package struct GeneratorConfiguration: Sendable, Hashable {
    /// The access level of the code; `nil` for the level of the model's configuration, which is internal by default.
    package var access: AccessLevel?
    /// The number of files for the classes: the compiler could not process a single file in parallel.
    package var shardCount: Int
    /// The settings of the model's configuration.
    package var configuration: Configuration
    /// A Boolean value that indicates whether warnings are errors.
    package var isStrict: Bool
    /// The files of the model's migrations; none unless the loader finds some.
    package var migrationFiles = MigrationFiles()

    package init(
        access: AccessLevel? = nil,
        shardCount: Int = 1,
        configuration: Configuration = Configuration(),
        isStrict: Bool = false
    ) {
        self.access = access
        self.shardCount = max(1, shardCount)
        self.configuration = configuration
        self.isStrict = isStrict
    }
}
