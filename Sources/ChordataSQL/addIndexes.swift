import ChordataModel

/// Adds the indexes: one for each reference to another row, those that the model declares, and a unique one for each
/// uniqueness constraint.
///
/// An index is named `<table>_<columns>`, with `_desc` after a descending column. A second index of the same columns is
/// not created, and a unique index replaces a plain one. In SQLite, tables and indexes share one set of names, so an
/// index whose name is taken gets a number.
///
/// The column of an attribute that is stored externally contains only a length, so an index of it makes no sense.
///
/// A subentity's constraint is an index of the whole table. Rows of sibling entities have NULL in the subentity's own
/// columns, and NULLs never conflict. But a constraint of only inherited columns applies to the sibling entities as
/// well.
func addIndexes(to tables: [Table], of model: ManagedObjectModel, entities: [EntityMapping]) -> [Table] {
    var names = NameAllocator()
    for table in Table.systemTables + tables { _ = names.take(table.name) }
    var requests: [(table: Int, request: IndexRequest)] = []
    for (position, table) in tables.enumerated() {
        for request in indexRequests(for: table, of: model, entities: entities) { requests.append((position, request)) }
    }
    // The requests are sorted, so that the names do not depend on the order of the model.
    requests.sort { ($0.request.name, tables[$0.table].name) < ($1.request.name, tables[$1.table].name) }
    var tables = tables
    for (position, request) in requests {
        let index = Index(
            name: names.allocate(request.name),
            elements: request.elements,
            isUnique: request.isUnique
        )
        tables[position].indexes.append(index)
    }
    return tables
}

/// Returns the name of an index: `<table>_<columns>`, with `_desc` after a descending column.
func indexName(tableName: String, elements: [Index.Element]) -> String {
    ([tableName] + elements.map { $0.isAscending ? $0.columnName : "\($0.columnName)_desc" }).joined(separator: "_")
}

private struct IndexRequest {
    var name: String
    var elements: [Index.Element]
    var isUnique: Bool
}

private func indexRequests(for table: Table, of model: ManagedObjectModel, entities: [EntityMapping]) -> [IndexRequest]
{
    var order: [[Index.Element]] = []
    var isUnique: [[Index.Element]: Bool] = [:]
    func request(_ elements: [Index.Element], unique: Bool = false) {
        // SQLite accepts a column twice, but the second one has no effect.
        var seen: Set<String> = []
        let elements = elements.filter { seen.insert($0.columnName).inserted }
        guard !elements.isEmpty else { return }
        if isUnique[elements] == nil { order.append(elements) }
        isUnique[elements, default: false] = isUnique[elements, default: false] || unique
    }

    for column in table.columns
    where column.references != nil && !column.isRowID && column.name != table.primaryKey.first {
        request([Index.Element(column.name)])
    }
    for mapping in entities where mapping.tableName == table.name {
        guard let entity = model.entity(named: mapping.entityName) else { continue }
        for attribute in entity.declaredAttributes where attribute.isIndexed {
            for column in columns(of: attribute.name, in: mapping) { request([Index.Element(column)]) }
        }
        for index in entity.declaredIndexes {
            request(
                index.elements.flatMap { element in
                    columns(of: element.propertyName, in: mapping).map {
                        Index.Element($0, isAscending: element.isAscending)
                    }
                }
            )
        }
        for constraint in entity.declaredUniquenessConstraints {
            let parts = constraint.map { columns(of: $0, in: mapping) }
            // Without one of its properties, a constraint would forbid more than the model does.
            guard !parts.contains([]) else { continue }
            request(parts.flatMap { $0 }.map { Index.Element($0) }, unique: true)
        }
    }
    return order.map { elements in
        IndexRequest(
            name: indexName(tableName: table.name, elements: elements),
            elements: elements,
            isUnique: isUnique[elements, default: false]
        )
    }
}

/// Returns the columns of an attribute, of a composite's elements or of a to-one relationship; empty for any other
/// property.
func columns(of propertyName: String, in mapping: EntityMapping) -> [String] {
    // An element of a composite may be named as `attribute.element`.
    let path = propertyName.split(separator: ".").map(String.init)
    let attributes = mapping.attributes.filter { $0.path.starts(with: path) && $0.externalTableName == nil }
        .map(\.columnName)
    if !attributes.isEmpty { return attributes }
    switch mapping.relationship(named: propertyName)?.storage {
    case .column(let column): return [column]
    case .inverseColumn, .joinTable, nil: return []
    }
}
