// Hashing and coding of fields, for `Values`; the addresses are those of the field itself, as in `accessFields.swift`.

/// Feeds a field's value to a hasher.
func hashField(_ kind: FieldKind, at field: UnsafeRawPointer, into hasher: inout Hasher) {
    // A visitor cannot hold the hasher, so it returns the hash of the value.
    hasher.combine(kind.base.visit(HashValue(field: field, isOptional: kind.isOptional)))
}

private struct HashValue: FieldVisitor {
    let field: UnsafeRawPointer
    let isOptional: Bool

    func visit<T: FieldValue>(_: T.Type) -> Int {
        isOptional
            ? field.assumingMemoryBound(to: T?.self).pointee.hashValue
            : field.assumingMemoryBound(to: T.self).pointee.hashValue
    }
}

/// Returns a Boolean value that indicates whether a field has a value: a required field always has a value.
func hasValue(_ kind: FieldKind, at field: UnsafeRawPointer) -> Bool {
    kind.base.visit(HasValue(field: field, isOptional: kind.isOptional)) ?? false
}

private struct HasValue: FieldVisitor {
    let field: UnsafeRawPointer
    let isOptional: Bool

    func visit<T: FieldValue>(_: T.Type) -> Bool {
        !isOptional || field.assumingMemoryBound(to: T?.self).pointee != nil
    }
}

/// Passes a field's value, if it has one, to a closure that encodes it.
func encodeField(_ kind: FieldKind, at field: UnsafeRawPointer, _ encode: (any Encodable) throws -> Void) throws {
    let value = kind.base.visit(GetEncodable(field: field, isOptional: kind.isOptional)) ?? nil
    if let value { try encode(value) }
}

private struct GetEncodable: FieldVisitor {
    let field: UnsafeRawPointer
    let isOptional: Bool

    func visit<T: FieldValue>(_: T.Type) -> (any Encodable)? {
        isOptional
            ? field.assumingMemoryBound(to: T?.self).pointee
            : field.assumingMemoryBound(to: T.self).pointee
    }
}

/// Initializes the memory of a field with the value that a closure decodes.
///
/// `nil` sets a required field to zero.
func initializeField(
    _ kind: FieldKind,
    at field: UnsafeMutableRawPointer,
    decoding decode: (any FieldValue.Type) throws -> (any FieldValue)?
) throws {
    let type = kind.base.visit(GetType())
    guard let type else { return }
    let value = try decode(type)
    _ = kind.base.visit(Initialize(value: value, field: field, isOptional: kind.isOptional))
}

private struct GetType: FieldVisitor {
    func visit<T: FieldValue>(_ type: T.Type) -> any FieldValue.Type { type }
}

private struct Initialize: FieldVisitor {
    let value: (any FieldValue)?
    let field: UnsafeMutableRawPointer
    let isOptional: Bool

    func visit<T: FieldValue>(_: T.Type) {
        let value = value as? T
        if isOptional {
            field.initializeMemory(as: T?.self, to: value)
        } else {
            field.initializeMemory(as: T.self, to: value ?? T.zero)
        }
    }
}
