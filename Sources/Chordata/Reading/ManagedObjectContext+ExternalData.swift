internal import ChordataModel

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// Bytes in side tables: read on first access, written with the rows.

extension ManagedObjectContext {
    /// Returns the stored bytes of an attribute that allows external storage.
    ///
    /// Reads the store or, in a child context, the parent without creating an object. Unsaved changes of this context
    /// are ignored.
    /// - Parameters:
    ///   - keyPath: The key path of the attribute, such as `\.photo`.
    ///   - objectID: The object ID of a saved object.
    /// - Returns: The bytes; `nil` when the attribute has no value.
    /// - Throws: ``MissingObjectError`` when the object has no row, ``FetchError`` when the attribute does not allow
    ///   external storage, ``StoreError`` when the store cannot be read.
    public func externalData<Object: ManagedObject>(
        of keyPath: PartialKeyPath<Object>,
        for objectID: ObjectID<Object>
    ) throws -> Data? {
        let type = entityType(for: Object.self)
        let keys = propertyKeys(of: keyPath)
        guard let external = type.externalFields.first(where: { [$0.field.name] == keys }) else {
            throw FetchError.noExternalStorage(text(of: keyPath), entityName: type.entity.name)
        }
        guard let row = try reader.readStore({ try external.read(objectID.key, $0) }) else {
            throw MissingObjectError(objectID: ManagedObjectID(entityType: type, key: objectID.key))
        }
        return row.bytes
    }

    // MARK: Saving

    /// Writes the bytes of an object that was inserted or changed, after its row.
    func writeExternalData(of object: ManagedObject, _ connection: SQLiteConnection) throws {
        for external in object.entityType.externalFields {
            if object.state == .updated, object.changes?.changed.contains(external.field.index) != true { continue }
            guard let value = external.value(at: object.address(of: external.field)) else {
                if object.state == .updated { try external.remove(object.key, connection) }
                continue
            }
            // Bytes that were not read are those that the store has.
            guard let bytes = value.data else { continue }
            try external.write(bytes, object.objectID, connection)
        }
    }

    // MARK: Values

    /// Sets the row version of values that were just read, and reads their bytes where these are requested.
    ///
    /// Called while the statement of the rows has not ended, so the bytes are of the same state of the store.
    func addExternalData<Values: ManagedObjectValues>(
        to values: inout Values,
        of type: RuntimeEntity,
        version: Int64,
        key: Int64,
        _ connection: SQLiteConnection?
    ) throws(StoreError) {
        for place in Values.layout.externalFields {
            guard let external = type.externalFields.first(where: { [$0.field.name] == place.path }) else { continue }
            let row = try connection.map { connection throws(StoreError) in try external.read(key, connection) } ?? nil
            withUnsafeMutableBytes(of: &values) { bytes in
                guard let address = bytes.baseAddress.map({ $0 + place.offset }),
                    var value = external.value(at: address)
                else { return }
                if let row { value = ExternalData(row.bytes ?? Data()) } else { value.version = version }
                external.setValue(value, at: address)
            }
        }
    }
}
