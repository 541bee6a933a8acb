public import Chordata
internal import ChordataFiles
internal import ChordataGeneration
internal import ChordataVerification
public import Foundation

extension ModelDefinition {
    /// Reads a model from an `.xcdatamodeld` bundle, or from an `.xcdatamodel`, at run time.
    ///
    /// The objects of the model are instances of ``ManagedObject``, whose properties are accessed by name: no code is
    /// generated. The definition has the migrations from the older versions in the bundle: those of the folder
    /// `Migrations` beside it, and those that can be inferred. A model is accepted if a build would accept it, with the
    /// configuration file beside it. A missing migration is not an error here: opening a store that needs it throws a
    /// ``StoreError`` with the code ``StoreError/Code/missingMigration``.
    ///
    /// ```swift
    /// let model = try ModelDefinition(contentsOf: URL(filePath: "Shop.xcdatamodeld"))
    /// let container = try PersistentContainer(model: model, path: "shop.sqlite")
    /// ```
    ///
    /// - Parameters:
    ///   - url: The file URL of the bundle.
    ///   - version: The name of the version to use as the current version; `nil` for the current version of the bundle.
    /// - Throws: ``ModelFileError`` with all errors of the model.
    public init(contentsOf url: URL, version: String? = nil) throws(ModelFileError) {
        let loaded = loadModel(at: url.path, version: version, configuration: GeneratorConfiguration())
        guard let bundle = loaded.bundle else { throw ModelFileError(loaded.diagnostics, path: url.path) }
        let errors = checkModelErrors(of: bundle, configuration: loaded.configuration)
        guard errors.isEmpty else { throw ModelFileError(errors, path: url.path) }
        self = bundle.makeDefinition(loaded.configuration.migrationFiles)
    }
}

extension ManagedObjectModel {
    /// Reads the entities of a model at run time; see ``ModelDefinition/init(contentsOf:version:)``.
    ///
    /// - Parameters:
    ///   - url: The file URL of an `.xcdatamodeld` bundle or of an `.xcdatamodel`.
    ///   - version: The name of the version; `nil` for the current one.
    /// - Throws: ``ModelFileError`` with all errors of the model.
    public init(contentsOf url: URL, version: String? = nil) throws(ModelFileError) {
        self = try ModelDefinition(contentsOf: url, version: version).model
    }
}
