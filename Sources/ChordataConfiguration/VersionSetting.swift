package import ChordataDiagnostics

/// A version that a configuration names.
package struct VersionSetting: Sendable, Hashable {
    package var name: String
    package var location: SourceLocation
}

/// A step of the history that nothing migrates, as a configuration accepts it.
package struct MigrationGapSetting: Sendable, Hashable {
    package var source: VersionSetting
    package var destination: VersionSetting
}
