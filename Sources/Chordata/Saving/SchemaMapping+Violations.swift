internal import ChordataSQL

extension SchemaMapping {
    /// Returns the error with the columns of the index that it names.
    package func withColumns(_ error: StoreError) -> StoreError {
        guard case .uniqueness(let names)? = error.violation, let name = names.first else { return error }
        for table in tables {
            guard let index = table.indexes.first(where: { $0.name == name }) else { continue }
            var named = error
            named.violation = .uniqueness(columns: index.elements.map { "\(table.name).\($0.columnName)" })
            return named
        }
        return error
    }
}
