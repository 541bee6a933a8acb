internal import ChordataModel
internal import Foundation

/// Checks all properties of an object and the object as a whole, reading the row of a fault.
func validate(_ object: ManagedObject, _ occasion: ManagedObject.ValidationOccasion) throws {
    object.readRowOfFault()
    var failures: [ValidationError.Failure] = []
    object.findFailures(occasion, in: object.managedObjectContext?.editor, &failures)
    try ValidationError.throwIfAny(failures)
}

extension ManagedObject {
    /// The kind of save for which an object is validated.
    enum ValidationOccasion {
        case insertion, update, deletion
    }

    /// Finds the validation failures of the object: first those of the model's rules, then those of the class's own (5B
    /// step 3).
    func findFailures(
        _ occasion: ValidationOccasion,
        in editor: ObjectEditor?,
        _ failures: inout [ValidationError.Failure]
    ) {
        let rules = runtimeEntity.validation
        let known = failures.count
        let hook: ValidationHooks.Hook?
        switch occasion {
        case .insertion, .update:
            findViolations(rules, editor, &failures)
            if let property = rules.hooks.property { callHook(property, rules, &failures, known) }
            hook = occasion == .insertion ? rules.hooks.insert : rules.hooks.update
        case .deletion:
            findDenials(rules, editor, &failures)
            hook = rules.hooks.delete
        }
        // The values that the hook reads must be valid: the getter of a missing enumeration would trap.
        if let hook, failures.count == known { addFailures(to: &failures) { try hook(self) } }
    }

    /// Runs code of the program, and records the errors that it throws.
    func addFailures(
        to failures: inout [ValidationError.Failure],
        propertyName: String = "",
        _ body: () throws -> Void
    ) {
        do {
            try body()
        } catch let error as ValidationError {
            failures += error.failures
        } catch {
            failures.append(
                ValidationError.Failure(
                    .managedObjectValidation,
                    objectID,
                    propertyName: propertyName,
                    reason: "failed the validation of its class: \(text(of: error))",
                    underlyingError: error,
                    isThrownByHook: true
                )
            )
        }
    }

    /// Returns the localized description of an error, or else the text that Swift prints.
    private func text(of error: any Error) -> String {
        if let text = (error as? any LocalizedError)?.errorDescription { return text }
        return (error as NSError).userInfo[NSLocalizedDescriptionKey] as? String ?? "\(error)"
    }

    // MARK: Rules of the model

    private func findViolations(
        _ rules: ValidationRules,
        _ editor: ObjectEditor?,
        _ failures: inout [ValidationError.Failure]
    ) {
        // Most objects belong to entities without further rules.
        if rules.attributes.isEmpty, rules.relationships.isEmpty, !lacksValues(rules), !hasNaN(rules) { return }
        var found: [(field: Field, violation: AttributeRule.Violation)] = []
        let unset = changes?.unset ?? PropertyMask()
        if unset.intersects(rules.required) {
            for field in runtimeEntity.fields where rules.required.contains(field.index) && unset.contains(field.index)
            {
                found.append((field, ValidationRules.missing))
            }
        }
        let base = UnsafeRawPointer(fieldBase)
        var notNumbers = PropertyMask()
        for column in rules.columnsWithNaN where isNotANumber(column.kind, at: base + column.offset) {
            notNumbers.insert(column.index)
            found.append((runtimeEntity.fields[column.index], ValidationRules.notANumber(column.kind)))
        }
        for rule in rules.attributes {
            let field = rule.field
            // The field of a missing value may have any contents, and NaN is on neither side of a bound.
            guard !unset.contains(field.index), !notNumbers.contains(field.index),
                let value = attributeValue(field.kind, at: base + field.offset),
                let violation = rule.violation(by: value)
            else { continue }
            found.append((field, violation))
        }
        for rule in rules.relationships {
            guard let count = knownCount(of: rule.field, editor), let violation = rule.violation(byCount: count) else {
                continue
            }
            found.append((rule.field, violation))
        }
        if found.isEmpty { return }
        failures += found.ordered { $0.field.index < $1.field.index }.map {
            ValidationError.Failure(
                $0.violation.code,
                of: self,
                propertyName: $0.field.name,
                reason: $0.violation.reason
            )
        }
    }

    /// Returns a Boolean value that indicates whether an attribute that must have a value has no value.
    @inline(__always)
    func lacksValues(_ rules: ValidationRules) -> Bool {
        withChanges { $0.unset.intersects(rules.required) } ?? false
    }

    /// Returns a Boolean value that indicates whether a value is not a number.
    @inline(__always)
    private func hasNaN(_ rules: ValidationRules) -> Bool {
        let base = UnsafeRawPointer(fieldBase)
        return rules.columnsWithNaN.withUnsafeBufferPointer { columns in
            columns.contains { isNotANumber($0.kind, at: base + $0.offset) }
        }
    }

    /// Returns the number of objects of a relationship; `nil` for an unchanged to-many relationship, which need not be
    /// read.
    private func knownCount(of field: Field, _ editor: ObjectEditor?) -> Int? {
        if field.kind.base == .toOne { return toOneReference(field).pointee.key == 0 ? 0 : 1 }
        if let loaded = toManyReference(field).pointee.storage { return loaded.count }
        if version != 0, changes?.pendingToManyChanges(of: field.index) == nil { return nil }
        return editor?.countToMany(of: self, field: field.index) ?? 0
    }

    private func findDenials(
        _ rules: ValidationRules,
        _ editor: ObjectEditor?,
        _ failures: inout [ValidationError.Failure]
    ) {
        guard let editor else { return }
        // D4: it is not an error if the targets are deleted in the same save.
        for relationship in rules.denying
        where editor.targets(of: self, relationship).contains(where: {
            $0.state != .deleted && $0.state != .detached
        }) {
            failures.append(
                ValidationError.Failure(
                    .relationshipDeniedDelete,
                    of: self,
                    propertyName: relationship.description.name,
                    reason: ValidationRules.deniedDeletion
                )
            )
        }
    }

    // MARK: Rules of the class

    private func callHook(
        _ hook: ValidationHooks.PropertyHook,
        _ rules: ValidationRules,
        _ failures: inout [ValidationError.Failure],
        _ known: Int
    ) {
        let wrong = failures.dropFirst(known).map(\.propertyName)
        for property in rules.hookedProperties where isInMemory(property.field) {
            let prefix = property.name + "."
            if wrong.contains(where: { $0 == property.name || $0.hasPrefix(prefix) }) { continue }
            addFailures(to: &failures, propertyName: property.name) {
                try hook.validate(self, property.place, value(forKey: property.name))
            }
        }
    }

    /// Returns a Boolean value that indicates whether a property's value is available without reading more than the
    /// row.
    private func isInMemory(_ field: Field?) -> Bool {
        guard let field, field.kind.base == .toMany || field.kind.base == .external else { return true }
        return version == 0 || changes?.changed.contains(field.index) == true
    }
}
