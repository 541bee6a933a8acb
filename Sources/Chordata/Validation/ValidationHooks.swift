// What a class has to say beside the model: hooks in the manner of `LifecycleHooks`, which is also why they have names
// of their own. Core Data's `validateForInsert()` can be called on any object, and an extension cannot override it.

/// A hook that validates values of a property: Core Data's `validate<Key>`.
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
public protocol ValidatePropertyHook: ManagedObject, SendableMetatype {
    /// The names of the properties: the generated enumeration.
    associatedtype PropertyKey: PropertyKeyEnumeration

    /// Throws if a value is wrong for a property.
    ///
    /// Called by ``ManagedObject/validateValue(_:forKey:)``, and for inserted and updated objects by saves, for each
    /// property whose value the model allows. Saves leave out derived attributes, and to-manys and bytes in external
    /// storage that did not change.
    /// - Parameters:
    ///   - key: The property.
    ///   - value: The value as ``ManagedObject/value(forKey:)`` gives it. Other properties may still be wrong or
    ///     missing, so rules that relate some to others are for ``ValidateInsertHook`` and ``ValidateUpdateHook``.
    /// - Throws: Any error, when the value is wrong. A save throws it unchanged where it is the only failure; otherwise
    ///   it is one of the failures of a ``ValidationError``.
    func validateProperty(_ key: PropertyKey, value: Any?) throws
}

/// A hook that validates an object before its insertion is saved.
public protocol ValidateInsertHook: ManagedObject, SendableMetatype {
    /// Throws if the object as it is may not be inserted.
    ///
    /// Called by ``ManagedObject/validateForInsert()``, which saves call, when all properties are right.
    /// - Throws: Any error, when the object may not be inserted. A save throws it unchanged where it is the only
    ///   failure; otherwise it is one of the failures of a ``ValidationError``.
    func validateInsert() throws
}

/// A hook that validates an object before its changes are saved.
public protocol ValidateUpdateHook: ManagedObject, SendableMetatype {
    /// Throws if the object as it is may not be saved.
    ///
    /// Called by ``ManagedObject/validateForUpdate()``, which saves call, when all properties are right.
    /// - Throws: Any error, when the object may not be saved. A save throws it unchanged where it is the only failure;
    ///   otherwise it is one of the failures of a ``ValidationError``.
    func validateUpdate() throws
}

/// A hook that validates the deletion of an object.
public protocol ValidateDeleteHook: ManagedObject, SendableMetatype {
    /// Throws if the object may not be deleted.
    ///
    /// Called by ``ManagedObject/validateForDelete()``, which saves call, when no relationship denies it.
    /// - Throws: Any error, when the object may not be deleted. A save throws it unchanged where it is the only
    ///   failure; otherwise it is one of the failures of a ``ValidationError``.
    func validateDelete() throws
}

/// The hooks of a class that validate, looked up once per entity; `nil` where it has none.
struct ValidationHooks: Sendable {
    typealias Hook = @Sendable (ManagedObject) throws -> Void

    /// A hook for properties, and the names of those that it knows.
    struct PropertyHook: Sendable {
        let names: [String]
        /// Takes the place of a name.
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
        self.property = (objectClass as? any ValidatePropertyHook.Type).map { property($0) }
        self.insert = (objectClass as? any ValidateInsertHook.Type).map { insert($0) }
        self.update = (objectClass as? any ValidateUpdateHook.Type).map { update($0) }
        self.delete = (objectClass as? any ValidateDeleteHook.Type).map { delete($0) }
    }
}
