internal import ChordataModel

// The only code that touches an object's or a snapshot's storage by address. Every function takes the address of the
// field itself; that it is right follows from the size check where a field table is made.

/// Reads a column into a field that has a value already; true when the column is NULL.
@inline(__always)
func decodeField(_ kind: FieldKind, at field: UnsafeMutableRawPointer, _ statement: SQLiteStatement, _ column: Int32)
    -> Bool
{
    kind.base.visit(Decode(field: field, isOptional: kind.isOptional, statement: statement, column: column)) ?? false
}

private struct Decode: FieldVisitor {
    let field: UnsafeMutableRawPointer
    let isOptional: Bool
    let statement: SQLiteStatement
    let column: Int32

    @inline(__always)
    func visit<T: FieldValue>(_: T.Type) -> Bool {
        let value = T.read(statement, column)
        if isOptional {
            field.assumingMemoryBound(to: T?.self).pointee = value
        } else {
            field.assumingMemoryBound(to: T.self).pointee = value ?? T.zero
        }
        return value == nil
    }
}

/// Reads a column into the memory of a field that has no value yet.
@inline(__always)
func initializeField(
    _ kind: FieldKind,
    at field: UnsafeMutableRawPointer,
    from statement: SQLiteStatement,
    _ column: Int32
) {
    _ = kind.base.visit(
        InitializeFromRow(field: field, isOptional: kind.isOptional, statement: statement, column: column)
    )
}

private struct InitializeFromRow: FieldVisitor {
    let field: UnsafeMutableRawPointer
    let isOptional: Bool
    let statement: SQLiteStatement
    let column: Int32

    @inline(__always)
    func visit<T: FieldValue>(_: T.Type) {
        let value = T.read(statement, column)
        if isOptional {
            field.initializeMemory(as: T?.self, to: value)
        } else {
            field.initializeMemory(as: T.self, to: value ?? T.zero)
        }
    }
}

/// Binds a field's value to a parameter.
@inline(__always)
func bindField(_ kind: FieldKind, at field: UnsafeRawPointer, to statement: SQLiteStatement, _ index: Int32) {
    _ = kind.base.visit(Bind(field: field, isOptional: kind.isOptional, statement: statement, index: index))
}

private struct Bind: FieldVisitor {
    let field: UnsafeRawPointer
    let isOptional: Bool
    let statement: SQLiteStatement
    let index: Int32

    @inline(__always)
    func visit<T: FieldValue>(_: T.Type) {
        if isOptional {
            if let value = field.assumingMemoryBound(to: T?.self).pointee {
                value.bind(to: statement, at: index)
            } else {
                statement.bindNull(at: index)
            }
        } else {
            field.assumingMemoryBound(to: T.self).pointee.bind(to: statement, at: index)
        }
    }
}

/// Copies a field into another of the same kind: memory without a value yet, or a field that has one.
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

/// Gives memory without a value that of a field that was never set.
func initializeEmptyField(_ kind: FieldKind, at field: UnsafeMutableRawPointer) {
    switch kind.base {
    case .toOne: field.initializeMemory(as: ToOne.self, to: ToOne())
    case .toMany: field.initializeMemory(as: ToMany.self, to: ToMany())
    case .any: field.initializeMemory(as: Any?.self, to: nil)
    case .int16, .int32, .int64, .double, .float, .bool, .string, .date, .uuid, .url, .data, .decimal, .encoded,
        .objectID:
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

/// Ends the life of a field's value.
func destroyField(_ kind: FieldKind, at field: UnsafeMutableRawPointer) {
    switch kind.base {
    case .toOne: field.assumingMemoryBound(to: ToOne.self).deinitialize(count: 1)
    case .toMany: field.assumingMemoryBound(to: ToMany.self).deinitialize(count: 1)
    case .any: field.assumingMemoryBound(to: Any?.self).deinitialize(count: 1)
    case .int16, .int32, .int64, .double, .float, .bool, .string, .date, .uuid, .url, .data, .decimal, .encoded,
        .objectID:
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

/// A field's value; `nil` when it has none.
func attributeValue(_ kind: FieldKind, at field: UnsafeRawPointer) -> AttributeValue? {
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

/// A field's value in its Swift type; of a Transformable the bytes.
func anyValue(_ kind: FieldKind, at field: UnsafeRawPointer) -> Any? {
    kind.base.visit(GetAny(field: field, isOptional: kind.isOptional)) ?? nil
}

private struct GetAny: FieldVisitor {
    let field: UnsafeRawPointer
    let isOptional: Bool

    func visit<T: FieldValue>(_: T.Type) -> Any? {
        let value: T? =
            isOptional ? field.assumingMemoryBound(to: T?.self).pointee : field.assumingMemoryBound(to: T.self).pointee
        guard let value else { return nil }
        return (value as? Encoded)?.data ?? value
    }
}

/// Sets a field; false when the value is of another type or out of range.
///
/// No value (`nil`) makes a required field zero.
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

/// Whether two fields of one kind have equal values.
func fieldsAreEqual(_ kind: FieldKind, _ left: UnsafeRawPointer, _ right: UnsafeRawPointer) -> Bool {
    kind.base.visit(AreEqual(left: left, right: right, isOptional: kind.isOptional)) ?? true
}

private struct AreEqual: FieldVisitor {
    let left: UnsafeRawPointer
    let right: UnsafeRawPointer
    let isOptional: Bool

    func visit<T: FieldValue>(_: T.Type) -> Bool {
        isOptional
            ? left.assumingMemoryBound(to: T?.self).pointee == right.assumingMemoryBound(to: T?.self).pointee
            : left.assumingMemoryBound(to: T.self).pointee == right.assumingMemoryBound(to: T.self).pointee
    }
}

/// Whether a field has a value that is not a number: one that SQLite would take for a missing one.
func isNotANumber(_ kind: FieldKind, at field: UnsafeRawPointer) -> Bool {
    kind.base.visit(IsNotANumber(field: field, isOptional: kind.isOptional)) ?? false
}

private struct IsNotANumber: FieldVisitor {
    let field: UnsafeRawPointer
    let isOptional: Bool

    @inline(__always)
    func visit<T: FieldValue>(_: T.Type) -> Bool {
        isOptional
            ? field.assumingMemoryBound(to: T?.self).pointee?.isNotANumber ?? false
            : field.assumingMemoryBound(to: T.self).pointee.isNotANumber
    }
}
