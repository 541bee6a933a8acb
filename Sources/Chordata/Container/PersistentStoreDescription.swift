/// A description of a store that a container opens.
public struct PersistentStoreDescription: Sendable {
    /// The path of the SQLite file.
    public var path: String
    /// The name of the configuration of the model whose entities the store has; `nil` for all entities.
    public var configuration: String?
    /// The options with which the store is opened.
    public var options: StoreOptions

    /// Creates a description; each parameter sets the property of the same name.
    public init(path: String, configuration: String? = nil, options: StoreOptions = StoreOptions()) {
        self.path = path
        self.configuration = configuration
        self.options = options
    }
}
