package import ChordataDiagnostics
package import ChordataModel

/// The files of an `.xcdatamodeld`, or of a stand-alone `.xcdatamodel` as a bundle with one version.
package struct ModelBundleSource: Sendable {
    package struct Version: Sendable {
        /// The name of the `.xcdatamodel` without its ending.
        package var name: String
        package var file: ModelSourceFile

        package init(name: String, file: ModelSourceFile) {
            self.name = name
            self.file = file
        }
    }

    package var path: String
    package var versions: [Version]
    package var currentVersionFile: ModelSourceFile?

    package init(path: String, versions: [Version], currentVersionFile: ModelSourceFile? = nil) {
        self.path = path
        self.versions = versions
        self.currentVersionFile = currentVersionFile
    }
}

/// A model with all its versions.
package struct ModelBundle: Sendable {
    /// The bundle's file name without its ending.
    package var name: String
    /// In the natural order of their names: `Model 2` before `Model 10`.
    package var versions: [ModelVersion]
    package var currentVersionIndex: Int
    /// Whether the current version is another one than the bundle names: history, in which what works by itself is enough.
    package var isHistory = false
    /// Where the bundle names its current version; `nil` where it does not.
    package var currentVersionLocation: SourceLocation?

    package var currentVersion: ModelVersion { versions[currentVersionIndex] }
}

/// One version of a model, and where its parts stand in its file.
package struct ModelVersion: Sendable {
    package var name: String
    package var model: ManagedObjectModel
    package var locations: ModelLocations
}
