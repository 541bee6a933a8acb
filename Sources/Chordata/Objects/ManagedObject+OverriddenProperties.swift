internal import Foundation

// Core Data's key-value coding calls the getters and setters that a class overrides. Here, they are called with key
// paths, and the value is converted to the form in which `value(forKey:)` returns stored values, or to the type of the
// property.

extension ManagedObject {
    /// Returns the value of a property's getter, in the form in which ``value(forKey:)`` returns values.
    final func valueOfGetter(of field: Field) -> Any? {
        let stored = value(of: field)
        guard let keyPath = overridableKeyPath(field.name, of: type(of: self)) else { return stored }
        guard let value = wrappedValue(self[keyPath: keyPath]) else { return nil }
        // The getter of a number that is not optional returns 0 if there is no value.
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

    /// Sets the value of a property with its setter, which a class may override.
    /// - Returns: A Boolean value that indicates whether the value was set; `false` if the property cannot be
    ///   overridden, or does not have the type of the value.
    final func setWithSetter(_ value: Any?, of field: Field) -> Bool {
        guard let setter = overridableKeyPath(field.name, of: type(of: self)) as? any PropertySetter else {
            return false
        }
        return setter.set(value, of: self, field)
    }

    /// Returns a value as the type of a property; `nil` if the property cannot have the value.
    fileprivate func propertyForm<Value>(of value: Any?, _ field: Field, as type: Value.Type) -> Value? {
        let optional = type as? any OptionalValue.Type
        guard let value else {
            guard let optional else { return nil }
            return optional.missingValue as? Value
        }
        let propertyType = optional?.wrappedType ?? type
        switch field.kind.base {
        case .toOne: return destination(value, of: field) as? Value
        case .toMany:
            let members = destinations(value, of: field)
            return (propertyType == NSOrderedSet.self ? NSOrderedSet(array: members) : NSSet(array: members)) as? Value
        case .encoded, .external, .any, .objectID: return value as? Value
        case .int16, .int32, .int64, .double, .float, .bool, .string, .date, .uuid, .url, .data, .decimal:
            guard let form = attributeForm(of: value, field) else { return nil }
            if propertyType == NSNumber.self { return number(form) as? Value }
            switch form {
            case let date as Date where propertyType == TimeInterval.self:
                return date.timeIntervalSinceReferenceDate as? Value
            case let decimal as Decimal where propertyType == NSDecimalNumber.self:
                return NSDecimalNumber(decimal: decimal) as? Value
            default: return form as? Value
            }
        }
    }

    /// Returns a value as the type of an attribute's storage; `nil` if the attribute cannot have the value.
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

/// The key path of a property that can be set.
private protocol PropertySetter {
    func set(_ value: Any?, of object: ManagedObject, _ field: Field) -> Bool
}

extension ReferenceWritableKeyPath: PropertySetter {
    fileprivate func set(_ value: Any?, of object: ManagedObject, _ field: Field) -> Bool {
        guard let root = object as? Root, let value = object.propertyForm(of: value, field, as: Value.self) else {
            return false
        }
        root[keyPath: self] = value
        return true
    }
}

private func number(_ value: Any) -> NSNumber? {
    switch value {
    case let value as Int16: NSNumber(value: value)
    case let value as Int32: NSNumber(value: value)
    case let value as Int64: NSNumber(value: value)
    case let value as Double: NSNumber(value: value)
    case let value as Float: NSNumber(value: value)
    case let value as Bool: NSNumber(value: value)
    default: nil
    }
}

/// Returns the value that an optional value of any type contains.
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
    static var missingValue: Self { get }
    static var wrappedType: Any.Type { get }
    var wrappedValue: Any? { get }
}

extension Optional: OptionalValue {
    fileprivate static var missingValue: Wrapped? { nil }
    fileprivate static var wrappedType: Any.Type { Wrapped.self }
    fileprivate var wrappedValue: Any? {
        guard case .some(let value) = self else { return nil }
        return value
    }
}
