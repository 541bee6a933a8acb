package import ChordataDiagnostics
package import ChordataModel

/// The files of an `.xcdatamodeld`, or of a single `.xcdatamodel` as a bundle with one version.
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

    /// A version in an unsupported format.
    package struct UnreadVersion: Sendable {
        package enum Format: Sendable {
            /// One binary file instead of a folder.
            case xcode2
            /// Two binary files in the folder.
            case xcode3
            /// A `contents` file that is a binary property list.
            case binaryContents
        }

        /// The name of the `.xcdatamodel` without its ending.
        package var name: String
        package var format: Format
        /// The file in that format.
        package var path: String

        package init(name: String, format: Format, path: String) {
            self.name = name
            self.format = format
            self.path = path
        }
    }

    package var path: String
    package var versions: [Version]
    /// The versions in the binary formats of older Xcodes.
    package var unreadVersions: [UnreadVersion] = []
    package var currentVersionFile: ModelSourceFile?

    /// The names of all versions, oldest first, if the configuration lists them.
    package var versionOrder: [String]?

    /// Returns a Boolean value that indicates whether a version comes before another one.
    func isOrdered(_ name: String, before other: String) -> Bool {
        guard let versionOrder, let index = versionOrder.firstIndex(of: name),
            let otherIndex = versionOrder.firstIndex(of: other)
        else { return isNaturallyOrdered(name, before: other) }
        return index < otherIndex
    }

    package init(
        path: String,
        versions: [Version],
        unreadVersions: [UnreadVersion] = [],
        currentVersionFile: ModelSourceFile? = nil
    ) {
        self.path = path
        self.versions = versions
        self.unreadVersions = unreadVersions
        self.currentVersionFile = currentVersionFile
    }
}

/// A model with all its versions.
package struct ModelBundle: Sendable {
    /// The bundle's file name without its ending.
    package var name: String
    /// The versions, oldest first: in the order that the configuration lists, or in the natural order of their names,
    /// `Model 2` before `Model 10`.
    package var versions: [ModelVersion]
    package var currentVersionIndex: Int
    /// The names of the versions in a format that is not read, which ``versions`` leaves out.
    package var unreadVersionNames: [String] = []
    /// A Boolean value that indicates whether the configuration lists the versions, so that their names do not decide
    /// the order.
    package var isOrderListed = false
    /// The name of the configuration file for this model only, for messages.
    package var configurationFileName = "chordata.json"
    /// The accepted gaps: steps without a migration that the configuration accepts.
    package var acceptedGaps: [MigrationGap] = []
    /// The mapping models beside the bundle.
    package var mappingModels: [MappingModelFile] = []
    /// A Boolean value that indicates whether the current version is not the one that the bundle names; then problems
    /// that are harmless in an older version are not reported.
    package var isHistory = false
    /// The location at which the bundle names its current version, or `nil`.
    package var currentVersionLocation: SourceLocation?

    package var currentVersion: ModelVersion { versions[currentVersionIndex] }

    /// The source of the order of the versions, and how to change it, for messages.
    package var orderExplanation: String {
        isOrderListed
            ? "versions are ordered by 'versions' in \(configurationFileName)"
            : "versions are ordered by name, unless 'versions' in \(configurationFileName) lists them, oldest first"
    }
}

/// A mapping model for a step between two versions.
package struct MappingModelFile: Sendable, Hashable {
    package var source: String
    package var destination: String
    package var path: String

    package init(source: String, destination: String, path: String) {
        self.source = source
        self.destination = destination
        self.path = path
    }
}

/// A step from one version to the next that has no migration.
package struct MigrationGap: Sendable, Hashable {
    package var source: String
    package var destination: String
    /// The location of the gap in the configuration.
    package var location: SourceLocation

    package init(source: String, destination: String, location: SourceLocation) {
        self.source = source
        self.destination = destination
        self.location = location
    }
}

/// One version of a model, and the locations of its parts in its file.
package struct ModelVersion: Sendable {
    package var name: String
    package var model: ManagedObjectModel
    package var locations: ModelLocations
}
