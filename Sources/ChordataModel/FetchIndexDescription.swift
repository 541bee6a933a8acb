/// An index that the model declares, over one or more properties of an entity.
public struct FetchIndexDescription: Sendable, Hashable, Codable {
    /// The kind of an index for one of its elements, spelled as in a model file.
    public enum CollationType: String, Sendable, Hashable, Codable, CaseIterable {
        /// An index that stores the values in their order, for comparisons.
        case binary = "Binary"
        /// An R-tree, for ranges in several dimensions; it has no effect, and the store has an index as for
        /// ``binary``.
        case rTree = "RTree"
    }

    /// One property of an index.
    public struct Element: Sendable, Hashable {
        /// The name of the property.
        public var propertyName: String
        /// A Boolean value that indicates whether the index begins with the smallest value.
        public var isAscending: Bool
        /// The kind of the index for this property.
        public var collationType: CollationType

        /// Creates an element.
        public init(propertyName: String, isAscending: Bool = true, collationType: CollationType = .binary) {
            self.propertyName = propertyName
            self.isAscending = isAscending
            self.collationType = collationType
        }
    }

    /// The name in the model, which is not checked for uniqueness; the index in the store has another name.
    public var name: String
    /// The properties, in order.
    public var elements: [Element]
    /// The predicate that limits the index to some objects, as a format string; it has no effect, because an index of a
    /// store contains all objects.
    public var partialIndexPredicate: String?

    /// Creates an index.
    public init(name: String, elements: [Element], partialIndexPredicate: String? = nil) {
        self.name = name
        self.elements = elements
        self.partialIndexPredicate = partialIndexPredicate
    }
}
