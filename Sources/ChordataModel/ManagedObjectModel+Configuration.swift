extension ManagedObjectModel {
    /// A named part of the model.
    public struct Configuration: Sendable, Hashable, Codable {
        /// The name, unique among the configurations of a model.
        public var name: String
        /// The names of the entities that belong to it.
        public var entityNames: [String]

        /// Creates a configuration.
        public init(name: String, entityNames: [String]) {
            self.name = name
            self.entityNames = entityNames
        }
    }

    /// Returns the configuration with a name, or `nil`.
    /// - Complexity: O(n) in the number of configurations.
    public func configuration(named name: String) -> Configuration? { configurations.first { $0.name == name } }

    /// The entities that belong to a configuration, in the order of the model.
    ///
    /// These are the entities that the configuration names. Their subentities are included only if the configuration
    /// names them too.
    /// - Parameter name: The configuration's name; `nil` means the whole model.
    /// - Returns: The entities; `nil` if there is no configuration with the name.
    /// - Complexity: O(n) in the number of the model's entities.
    public func entities(forConfigurationName name: String?) -> [EntityDescription]? {
        guard let name else { return entities }
        guard let configuration = configuration(named: name) else { return nil }
        let members = Set(configuration.entityNames)
        return entities.filter { members.contains($0.name) }
    }
}
