internal import ChordataModel

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

// The snapshots of objects and rows in conflicts.

extension RowReader {
    /// Returns the values of a row by property name, as `value(forKey:)` returns them; `nil` values are omitted, and so
    /// are bytes in a side table that were not read and no longer belong to the version.
    func snapshot(of values: RowStorage, key: Int64, version: Int64) -> [String: Any] {
        var snapshot: [String: Any] = [:]
        for field in values.runtimeEntity.columnFields where !values.unset.contains(field.index) {
            if let external = values.runtimeEntity.externalFields.first(where: { $0.field === field }) {
                snapshot[field.name] = bytes(external, values, key, version)
            } else if let relationship = values.runtimeEntity.relationships[field.index] {
                let key = values.key(of: field)
                guard key != 0 else { continue }
                snapshot[field.name] = object(forKey: key, type: schema.runtimeEntities[relationship.destination])
            } else {
                snapshot[field.name] = anyValue(field.kind, at: values.address(of: field))
            }
        }
        return snapshot
    }

    private func bytes(_ external: ExternalField, _ values: RowStorage, _ key: Int64, _ version: Int64) -> Data? {
        guard let value = external.value(at: values.address(of: external.field)) else { return nil }
        if let data = value.data { return data }
        guard let row = readOrRecord({ try readStore { try external.read(key, $0) } }),
            row.version == version
        else {
            return nil
        }
        return row.bytes
    }
}
