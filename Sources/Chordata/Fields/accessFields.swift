internal import ChordataModel

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

// The only code that accesses the storage of objects and snapshots by address. Every function takes the address of the
// field itself; the size check at the creation of a field table ensures that the addresses are correct.

/// Reads a row into the fields of an object, which have the values of a new object.
/// - Returns: The required fields that have no value.
func decodeFields<Row: RowValues>(
    _ fields: UnsafeBufferPointer<MappedColumn>,
    at base: UnsafeMutableRawPointer,
    _ row: Row
) -> PropertyMask {
    var missing = PropertyMask()
    for item in fields {
        let (kind, field, column) = (item.field.kind, base + item.field.offset, item.column)
        let hasValue: Bool
        // Only the most frequent kinds are here; with all kinds the loop would be too large to be fast.
        switch kind.base {
        case .toOne:
            field.assumingMemoryBound(to: ToOneSlot.self).pointee.key = row.integer(at: column)
            continue
        case .int64: hasValue = decode(Int64.self, kind.isOptional, at: field, row, column)
        case .string: hasValue = decode(String.self, kind.isOptional, at: field, row, column)
        case .double: hasValue = decode(Double.self, kind.isOptional, at: field, row, column)
        case .date: hasValue = decode(Date.self, kind.isOptional, at: field, row, column)
        case .bool: hasValue = decode(Bool.self, kind.isOptional, at: field, row, column)
        case .uuid: hasValue = decode(UUID.self, kind.isOptional, at: field, row, column)
        case .int16, .int32, .float, .url, .data, .decimal, .encoded, .external, .any, .toMany, .objectID:
            hasValue = decodeOtherField(kind, at: field, row, column)
        }
        if !hasValue, item.field.isRequired { missing.insert(item.field.index) }
    }
    return missing
}

@inline(never)
private func decodeOtherField<Row: RowValues>(
    _ kind: FieldKind,
    at field: UnsafeMutableRawPointer,
    _ row: Row,
    _ column: Int32
) -> Bool {
    kind.base.visit(Decode(field: field, isOptional: kind.isOptional, row: row, column: column)) ?? true
}

private struct Decode<Row: RowValues>: FieldVisitor {
    let field: UnsafeMutableRawPointer
    let isOptional: Bool
    let row: Row
    let column: Int32

    @inline(__always)
    func visit<T: FieldValue>(_: T.Type) -> Bool { decode(T.self, isOptional, at: field, row, column) }
}

/// Reads a column into a field that has the value of a new object; returns `false` when the column has no value.
@inline(__always)
private func decode<T: FieldValue, Row: RowValues>(
    _: T.Type,
    _ isOptional: Bool,
    at field: UnsafeMutableRawPointer,
    _ row: Row,
    _ column: Int32
) -> Bool {
    let value = T.read(row, column)
    // Neither `nil` nor a zero that holds no memory needs to be released.
    if isOptional {
        field.initializeMemory(as: T?.self, to: value)
    } else if T.zeroHoldsNothing {
        field.initializeMemory(as: T.self, to: value ?? T.zero)
    } else {
        field.assumingMemoryBound(to: T.self).pointee = value ?? T.zero
    }
    return value != nil
}

/// Sets a field to the value that it has in a new object without the model's default.
func emptyField(_ kind: FieldKind, at field: UnsafeMutableRawPointer) { _ = setAttributeValue(nil, kind, at: field) }

/// Reads a column into the uninitialized memory of a field; returns `true` when the column is NULL.
@inline(__always)
@discardableResult
func initializeField<Row: RowValues>(
    _ kind: FieldKind,
    at field: UnsafeMutableRawPointer,
    from row: Row,
    _ column: Int32
) -> Bool {
    kind.base.visit(
        InitializeFromRow(field: field, isOptional: kind.isOptional, row: row, column: column)
    ) ?? false
}

private struct InitializeFromRow<Row: RowValues>: FieldVisitor {
    let field: UnsafeMutableRawPointer
    let isOptional: Bool
    let row: Row
    let column: Int32

