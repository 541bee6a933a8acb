package import ChordataModel

extension AttributeType {
    /// The type of the column that holds such a value; `nil` for types that are not stored or have no column of their
    /// own.
    package var storageType: Column.StorageType? {
        switch self {
        case .integer16, .integer32, .integer64, .boolean: .integer
        case .double, .float, .date: .real
        case .string, .uri, .decimal: .text
        case .uuid, .binaryData, .transformable: .blob
        case .composite, .undefined, .objectID: nil
        }
    }
}

extension AttributeDescription {
    /// The type of the column in the entity's table: that of the value, or of its length if the bytes are in a side
    /// table.
    package var storageType: Column.StorageType? { isStoredExternally ? .integer : attributeType.storageType }

    /// The attributes with a column of their own: this one, or the elements of a composite at any depth, each with its
    /// path of names.
    ///
    /// Transient and undefined attributes are left out.
    func storedLeaves(at path: [String] = []) -> [(path: [String], attribute: AttributeDescription)] {
        guard !isTransient else { return [] }
        let path = path + [name]
        if attributeType == .composite {
            return elements.flatMap { element in
                var element = element
                element.allowsExternalBinaryDataStorage = false  // A composite is stored completely in the row.
                return element.storedLeaves(at: path)
            }
        }
        return storageType == nil ? [] : [(path, self)]
    }
}
