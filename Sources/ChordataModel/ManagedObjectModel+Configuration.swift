extension ManagedObjectModel {
    /// A named part of the model.
    public struct Configuration: Sendable, Hashable, Codable {
        /// The name, unique among its kind.
        public var name: String
        /// The names of the entities that belong to it.
        public var entityNames: [String]

        /// Creates a configuration.
        public init(name: String, entityNames: [String]) {
            self.name = name
            self.entityNames = entityNames
        }
    }
}
