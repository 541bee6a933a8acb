internal import Foundation

// Core Data's key-value coding calls the getter that a class overrides. Here a key path does, and the value gets the
// form that `value(forKey:)` gives to stored values.

extension ManagedObject {
    /// The value of a property's getter, in the form of ``value(forKey:)``.
    final func valueOfGetter(of field: Field) -> Any? {
        let stored = value(of: field)
        guard let keyPath = overridableKeyPath(field.name, of: type(of: self)) else { return stored }
        guard let value = wrappedValue(self[keyPath: keyPath]) else { return nil }
        // The getter of a number that is not optional gives 0 where there is no value.
        if stored == nil, isZero(value), !isOptional(type(of: keyPath).valueType) { return nil }
        switch field.kind.base {
        case .toOne: return value
        case .toMany:
            guard let members = value as? any RelationshipCollection else { return stored }
            let storage = ToManyStorage.make(isOrdered: field.relationship?.isOrdered == true)
            storage.fill(with: destinations(members.relationshipMembers, of: field))
            return collection(of: storage, field)
        case .encoded, .external: return value
        case .date where value is TimeInterval:
            return (value as? TimeInterval).map { Date(timeIntervalSinceReferenceDate: $0) }
        case .int16, .int32, .int64, .double, .float, .bool, .string, .date, .uuid, .url, .data, .decimal:
            return attributeForm(of: value, field) ?? stored
        case .any, .objectID: return stored
        }
    }

    /// A value in the type of an attribute's storage; `nil` for one that does not fit.
    private func attributeForm(of value: Any, _ field: Field) -> Any? {
        guard let converted = AttributeValue(value, for: field.kind.base) else { return nil }
        let layout = field.kind.layout
        let memory = UnsafeMutableRawPointer.allocate(byteCount: layout.size, alignment: layout.alignment)
        initializeEmptyField(field.kind, at: memory)
        defer {
            destroyField(field.kind, at: memory)
            memory.deallocate()
        }
        return setAttributeValue(converted, field.kind, at: memory) ? anyValue(field.kind, at: memory) : nil
    }
}

/// The value in an optional value of any type.
private func wrappedValue(_ value: Any?) -> Any? {
    guard let value else { return nil }
    guard let optional = value as? any OptionalValue else { return value }
    return optional.wrappedValue
}

private func isOptional(_ type: Any.Type) -> Bool { type is any OptionalValue.Type }

private func isZero(_ value: Any) -> Bool {
    func isZero<Number: AdditiveArithmetic>(_ number: Number) -> Bool { number == .zero }
    return (value as? any AdditiveArithmetic).map { isZero($0) } ?? (value as? Bool == false)
}

private protocol OptionalValue {
    var wrappedValue: Any? { get }
}

extension Optional: OptionalValue {
    fileprivate var wrappedValue: Any? {
        guard case .some(let value) = self else { return nil }
        return value
    }
}
