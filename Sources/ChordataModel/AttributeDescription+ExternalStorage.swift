extension AttributeDescription {
    /// A Boolean value that indicates whether the bytes are stored in a side table of the entity's table and read on
    /// first access.
    ///
    /// A derived value is computed with the other values of its row, and a composite's elements are read together, so
    /// the values of both are never stored externally (``leaves`` contains the elements without the flag).
    package var isStoredExternally: Bool {
        guard allowsExternalBinaryDataStorage, !isTransient, !isDerived else { return false }
        switch attributeType {
        case .binaryData, .transformable: return true
        case .undefined, .integer16, .integer32, .integer64, .decimal, .double, .float, .string, .boolean, .date, .uuid,
            .uri, .composite, .objectID:
            return false
        }
    }
}
