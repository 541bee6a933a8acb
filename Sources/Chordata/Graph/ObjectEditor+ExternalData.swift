internal import ChordataModel

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

// Bytes in side tables that objects read on first access.

extension ObjectEditor {
    /// Reads the bytes of an attribute of which an object has only the length.
    ///
    /// The bytes are those of the object's version of the row. If the row has changed since, the whole object is
    /// refreshed, so that old values and new bytes are never mixed; an object with unsaved changes keeps its version,
    /// and a save detects the conflict. If the row was deleted, there is no value, as for faults.
    func readExternalData(of object: ManagedObject, _ external: ExternalField) {
        let address = object.address(of: external.field)
        var mayBeOld = reader.isReading
        while let value = external.value(at: address), value.data == nil {
            let found = reader.readOrRecord { try reader.readStore { try external.read(object.key, $0) } }
            if mayBeOld, found.map({ $0.version < object.version }) ?? true {
                // The read transaction of the event may be older than changes that were saved or merged in the event.
                reader.endReading()
                mayBeOld = false
                continue
            }
            guard let row = found else {
                external.setValue(nil, at: address)
                return
            }
            if row.version == object.version || object.state != .clean {
                external.setValue(row.bytes.map { ExternalData($0) }, at: address)
                return
            } else if let row = reader.readOrRecord({ try reader.readRowSnapshot(of: object) }) {
                graph.willChangeObservedMembers(of: object)
                graph.assign(row.values, version: row.version, to: object)
                forgetOwnToMany(of: object)
                graph.recordRefresh(of: object)
                graph.executor.scheduleProcessing()
            }
        }
    }

    /// Returns the last saved bytes of an attribute whose value has changed; `nil` if it has not changed.
    func committedExternalData(of object: ManagedObject, _ external: ExternalField) -> Data? {
        guard let committed = object.changes?.committedValue(of: external.field),
            let value = external.value(at: committed)
        else { return nil }
        if let data = value.data { return data }
        return reader.readOrRecord { try reader.readStore { try external.read(object.key, $0)?.bytes } }
    }
}
