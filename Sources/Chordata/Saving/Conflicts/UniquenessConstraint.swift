internal import ChordataModel
internal import ChordataSQL

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A uniqueness constraint, which applies to the entity that declares it together with its subentities (U1).
struct UniquenessConstraint {
    /// The name of the entity that declares the constraint.
    let entityName: String
    let propertyNames: [String]
    let tableName: String
    /// The columns of the unique index.
    let columnNames: [String]
    /// For each entity type, the fields of the columns, in their order; empty for entities that do not have all of
    /// them.
    let fields: [[Field]]

    /// Returns the SQL that finds the row with the values of the columns.
    /// - Parameter keys: The row keys of a store, if several stores have the entity.
    func selectSQL(_ dialect: any SQLDialect, keys: ClosedRange<Int64>?) -> String {
        let conditions = columnNames.enumerated().map { index, name in
            "\(quoteIdentifier(name)) = \(dialect.parameters(index + 1...index + 1))"
        }.joined(separator: " AND ")
        let range = keys.map { " AND \"_id\" BETWEEN \($0.lowerBound) AND \($0.upperBound)" } ?? ""
        return "SELECT \"_id\" FROM \(quoteIdentifier(tableName)) WHERE \(conditions)\(range)"
    }

    /// Returns the values of an object; `nil` if one is missing, because NULL is not equal to any value (U2).
    func values(of object: ManagedObject) -> [UniqueValue]? {
        var values: [UniqueValue] = []
        for field in fields[object.runtimeEntity.index] {
            guard let value = UniqueValue(field, of: object) else { return nil }
            values.append(value)
        }
        return values.isEmpty ? nil : values
    }
}

/// A value as a unique index compares it: text by its bytes, numbers as they are stored.
enum UniqueValue: Hashable {
    case value(AttributeValue)
    case text([UInt8])
    case key(Int64)

    init?(_ field: Field, of object: ManagedObject) {
        if field.kind.base == .toOne {
            let key = object.toOneReference(field).pointee.key
            guard key != 0 else { return nil }
            self = .key(key)
            return
        }
        guard object.changes?.unset.contains(field.index) != true,
            let value = attributeValue(field.kind, at: object.address(of: field))
        else { return nil }
        self.init(value)
    }

    init(_ value: AttributeValue) {
        // Swift treats two encodings of the same character as equal, but SQLite does not. URLs are stored as text.
        switch value {
        case .string(let text): self = .text(Array(text.utf8))
        case .url(let address): self = .text(Array(address.absoluteString.utf8))
        default: self = .value(value)
        }
    }
}

extension StoreSchema {
    /// Returns the uniqueness constraints that the store enforces: one for each unique index.
    ///
    /// They are computed only when a save has failed.
    func makeUniquenessConstraints() -> [UniquenessConstraint] {
        mapping.tables.flatMap { table in
            table.indexes.filter(\.isUnique).compactMap { index -> UniquenessConstraint? in
                guard let constraint = mapping.uniquenessConstraint(of: index, tableName: table.name) else {
                    return nil
                }
                let columnNames = index.elements.map(\.columnName)
                return UniquenessConstraint(
                    entityName: constraint.entityName,
                    propertyNames: constraint.properties,
                    tableName: table.name,
                    columnNames: columnNames,
                    // The index covers the whole table, so an index of only inherited columns applies to sibling
                    // entities too.
                    fields: runtimeEntities.map { type in
                        guard type.mapping.tableName == table.name else { return [] }
                        let fields = columnNames.compactMap { name in
                            type.columnFields.first { $0.columnName == name }
                        }
                        return fields.count == columnNames.count ? fields : []
                    }
                )
            }
        }
    }
}
