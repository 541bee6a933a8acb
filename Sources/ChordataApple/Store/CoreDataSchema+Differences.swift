internal import ChordataModel

extension CoreDataSchema {
    /// Returns the parts of the model that are missing or different in the store, and the store's columns that are not
    /// in the model, as sentences.
    ///
    /// The result is empty if all objects of the store can be read.
    ///
    /// The order of columns and the indexes are not compared: both depend on the migrations of the store.
    func differences(from store: CoreDataStore) -> [String] {
        var differences = unsupportedParts
        let stored = store.primaryKeys
        if stored.count != entityNames.count {
            differences.append("the store has \(stored.count) entities, the model \(entityNames.count)")
        } else {
            for (key, name) in zip(stored, entityNames) {
                let superentity = model.entity(named: name)?.superentityName.flatMap { entityNumbers[$0] } ?? 0
                // After a migration, Core Data may keep the old name of an entity.
                if key.number != Int64(entityNumbers[name] ?? 0) || key.superentityNumber != Int64(superentity) {
                    differences.append(
                        "entity '\(name)' has number \(entityNumbers[name] ?? 0) and superentity number \(superentity) in the "
                            + "model, but \(key.number) and \(key.superentityNumber) in the store"
                    )
                }
            }
        }
        for table in tables {
            guard let columns = store.tables[table.name] else {
                differences.append("the store has no table '\(table.name)'")
                continue
            }
            let stored = Dictionary(columns.map { ($0.name, $0.type) }, uniquingKeysWith: { first, _ in first })
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
            let names = Set(table.columns.map(\.name))
            for column in columns where !names.contains(column.name) {
                differences.append("table '\(table.name)' has column '\(column.name)', which the model does not have")
            }
        }
        return differences
    }

    /// Returns the tables of the store that are not in the model, as sentences.
    func additions(of store: CoreDataStore) -> [String] {
        store.modelTables.subtracting(tables.map(\.name)).sorted()
            .map { "the store has table '\($0)', which the model does not have" }
    }

    /// The parts of the model whose representation in Core Data's tables is not known, as sentences.
    var unsupportedParts: [String] {
        var parts: [String] = []
        var names: Set<String> = []
        for table in tables where !names.insert(table.name).inserted {
            parts.append("several entities or relationships of the model would have the same table '\(table.name)'")
        }
        for entity in model.entities {
            for attribute in entity.declaredAttributes where !attribute.isTransient && hasEmptyComposite(attribute) {
                parts.append("composite attribute '\(attribute.name)' of '\(entity.name)' has no elements")
            }
            for relationship in storedRelationships(of: entity) where relationship.isToMany {
                guard relationship.inverseName != nil else { continue }
                let inverse = inverse(of: relationship)
                guard inverse == nil || inverse?.relationship.inverseName != relationship.name else { continue }
                parts.append(
                    "the inverse of relationship '\(relationship.name)' of '\(entity.name)' does not name this relationship as its inverse"
                )
            }
        }
        return parts
    }

    private func hasEmptyComposite(_ attribute: AttributeDescription) -> Bool {
        guard attribute.attributeType == .composite else { return false }
        return attribute.elements.isEmpty || attribute.elements.contains(where: hasEmptyComposite)
    }
}
