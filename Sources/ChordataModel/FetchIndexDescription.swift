/// An index that the model asks for, over one or more properties of an entity.
public struct FetchIndexDescription: Sendable, Hashable, Codable {
    /// The order in which an index stores the values of an element, spelled as in a model file.
    public enum CollationType: String, Sendable, Hashable, Codable, CaseIterable {
        /// In order, for comparisons.
        case binary = "Binary"
        /// By space, for ranges in several dimensions; kept for writing back, and stored in order here.
        case rTree = "RTree"
    }

    /// One property of an index.
    public struct Element: Sendable, Hashable {
        /// The name of the property.
        public var propertyName: String
        /// A Boolean value that indicates whether the index begins with the least value.
        public var isAscending: Bool
        /// The order in which the index stores the values.
        public var collationType: CollationType

        /// Creates an element.
        public init(propertyName: String, isAscending: Bool = true, collationType: CollationType = .binary) {
            self.propertyName = propertyName
            self.isAscending = isAscending
            self.collationType = collationType
        }
    }

    /// The name, unique among its kind.
    public var name: String
    /// The properties, in order.
    public var elements: [Element]
    /// The predicate of the objects that the index holds, as a format string; kept for writing back: an index of a
    /// store holds all objects.
    public var partialIndexPredicate: String?

    /// Creates an index.
    public init(name: String, elements: [Element], partialIndexPredicate: String? = nil) {
        self.name = name
        self.elements = elements
        self.partialIndexPredicate = partialIndexPredicate
    }
}
