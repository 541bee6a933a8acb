package import ChordataDiagnostics

/// A version that a configuration names.
package struct VersionSetting: Sendable, Hashable {
    package var name: String
    package var location: SourceLocation
}

/// A gap that a configuration accepts: a step without a migration.
package struct MigrationGapSetting: Sendable, Hashable {
    package var source: VersionSetting
    package var destination: VersionSetting
}
