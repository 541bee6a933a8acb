// Validation rules of a class in addition to those of the model. They are hooks like those of `LifecycleHooks`, and so
// have names of their own: Core Data's `validateForInsert()` can be called on any object, and an extension cannot
// override it.

/// A hook that validates values of properties, like Core Data's `validate<Key>:error:` methods.
///
/// ```swift
/// extension Item: ValidatePropertyHook {
///     func validateProperty(_ key: PropertyKey, value: Any?) throws {
///         switch key {
///         case .name where (value as? String)?.hasPrefix(" ") == true: throw ItemError.spaceInFront
///         default: break
///         }
///     }
/// }
/// ```
public protocol ValidatePropertyHook: ManagedObjectHook {
    /// The generated enumeration of the class's properties.
    associatedtype PropertyKey: PropertyKeyEnumeration

    /// Validates a value for a property; throws an error if the value is not valid.
    ///
    /// The hook is called by ``ManagedObject/validateValue(_:forKey:)``, and by a save for inserted and updated
    /// objects. It is called for each property whose value satisfies the model's validation rules, changed or not.
    /// Saves skip derived attributes and, if the object was saved before, unchanged to-many relationships and unchanged
    /// externally stored attributes.
    /// - Parameters:
    ///   - key: The property.
    ///   - value: The value, in the form that ``ManagedObject/value(forKey:)`` returns. Other properties can still be
    ///     invalid or missing; validate combinations of properties in ``ValidateInsertHook`` and
    ///     ``ValidateUpdateHook``.
    /// - Throws: Any error, when the value is not valid. A save throws it unchanged if it is the only failure;
    ///   otherwise it is one of the failures of a ``ValidationError``.
    func validateProperty(_ key: PropertyKey, value: Any?) throws
}

/// A hook that validates an object before its insertion is saved.
public protocol ValidateInsertHook: ManagedObjectHook {
    /// Validates the object before it is inserted; throws an error if it is not valid.
    ///
    /// The hook is called by ``ManagedObject/validateForInsert()``, and so by saves, if all properties are valid.
    /// - Throws: Any error, when the object is not valid. A save throws it unchanged if it is the only failure;
    ///   otherwise it is one of the failures of a ``ValidationError``.
    func validateInsert() throws
}

/// A hook that validates an object before its changes are saved.
public protocol ValidateUpdateHook: ManagedObjectHook {
    /// Validates the object before its changes are saved; throws an error if it is not valid.
    ///
    /// The hook is called by ``ManagedObject/validateForUpdate()``, and so by saves, if all properties are valid.
    /// - Throws: Any error, when the object is not valid. A save throws it unchanged if it is the only failure;
    ///   otherwise it is one of the failures of a ``ValidationError``.
    func validateUpdate() throws
}

/// A hook that validates the deletion of an object.
public protocol ValidateDeleteHook: ManagedObjectHook {
    /// Validates the deletion of the object; throws an error if the object must not be deleted.
    ///
    /// The hook is called by ``ManagedObject/validateForDelete()``, and so by saves, if no relationship denies the
    /// deletion.
    /// - Throws: Any error, when the object must not be deleted. A save throws it unchanged if it is the only failure;
    ///   otherwise it is one of the failures of a ``ValidationError``.
    func validateDelete() throws
}

/// The validation hooks of a class, looked up once per entity; `nil` if the class does not have a hook.
struct ValidationHooks: Sendable {
    typealias Hook = @Sendable (ManagedObject) throws -> Void

    /// A hook for properties, and the names of the properties that it validates.
    struct PropertyHook: Sendable {
        let names: [String]
        /// Validates a property; the second argument is the index of its name in ``names``.
        let validate: @Sendable (ManagedObject, Int, Any?) throws -> Void
    }

    let property: PropertyHook?
    let insert: Hook?
    let update: Hook?
    let delete: Hook?

    init(of objectClass: ManagedObject.Type) {
        func property<Object: ValidatePropertyHook>(_: Object.Type) -> PropertyHook {
            let keys = Array(Object.PropertyKey.allCases)
            return PropertyHook(names: keys.map(\.name)) { object, place, value in
                try unsafeDowncast(object, to: Object.self).validateProperty(keys[place], value: value)
            }
        }
        func insert<Object: ValidateInsertHook>(_: Object.Type) -> Hook {
            { try unsafeDowncast($0, to: Object.self).validateInsert() }
        }
        func update<Object: ValidateUpdateHook>(_: Object.Type) -> Hook {
            { try unsafeDowncast($0, to: Object.self).validateUpdate() }
        }
        func delete<Object: ValidateDeleteHook>(_: Object.Type) -> Hook {
            { try unsafeDowncast($0, to: Object.self).validateDelete() }
        }
        let hookClass = hookClass(of: objectClass)
        self.property = (hookClass as? any ValidatePropertyHook.Type).map { property($0) }
        self.insert = (hookClass as? any ValidateInsertHook.Type).map { insert($0) }
        self.update = (hookClass as? any ValidateUpdateHook.Type).map { update($0) }
        self.delete = (hookClass as? any ValidateDeleteHook.Type).map { delete($0) }
    }
}
