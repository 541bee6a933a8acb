internal import ChordataModel

extension CoreDataSchema {
    /// The differences between the tables of a store and those of the model, as sentences; empty if objects of the
    /// model can be read from the store.
    ///
    /// The order of columns and indexes do not count: both depend on the migrations that a store has gone through.
    func differences(from store: CoreDataStore) -> [String] {
        var differences: [String] = []
        let stored = store.primaryKeys
        if stored.count != entityNames.count {
            differences.append("the store has \(stored.count) entities, the model \(entityNames.count)")
        } else {
            for (key, name) in zip(stored, entityNames) {
                let superentity = model.entity(named: name)?.superentityName.flatMap { entityNumbers[$0] } ?? 0
                // The name may be that of before a migration.
                if key.number != Int64(entityNumbers[name] ?? 0) || key.superentityNumber != Int64(superentity) {
                    differences.append("entity '\(name)' is not number \(key.number), or has another superentity")
                }
            }
        }
        let expected = Dictionary(tables.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        let existing = store.modelTables
        for name in existing.subtracting(expected.keys).sorted() {
            differences.append("the store has table '\(name)', which is not of the model")
        }
        for name in Set(expected.keys).subtracting(existing).sorted() {
            differences.append("the store has no table '\(name)'")
        }
        for table in tables where existing.contains(table.name) {
            let stored = Dictionary(
                (store.tables[table.name] ?? []).map { ($0.name, $0.type) },
                uniquingKeysWith: { first, _ in first }
            )
            let names = Set(table.columns.map(\.name))
            for name in Set(stored.keys).subtracting(names).sorted() {
                differences.append("table '\(table.name)' has column '\(name)', which is not of the model")
            }
            for column in table.columns {
                guard let type = stored[column.name] else {
                    differences.append("table '\(table.name)' has no column '\(column.name)'")
                    continue
                }
                if type.uppercased() != column.type {
                    differences.append(
                        "column '\(column.name)' of table '\(table.name)' has type \(type) instead of \(column.type)"
                    )
                }
            }
        }
        return differences
    }

    /// The names of indexes that the store does not have.
    func missingIndexes(of store: CoreDataStore) -> [String] {
        let stored = store.indexNames.values.reduce(into: Set<String>()) { $0.formUnion($1) }
        return indexes.map(\.name).filter { !stored.contains($0) }.sorted()
    }
}
