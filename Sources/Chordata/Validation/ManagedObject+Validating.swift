internal import ChordataModel

extension ManagedObject {
    /// Checks whether a value is valid for a property: its type, the validation rules of the model, then
    /// ``ValidatePropertyHook``.
    ///
    /// The property is not set. `nil` is valid for properties that are optional, derived or transient.
    /// - Parameters:
    ///   - value: The value, of a type that ``setValue(_:forKey:)`` accepts; for a to-many relationship, a collection
    ///     of objects.
    ///   - key: The name of an attribute or relationship, or a path such as `address.city` for an element of a
    ///     composite attribute. Any other name traps.
    /// - Throws: The error that a ``ValidatePropertyHook`` threw; otherwise ``ValidationError`` with all failures.
    public final func validateValue(_ value: Any?, forKey key: String) throws {
        var failures: [ValidationError.Failure] = []
        for (name, violation) in findViolations(of: value, forKey: key) {
            failures.append(
                ValidationError.Failure(violation.code, of: self, propertyName: name, reason: violation.reason)
            )
        }
        if failures.isEmpty, let hook = runtimeEntity.validation.hooks.property,
            let place = hook.names.firstIndex(of: key)
        {
            let converted = propertyValue(of: value, forKey: key)
            addFailures(to: &failures, propertyName: key) { try hook.validate(self, place, converted) }
        }
        try ValidationError.throwIfAny(failures)
    }

    // MARK: One value

    private func findViolations(of value: Any?, forKey key: String)
        -> [(name: String, violation: AttributeRule.Violation)]
    {
        guard let field = runtimeEntity.field(named: key) else {
            guard let elements = runtimeEntity.elements(ofCompositeNamed: key) else { unknownKey(key) }
            let values = value as? [String: Any?]
            if let value, values == nil {
                let reason =
                    "is a composite and cannot be set to a value of type \(type(of: value)); use a dictionary of its "
                    + "elements"
                return [(key, (.managedObjectValidation, reason))]
            }
            return elements.flatMap { element in
                findViolations(of: values?[element] ?? nil, forKey: key + "." + element)
            }
        }
        let violation =
            field.relationship == nil
            ? attributeViolation(by: value, field) : relationshipViolation(by: value, field)
        return violation.map { [(key, $0)] } ?? []
    }

    private func attributeViolation(by value: Any?, _ field: Field) -> AttributeRule.Violation? {
        guard let value else {
            return runtimeEntity.validation.required.contains(field.index) ? ValidationRules.missing : nil
        }
        if field.kind.base == .any { return nil }
        guard let converted = AttributeValue(value, for: field.kind.base).flatMap({ fittingValue($0, field.kind) })
        else {
            let code: ValidationError.Failure.Code =
                switch field.kind.base {
                case .date: .invalidDate
                case .url: .invalidURI
                default: .managedObjectValidation
                }
            let name = field.attribute?.attributeType.rawValue ?? ""
            return (
                code,
                "has type \(name), but the value of type \(type(of: value)) has another type or is out of range; use "
                    + "another value"
            )
        }
        if converted.isNotANumber { return ValidationRules.notANumber(field.kind) }
        return runtimeEntity.validation.attributes.first { $0.field === field }?.violation(by: converted)
    }

    private func relationshipViolation(by value: Any?, _ field: Field)
        -> AttributeRule.Violation?
    {
        guard let relationship = field.relationship else { return nil }
        var members: [Any] = []
        if let value {
            if !relationship.isToMany {
                members = [value]
            } else if let sequence = value as? any Sequence {
                members = objects(in: sequence)
            } else {
                return (
                    .managedObjectValidation,
                    "is a to-many relationship and cannot be set to a value of type \(type(of: value)); use a "
                        + "collection of objects"
                )
            }
        }
        let entityName = relationship.destinationEntityName
        for member in members {
            guard let object = member as? ManagedObject,
                schema?.model.entity(object.runtimeEntity.entity.name, isKindOf: entityName) == true
            else {
                return (
                    .managedObjectValidation,
                    "references objects of '\(entityName)', but got a value of type \(type(of: member)); use an "
                        + "object of '\(entityName)'"
                )
            }
        }
        let count = Set(members.compactMap { $0 as? ManagedObject }).count
        return runtimeEntity.validation.relationships.first { $0.field === field }?.violation(byCount: count)
    }

    /// Returns a value without violations in the form of the property: the value that ``value(forKey:)`` returns after
    /// ``setValue(_:forKey:)``.
    private func propertyValue(of value: Any?, forKey key: String) -> Any? {
        guard let field = runtimeEntity.field(named: key) else {
            guard let elements = runtimeEntity.elements(ofCompositeNamed: key) else { unknownKey(key) }
            let values = value as? [String: Any?]
            let pairs = elements.map { ($0, propertyValue(of: values?[$0] ?? nil, forKey: key + "." + $0)) }
            return Dictionary(uniqueKeysWithValues: pairs)
        }
        switch field.kind.base {
        case .toOne, .any: return value
        case .toMany:
            let storage = ToManyStorage.make(isOrdered: field.relationship?.isOrdered == true)
            for object in destinations(value, of: field) { _ = storage.insert(object) }
            return collection(of: storage, field)
        case .int16, .int32, .int64, .double, .float, .bool, .string, .date, .uuid, .url, .data, .decimal, .encoded,
            .external, .objectID:
            return value.flatMap { AttributeValue($0, for: field.kind.base) }.flatMap { convertedValue($0, field.kind) }
        }
    }
}