    @inline(__always)
    func visit<T: FieldValue>(_: T.Type) -> Bool {
        let value = T.read(row, column)
        if isOptional {
            field.initializeMemory(as: T?.self, to: value)
        } else {
            field.initializeMemory(as: T.self, to: value ?? T.zero)
        }
        return value == nil
    }
}

/// Passes a field's value to SQLite.
@inline(__always)
func giveField(_ kind: FieldKind, at field: UnsafeRawPointer, to place: some SQLiteValuePlace) {
    _ = kind.base.visit(Give(field: field, isOptional: kind.isOptional, place: place))
}

private struct Give<Place: SQLiteValuePlace>: FieldVisitor {
    let field: UnsafeRawPointer
    let isOptional: Bool
    let place: Place

    @inline(__always)
    func visit<T: FieldValue>(_: T.Type) {
        if isOptional {
            if let value = field.assumingMemoryBound(to: T?.self).pointee {
                value.give(to: place)
            } else {
                place.giveNull()
            }
        } else {
            field.assumingMemoryBound(to: T.self).pointee.give(to: place)
        }
    }
}

/// Copies the value of an attribute, which may be a transient attribute of any type, into another field of the same
/// kind, which has a value.
func copyAttribute(_ kind: FieldKind, from source: UnsafeRawPointer, to field: UnsafeMutableRawPointer) {
    if kind.base == .any {
        field.assumingMemoryBound(to: Any?.self).pointee = source.assumingMemoryBound(to: Any?.self).pointee
    } else {
        copyField(kind, from: source, to: field, isInitialized: true)
    }
}

/// Copies a field into another field of the same kind, which is uninitialized memory or has a value.
@inline(__always)
func copyField(
    _ kind: FieldKind,
    from source: UnsafeRawPointer,
    to field: UnsafeMutableRawPointer,
    isInitialized: Bool
) {
    _ = kind.base.visit(
        Copy(source: source, field: field, isOptional: kind.isOptional, isInitialized: isInitialized)
    )
}

private struct Copy: FieldVisitor {
    let source: UnsafeRawPointer
    let field: UnsafeMutableRawPointer
    let isOptional: Bool
    let isInitialized: Bool

    @inline(__always)
    func visit<T: FieldValue>(_: T.Type) {
        if isOptional { copy(T?.self) } else { copy(T.self) }
    }

    @inline(__always)
    private func copy<T>(_: T.Type) {
        let value = source.assumingMemoryBound(to: T.self).pointee
        if isInitialized {
            field.assumingMemoryBound(to: T.self).pointee = value
        } else {
            field.initializeMemory(as: T.self, to: value)
        }
    }
}

/// Initializes the memory of a field with the value of a field that was never set.
func initializeEmptyField(_ kind: FieldKind, at field: UnsafeMutableRawPointer) {
    switch kind.base {
    case .toOne: field.initializeMemory(as: ToOneSlot.self, to: ToOneSlot())
    case .toMany: field.initializeMemory(as: ToManySlot.self, to: ToManySlot())
    case .any: field.initializeMemory(as: Any?.self, to: nil)
    case .int16, .int32, .int64, .double, .float, .bool, .string, .date, .uuid, .url, .data, .decimal, .encoded,
        .external, .objectID:
        _ = kind.base.visit(InitializeEmpty(field: field, isOptional: kind.isOptional))
    }
}

private struct InitializeEmpty: FieldVisitor {
    let field: UnsafeMutableRawPointer
    let isOptional: Bool

    func visit<T: FieldValue>(_: T.Type) {
        if isOptional {
            field.initializeMemory(as: T?.self, to: nil)
        } else {
            field.initializeMemory(as: T.self, to: T.zero)
        }
    }
}

/// Deinitializes a field's value.
func destroyField(_ kind: FieldKind, at field: UnsafeMutableRawPointer) {
    switch kind.base {
    case .toOne: field.assumingMemoryBound(to: ToOneSlot.self).deinitialize(count: 1)
    case .toMany: field.assumingMemoryBound(to: ToManySlot.self).deinitialize(count: 1)
    case .any: field.assumingMemoryBound(to: Any?.self).deinitialize(count: 1)
    case .int16, .int32, .int64, .double, .float, .bool, .string, .date, .uuid, .url, .data, .decimal, .encoded,
        .external, .objectID:
        _ = kind.base.visit(Destroy(field: field, isOptional: kind.isOptional))
    }
}

