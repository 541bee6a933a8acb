// Comparing fields; the addresses are those of the fields themselves, as in `accessFields.swift`.

/// Returns a Boolean value that indicates whether two fields of one kind have equal values.
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

/// Returns a Boolean value that indicates whether the value of a field is not a number, which SQLite would store as a
/// missing value.
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
