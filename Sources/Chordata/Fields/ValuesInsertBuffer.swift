/// A plan for inserting `Values` of one type.
struct ValueInsertion {
    /// The type of the `Values`.
    let values: ObjectIdentifier
    /// The entity's columns, with the byte offsets of their values in a `Values`.
    let columns: [ColumnField]
    /// A Boolean value that indicates whether more than the rows themselves has to be written.
    let needsObjects: Bool
}

/// The memory of the `Values` to insert, all of one type.
package struct ValuesInsertBuffer {
    let bytes: UnsafeRawBufferPointer
    let stride: Int
    /// The entity's columns, with the byte offsets of their values in a `Values`.
    package let columns: [ColumnField]
    package let type: RuntimeEntity

    package var count: Int { bytes.count / stride }

    /// The addresses of the values, without references to retain.
    struct Memory {
        let start: UnsafeRawPointer
        let stride: Int
        let firstKey: Int64

        init(_ rows: ValuesInsertBuffer, firstKey: Int64) {
            // There are values, so there is an address.
            start = rows.bytes.baseAddress!
            stride = rows.stride
            self.firstKey = firstKey
        }
    }

    @inline(__always)
    package func address(of column: ColumnField, _ index: Int) -> UnsafeRawPointer {
        // There are values, so there is an address.
        bytes.baseAddress! + (index * stride + column.offset)
    }

    /// The key of a to-one relationship; 0 if it is empty.
    func key(of column: ColumnField, _ index: Int) -> Int64 { Self.key(at: address(of: column, index)) }

    @inline(__always)
    package static func key(at address: UnsafeRawPointer) -> Int64 {
        address.assumingMemoryBound(to: ObjectID<ManagedObject>?.self).pointee?.key ?? 0
    }

    /// Returns the external field of a column; `nil` if its value is not stored in a side table.
    package func external(_ column: ColumnField) -> ExternalField? {
        type.externalFields.first { $0.field.index == column.index }
    }

    func failure(_ code: ValidationError.Failure.Code, _ field: Int, _ index: Int, _ reason: String)
        -> ValidationError.Failure
    {
        ValidationError.Failure(
            code,
            ManagedObjectID(runtimeEntity: type, key: 0),
            propertyName: type.fields[field].name,
            reason: "of the values at index \(index) " + reason
        )
    }

    func danglingFailure(_ column: ColumnField, _ index: Int) -> ValidationError.Failure {
        failure(
            .managedObjectValidation,
            column.index,
            index,
            "references an object that is not in the store; save that object first, and use the object ID that it has after the save"
        )
    }

    func otherStoreFailure(_ column: ColumnField, _ index: Int, _ path: String) -> ValidationError.Failure {
        failure(
            .managedObjectValidation,
            column.index,
            index,
            "references an object of another store ('\(path)'), but a relationship is possible only within one store; "
                + "instead of inserting values, insert a managed object and assign it to the store of the referenced "
                + "object with assign(_:to:)"
        )
    }
}
