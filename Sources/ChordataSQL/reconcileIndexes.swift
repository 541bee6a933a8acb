import ChordataModel

/// An index that a store has.
package struct StoredIndex: Sendable, Hashable {
    package var name: String
    package var tableName: String
    /// The elements; `nil` if a model cannot declare the index: with expressions, other collations or a condition.
    package var elements: [Index.Element]?
    package var isUnique: Bool

    package init(name: String, tableName: String, elements: [Index.Element]?, isUnique: Bool) {
        self.name = name
        self.tableName = tableName
        self.elements = elements
        self.isUnique = isUnique
    }
}

/// The changes that give a store the indexes of its model.
package struct IndexChanges: Sendable, Hashable {
    package var dropped: [String] = []
    package var created: [Creation] = []

    package struct Creation: Sendable, Hashable {
        package var index: Index
        package var tableName: String
    }

    package var isEmpty: Bool { dropped.isEmpty && created.isEmpty }
}

/// Compares the indexes of a store with those of its model, as sets.
///
/// An index belongs to Chordata if it is on a table of the model and has the name that is derived from its columns
/// (``indexName(tableName:elements:)``), or that name with a number. All other indexes belong to other programs and are
/// kept; their names are not reused.
package func reconcileIndexes(_ stored: [StoredIndex], with mapping: SchemaMapping) -> IndexChanges {
    struct Shape: Hashable {
        var tableName: String
        var elements: [Index.Element]
        var isUnique: Bool
    }
    let tables = mapping.tables.filter { $0.kind != .system }
    var wanted: [Shape: Index] = [:]
    for table in tables {
        for index in table.indexes {
            wanted[Shape(tableName: table.name, elements: index.elements, isUnique: index.isUnique)] = index
        }
    }
    var changes = IndexChanges()
    var names = NameAllocator()
    for table in mapping.tables { _ = names.take(table.name) }
    // Indexes with exactly the derived name come first, so that of two identical indexes, the other one is dropped.
    let tableNames = Set(tables.map(\.name))
    for index in stored.sorted(by: { ($0.name.utf8.count, $0.name) < ($1.name.utf8.count, $1.name) }) {
        let elements = index.elements.flatMap { elements in
            tableNames.contains(index.tableName) && isName(index.name, of: elements, tableName: index.tableName)
                ? elements : nil
        }
        if let elements {
            let shape = Shape(tableName: index.tableName, elements: elements, isUnique: index.isUnique)
            guard wanted.removeValue(forKey: shape) != nil else {
                changes.dropped.append(index.name)
                continue
            }
        }
        _ = names.take(index.name)
    }
    for table in tables {
        for index in table.indexes
        where wanted[Shape(tableName: table.name, elements: index.elements, isUnique: index.isUnique)] != nil {
            var index = index
            index.name = names.allocate(index.name)
            changes.created.append(IndexChanges.Creation(index: index, tableName: table.name))
        }
    }
    return changes
}

extension StoredIndex {
    /// A Boolean value that indicates whether the index has the name that is derived from its columns, which all
    /// indexes of Chordata have.
    package var isNamedByItsColumns: Bool {
        elements.map { isName(name, of: $0, tableName: tableName) } ?? false
    }
}

private func isName(_ name: String, of elements: [Index.Element], tableName: String) -> Bool {
    let own = indexName(tableName: tableName, elements: elements)
    guard name != own else { return true }
    guard name.hasPrefix(own + "_") else { return false }
    let number = name.dropFirst(own.count + 1)
    return !number.isEmpty && number.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
}

extension SchemaMapping {
    /// Returns the uniqueness constraint that an index enforces.
    package func uniquenessConstraint(of index: Index, tableName: String) -> (entityName: String, properties: [String])?
    {
        for mapping in entities where mapping.tableName == tableName {
            for constraint in model.entity(named: mapping.entityName)?.declaredUniquenessConstraints ?? []
            where constraint.flatMap({ columns(of: $0, in: mapping) }) == index.elements.map(\.columnName) {
                return (mapping.entityName, constraint)
            }
        }
        return nil
    }
}