private struct Destroy: FieldVisitor {
    let field: UnsafeMutableRawPointer
    let isOptional: Bool

    func visit<T: FieldValue>(_: T.Type) {
        if isOptional {
            field.assumingMemoryBound(to: T?.self).deinitialize(count: 1)
        } else {
            field.assumingMemoryBound(to: T.self).deinitialize(count: 1)
        }
    }
}

/// Returns a field's value; `nil` when the field has no value.
package func attributeValue(_ kind: FieldKind, at field: UnsafeRawPointer) -> AttributeValue? {
    kind.base.visit(GetValue(field: field, isOptional: kind.isOptional)) ?? nil
}

private struct GetValue: FieldVisitor {
    let field: UnsafeRawPointer
    let isOptional: Bool

    func visit<T: FieldValue>(_: T.Type) -> AttributeValue? {
        isOptional
            ? field.assumingMemoryBound(to: T?.self).pointee?.attributeValue
            : field.assumingMemoryBound(to: T.self).pointee.attributeValue
    }
}

/// Returns a field's value in its Swift type; for a Transformable attribute, its bytes; for external data, the bytes
/// that were read.
func anyValue(_ kind: FieldKind, at field: UnsafeRawPointer) -> Any? {
    kind.base.visit(GetAny(field: field, isOptional: kind.isOptional)) ?? nil
}

private struct GetAny: FieldVisitor {
    let field: UnsafeRawPointer
    let isOptional: Bool

    func visit<T: FieldValue>(_: T.Type) -> Any? {
        let value: T? =
            isOptional ? field.assumingMemoryBound(to: T?.self).pointee : field.assumingMemoryBound(to: T.self).pointee
        return value.map(readableValue)
    }
}

/// Returns a field's value in the form in which it is read by name.
private func readableValue<T: FieldValue>(_ value: T) -> Any {
    (value as? TransformableStorage)?.data ?? (value as? ExternalData)?.loadedData ?? value
}

/// Sets a field; returns `false` when the value has another type or is out of range.
///
/// `nil` sets a required field to zero.
func setAttributeValue(_ value: AttributeValue?, _ kind: FieldKind, at field: UnsafeMutableRawPointer) -> Bool {
    kind.base.visit(SetValue(value: value, field: field, isOptional: kind.isOptional)) ?? false
}

private struct SetValue: FieldVisitor {
    let value: AttributeValue?
    let field: UnsafeMutableRawPointer
    let isOptional: Bool

    func visit<T: FieldValue>(_: T.Type) -> Bool {
        let converted: T?
        if let value {
            guard let fitting = T(value) else { return false }
            converted = fitting
        } else {
            converted = nil
        }
        if isOptional {
            field.assumingMemoryBound(to: T?.self).pointee = converted
        } else {
            field.assumingMemoryBound(to: T.self).pointee = converted ?? T.zero
        }
        return true
    }
}

/// Returns a value in the form that a field would have; `nil` when it has another type or is out of range.
func fittingValue(_ value: AttributeValue, _ kind: FieldKind) -> AttributeValue? {
    kind.base.visit(Fit(value: value)) ?? nil
}

private struct Fit: FieldVisitor {
    let value: AttributeValue

    func visit<T: FieldValue>(_: T.Type) -> AttributeValue? { T(value)?.attributeValue }
}

/// Returns a value in the Swift type of a field, as it is read by name; `nil` if its type or range is wrong.
func convertedValue(_ value: AttributeValue, _ kind: FieldKind) -> Any? {
    kind.base.visit(Convert(value: value)) ?? nil
}

private struct Convert: FieldVisitor {
    let value: AttributeValue

    func visit<T: FieldValue>(_: T.Type) -> Any? { T(value).map(readableValue) }
}
