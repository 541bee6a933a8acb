#if !canImport(Darwin)
    public import Chordata
    internal import CChordataTypes
    internal import ChordataModel
    public import Foundation

    /// A model: its entities, configurations and fetch request templates.
    ///
    /// A model that was created in code can be changed until a container or coordinator uses it.
    open class NSManagedObjectModel: NSObject {
        private let lock = NSLock()
        private var existingDefinition: ModelDefinition?

        /// The entities of the model.
        ///
        /// The entities of a generated model cannot be changed.
        open var entities: [NSEntityDescription] = [] {
            didSet {
                precondition(!isGenerated, "a generated model cannot be changed; change the model's file")
                lock.withLock { existingDefinition = nil }
                for entity in oldValue where entity.owner === self { entity.owner = nil }
                for entity in entities where entity.definition == nil { entity.owner = self }
            }
        }
        /// The entities of the configurations that were set.
        private var entitiesByConfiguration: [String: [NSEntityDescription]] = [:]
        /// The fetch request templates that were set.
        private var templates: [String: NSFetchRequest<any NSFetchRequestResult>] = [:]
        private var isGenerated = false
        /// The identifiers of the version.
        open var versionIdentifiers: Set<AnyHashable> = []

        /// Creates a model without entities.
        public override init() { super.init() }

        /// Creates a model from a definition.
        public init(_ definition: ModelDefinition) {
            super.init()
            entities = definition.entities
            versionIdentifiers = [definition.model.versionIdentifier]
            existingDefinition = definition
            isGenerated = true
        }

        /// Creates the generated model that has the name of a compiled model's file, such as `Shop.momd`, or one of its
        /// versions, such as `Shop.momd/Shop 2.mom`.
        ///
        /// The file itself does not exist, and the folder of the model is not considered. Generated code contains
        /// versions other than the current one only with `"optionality": "coreData"`; their objects have no classes of
        /// their own.
        public convenience init?(contentsOf url: URL) {
            guard let definition = Self.definition(at: url) else { return nil }
            self.init(definition)
        }

        /// Creates a model with the entities of models.
        ///
        /// Several models must be models that were created in code: the classes of a generated model belong to this
        /// model only, so merging it with another one traps, and so do two entities with the same name.
        /// - Parameter models: The models; one model can be a generated model.
        /// - Returns: The model; `nil` for `nil` and an empty array.
        public convenience init?(byMerging models: [NSManagedObjectModel]?) {
            guard let models, let first = models.first else { return nil }
            if models.count == 1, first.isGenerated {
                self.init(first.definition)
                return
            }
            precondition(
                !models.contains { $0.isGenerated },
                "a generated model cannot be merged with another model; write the entities of both into one model file"
            )
            self.init()
            entities = models.flatMap(\.entities)
            versionIdentifiers = models.reduce(into: []) { $0.formUnion($1.versionIdentifiers) }
            let names = entities.compactMap(\.name).sorted()
            let duplicates = zip(names, names.dropFirst()).filter { $0 == $1 }.map(\.0)
            precondition(
                duplicates.isEmpty,
                "merged models have two entities with the same name; give them different names: \(duplicates)"
            )
        }

        /// Creates a model with the entities of those models whose entities a store has.
        /// - Parameters:
        ///   - models: The models; see `init(byMerging:)`.
        ///   - metadata: The metadata of the store.
        /// - Returns: The model; `nil` if the store does not have the version hashes of its entities.
        public convenience init?(byMerging models: [NSManagedObjectModel], forStoreMetadata metadata: [String: Any]) {
            // An older version can have only entities of a newer one, which has others too.
            if let model = models.first(where: {
                $0.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata)
            }) {
                self.init(byMerging: [model])
                return
            }
            let hashes = metadata[NSStoreModelVersionHashesKey] as? [String: Data] ?? [:]
            self.init(
                byMerging: models.filter { $0.entityVersionHashesByName.allSatisfy { hashes[$0.key] == $0.value } }
            )
            guard isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata) else { return nil }
        }

        convenience init?(named name: String) {
            guard let definition = Self.definition(named: name) else { return nil }
            self.init(definition)
        }

        /// Returns the URL for `init(contentsOf:)` of the generated model with a name, in place of the URL of a
        /// compiled model in a bundle; `nil` if the program has no such model.
        public class func url(forModelNamed name: String) -> URL? {
            definition(named: name).map { URL(fileURLWithPath: "/\($0.name).momd") }
        }

        /// Returns the URLs for `init(contentsOf:)` of the versions of a generated model, oldest first, in place of
        /// those of the files in the folder `Shop.momd` of a bundle.
        /// - Returns: The URLs; an empty array if the program has no such model.
        public class func urls(forVersionsOfModelNamed name: String) -> [URL] {
            guard let definition = definition(named: name) else { return [] }
            let folder = URL(fileURLWithPath: "/\(definition.name).momd")
            return definition.availableVersions.map { folder.appendingPathComponent($0 + ".mom") }
        }

        /// Returns the generated model in the version that a store has.
        /// - Parameters:
        ///   - bundles: Ignored: models are parts of the program's modules.
        ///   - metadata: The metadata of the store.
        /// - Returns: The model of the version; `nil` if the program has no such version.
        open class func mergedModel(
            from bundles: [Bundle]?,
            forStoreMetadata metadata: [String: Any]
        ) -> NSManagedObjectModel? {
            for definition in generatedModels().map({ $0.definition }) {
                for version in definition.availableVersions {
                    guard let model = definition.definition(ofVersion: version).map({ NSManagedObjectModel($0) }),
                        model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata)
                    else { continue }
                    return model
                }
            }
            return nil
        }

        /// Returns the only generated model of the program.
        /// - Parameter bundles: This argument is ignored, because models are parts of the program's modules.
        /// - Returns: The model; `nil` if the program has no generated model or several.
        open class func mergedModel(from bundles: [Bundle]?) -> NSManagedObjectModel? {
            let definitions = generatedModels()
            return definitions.count == 1 ? NSManagedObjectModel(definitions[0].definition) : nil
        }

        /// The entities, keyed by name.
        open var entitiesByName: [String: NSEntityDescription] {
            Dictionary(entities.map { ($0.name ?? "", $0) }, uniquingKeysWith: { first, _ in first })
        }

        /// The names of the configurations.
        open var configurations: [String] { definition.model.configurations.map(\.name) }

        /// Returns the entities of a configuration; all entities for `nil`.
        open func entities(forConfigurationName name: String?) -> [NSEntityDescription]? {
            guard let name else { return entities }
            guard let configuration = definition.model.configurations.first(where: { $0.name == name }) else {
                return nil
            }
            let byName = entitiesByName
            return configuration.entityNames.compactMap { byName[$0] }
        }

        /// Sets the entities of a configuration; the call traps for a generated model.
        open func setEntities(_ entities: [NSEntityDescription], forConfigurationName configuration: String) {
            change { entitiesByConfiguration[configuration] = entities }
        }

        /// Sets the fetch request template with a name, or removes it (`nil`); the call traps for a generated model.
        ///
        /// The predicate of the template can have variables, such as `$name`.
        open func setFetchRequestTemplate(
            _ fetchRequestTemplate: NSFetchRequest<any NSFetchRequestResult>?,
            forName name: String
        ) { change { templates[name] = fetchRequestTemplate } }

        private func change(_ body: () -> Void) {
            precondition(!isGenerated, "a generated model cannot be changed; change the model's file")
            body()
            lock.withLock { existingDefinition = nil }
        }

        private func template(_ name: String, _ request: NSFetchRequest<any NSFetchRequestResult>) throws
            -> FetchRequestTemplate
        {
            guard let entityName = request.entityName else {
                throw UnsupportedFeatureError("the fetch request template '\(name)' has no entity; set its entity")
            }
            return FetchRequestTemplate(
                name: name,
                entityName: entityName,
                predicateFormat: try request.predicate?.fetchPredicate().description,
                fetchLimit: request.fetchLimit,
                fetchBatchSize: request.fetchBatchSize,
                includesSubentities: request.includesSubentities,
                includesPropertyValues: request.includesPropertyValues,
                includesPendingChanges: request.includesPendingChanges
            )
        }

        /// Returns the fetch request template with a name, with values for its variables.
        open func fetchRequestFromTemplate(
            withName name: String,
            substitutionVariables variables: [String: Any]
        ) -> NSFetchRequest<any NSFetchRequestResult>? {
            guard let template = definition.model.fetchRequestTemplate(named: name) else { return nil }
            let request = NSFetchRequest<any NSFetchRequestResult>(entityName: template.entityName)
            if let format = template.predicateFormat {
                let predicate = NSPredicate(format: format, argumentArray: nil)
                request.predicate = variables.isEmpty ? predicate : predicate.withSubstitutionVariables(variables)
            }
            request.fetchLimit = template.fetchLimit
            request.fetchBatchSize = template.fetchBatchSize
            request.includesSubentities = template.includesSubentities
            request.includesPropertyValues = template.includesPropertyValues
            request.includesPendingChanges = template.includesPendingChanges
            return request
        }

        /// The fetch request templates, keyed by name.
        open var fetchRequestTemplatesByName: [String: NSFetchRequest<any NSFetchRequestResult>] {
            let names = definition.model.fetchRequestTemplates.map(\.name)
            return names.reduce(into: [:]) { $0[$1] = fetchRequestTemplate(forName: $1) }
        }

        /// Returns the fetch request template with a name.
        open func fetchRequestTemplate(forName name: String) -> NSFetchRequest<any NSFetchRequestResult>? {
            fetchRequestFromTemplate(withName: name, substitutionVariables: [:])
        }

        /// The version hashes of the entities, keyed by name.
        open var entityVersionHashesByName: [String: Data] {
            definition.model.versionHashesByEntityName.mapValues { Data($0.utf8) }
        }

        /// Returns a Boolean value that indicates whether the store with the given metadata has this version of the
        /// model; with a configuration, only the version hashes of its entities are compared.
        open func isConfiguration(
            withName configuration: String?,
            compatibleWithStoreMetadata metadata: [String: Any]
        ) -> Bool {
            let hashes = metadata[NSStoreModelVersionHashesKey] as? [String: Data]
            guard let configuration else { return hashes == entityVersionHashesByName }
            guard let entities = entities(forConfigurationName: configuration) else { return false }
            return entities.allSatisfy { entity in
                entity.name.map { hashes?[$0] != nil && hashes?[$0] == entityVersionHashesByName[$0] } == true
            }
        }

        /// The definition of the model.
        ///
        /// The property traps if the model is not valid.
        var definition: ModelDefinition {
            lock.withLock {
                if let existingDefinition { return existingDefinition }
                do {
                    let name = versionIdentifiers.first.map { "\($0)" } ?? "Model"
                    let model = try ManagedObjectModel(
                        entities: entities.map { try $0.value() },
                        fetchRequestTemplates: templates.sorted { $0.key < $1.key }.map { try template($0, $1) },
                        configurations: entitiesByConfiguration.sorted { $0.key < $1.key }.map {
                            .init(name: $0, entityNames: $1.compactMap(\.name))
                        }
                    )
                    let definition = ModelDefinition(name: name, versionName: name, model: model)
                    existingDefinition = definition
                    return definition
                } catch {
                    preconditionFailure("the managed object model is not valid: \(error)")
                }
            }
        }
    }

    // MARK: Generated models

    extension NSManagedObjectModel {
        /// Returns the entity with a name in a generated model.
        static func generatedEntity(named name: String) -> NSEntityDescription? {
            generatedModels().lazy.compactMap { $0.definition.entity(named: name) }.first
        }

        private static func definition(at url: URL) -> ModelDefinition? {
            let name = url.deletingPathExtension().lastPathComponent
            let folder = url.deletingLastPathComponent()
            guard url.pathExtension == "mom", folder.pathExtension == "momd" else { return definition(named: name) }
            return definition(named: folder.deletingPathExtension().lastPathComponent)?.definition(ofVersion: name)
        }

        private static func definition(named name: String) -> ModelDefinition? {
            generatedModels().first { $0.definition.name == name }?.definition
        }

        /// The generated models of all modules of the program.
        ///
        /// Generated code is found with the type records of each module, which the Swift runtime keeps.
        private static func generatedModels() -> [any GeneratedModel.Type] {
            known.withLock { known in
                if let known { return known }
                var found: [any GeneratedModel.Type] = []
                withUnsafeMutablePointer(to: &found) { found in
                    chordata_for_each_model(
                        { metadata, context in
                            guard let metadata, let context else { return }
                            let type = unsafeBitCast(metadata, to: Any.Type.self)
                            guard let model = type as? any GeneratedModel.Type else { return }
                            context.assumingMemoryBound(to: [any GeneratedModel.Type].self).pointee.append(model)
                        },
                        found
                    )
                }
                known = found
                return found
            }
        }

        private static let known = KnownModels()
    }

    /// A cache of the generated models, which are searched for once.
    private final class KnownModels: @unchecked Sendable {
        private let lock = NSLock()
        private var models: [any GeneratedModel.Type]?

        func withLock<Result>(_ body: (inout [any GeneratedModel.Type]?) -> Result) -> Result {
            lock.withLock { body(&models) }
        }
    }
#endif
