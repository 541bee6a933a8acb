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

    package var currentVersion: ModelVersion { versions[currentVersionIndex] }
}

/// One version of a model, and where its parts stand in its file.
package struct ModelVersion: Sendable {
    package var name: String
    package var model: ManagedObjectModel
    package var locations: ModelLocations
}

/// The places of a model's parts, for passes that find mistakes after the file was read.
package struct ModelLocations: Sendable {
    var entities: [String: SourceLocation] = [:]
    var properties: [String: SourceLocation] = [:]
    var fetchRequests: [String: SourceLocation] = [:]
    var predicates: [String: SourceLocation] = [:]
    var derivations: [String: SourceLocation] = [:]

    package func entity(_ name: String) -> SourceLocation? { entities[name] }
    package func property(_ name: String, of entity: String) -> SourceLocation? { properties["\(entity).\(name)"] }
    package func fetchRequest(_ name: String) -> SourceLocation? { fetchRequests[name] }
    /// The first byte of the predicate's text.
    package func predicate(ofFetchRequest name: String) -> SourceLocation? { predicates[name] }
    /// The first byte of a derived attribute's expression.
    package func derivation(of attribute: String, of entity: String) -> SourceLocation? {
        derivations["\(entity).\(attribute)"]
    }
}
