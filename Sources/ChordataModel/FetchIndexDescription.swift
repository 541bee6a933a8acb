/// An index that the model asks for, over one or more properties of an entity.
public struct FetchIndexDescription: Sendable, Hashable, Codable {
    /// One property of an index.
    public struct Element: Sendable, Hashable {
        /// The name of the property.
        public var propertyName: String
        /// Whether the index begins with the least value.
        public var isAscending: Bool

        /// Creates an element.
        public init(propertyName: String, isAscending: Bool = true) {
            self.propertyName = propertyName
            self.isAscending = isAscending
        }
    }

    /// The name, unique among its kind.
    public var name: String
    /// The properties, in order.
    public var elements: [Element]

    /// Creates an index.
    public init(name: String, elements: [Element]) {
        self.name = name
        self.elements = elements
    }
}
