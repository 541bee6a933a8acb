// A generated class is final, or its methods are, so an extension adopts a protocol instead of overriding a method:
//
//     extension Item: AwakeFromInsertHook {
//         func awakeFromInsert() { createdAt = .now }
//     }
//
// Every protocol has one required method, so that a misspelled one is an error. They refine `SendableMetatype`, so that
// a hook that is isolated to an actor is an error instead of being left out where the object has another isolation. To
// override, set the entity's codegen to `category`; see `OverridableManagedObject`.

/// A hook that is called after an object was inserted into a context, with the defaults of the model set.
///
/// The arguments of the initializer are set afterwards.
public protocol AwakeFromInsertHook: ManagedObject, SendableMetatype {
    /// Called once in the life of an object.
    func awakeFromInsert()
}

/// A hook that is called after an object's row was read.
public protocol AwakeFromFetchHook: ManagedObject, SendableMetatype {
    /// Called each time the object has been a fault, or is new to its context.
    ///
    /// Setting properties here is no change: it is for what is computed from the others. Do not set relationships;
    /// their inverses would not follow.
    func awakeFromFetch()
}

/// A hook that is called before an object's changes are validated and saved.
public protocol WillSaveHook: ManagedObject, SendableMetatype {
    /// Called for inserted, updated and deleted objects; again when a hook changed the object.
    ///
    /// Test before you set a property: a hook that changes something each time makes the save fail.
    func willSave()
}

/// A hook that is called after an object's changes were saved.
public protocol DidSaveHook: ManagedObject, SendableMetatype {
    /// Called for inserted, updated and deleted objects, which then have no unsaved changes; a deleted one is still
    /// `isDeleted`.
    func didSave()
}

/// A hook that is called before an object is deleted.
public protocol PrepareForDeletionHook: ManagedObject, SendableMetatype {
    /// Called before delete rules are applied, for objects that a rule deletes too.
    func prepareForDeletion()
}

/// A hook that is called before an object releases its values.
public protocol WillTurnIntoFaultHook: ManagedObject, SendableMetatype {
    /// Called when the object becomes a fault: it is refreshed, or the context releases it because nothing else
    /// references it. Not called when it is deleted, and not when the context is reset or ends.
    func willTurnIntoFault()
}

/// A hook that is called after an object has released its values.
public protocol DidTurnIntoFaultHook: ManagedObject, SendableMetatype {
    /// Called after ``WillTurnIntoFaultHook/willTurnIntoFault()``, in the same cases.
    func didTurnIntoFault()
}

/// The superclass of generated classes whose subclasses override Core Data's methods: where an entity's codegen is
/// `category`.
///
/// ```swift
/// final class Event: _Event {
///     override func awakeFromInsert() { createdAt = .now }
/// }
/// ```
open class OverridableManagedObject: ManagedObject {
    /// See ``AwakeFromInsertHook``.
    open func awakeFromInsert() {}
    /// See ``AwakeFromFetchHook``.
    open func awakeFromFetch() {}
    /// See ``WillSaveHook``.
    open func willSave() {}
    /// See ``DidSaveHook``.
    open func didSave() {}
    /// See ``PrepareForDeletionHook``.
    open func prepareForDeletion() {}
    /// See ``WillTurnIntoFaultHook``.
    open func willTurnIntoFault() {}
    /// See ``DidTurnIntoFaultHook``.
    open func didTurnIntoFault() {}

    /// See ``ManagedObject/validateForInsert()``; an override calls this first, or the rules of the model are not
    /// checked.
    /// - Throws: The error of a hook as the hook has thrown it where that is the only failure, else ``ValidationError``
    ///   with all failures; an override may throw any error.
    open override func validateForInsert() throws { try super.validateForInsert() }
    /// See ``ManagedObject/validateForUpdate()``; an override calls this first, or the rules of the model are not
    /// checked.
    /// - Throws: The error of a hook as the hook has thrown it where that is the only failure, else ``ValidationError``
    ///   with all failures; an override may throw any error.
    open override func validateForUpdate() throws { try super.validateForUpdate() }
    /// See ``ManagedObject/validateForDelete()``; an override calls this first, or the rules of the model are not
    /// checked.
    /// - Throws: The error of a hook as the hook has thrown it where that is the only failure, else ``ValidationError``
    ///   with all failures; an override may throw any error.
    open override func validateForDelete() throws { try super.validateForDelete() }
}

extension OverridableManagedObject: AwakeFromInsertHook, AwakeFromFetchHook, WillSaveHook, DidSaveHook,
    PrepareForDeletionHook,
    WillTurnIntoFaultHook, DidTurnIntoFaultHook
{}

/// The hooks of a class, looked up once per entity; `nil` where it has none.
struct LifecycleHooks: Sendable {
    typealias Hook = @Sendable (ManagedObject) -> Void

    let awakeFromInsert: Hook?
    let awakeFromFetch: Hook?
    let willSave: Hook?
    let didSave: Hook?
    let prepareForDeletion: Hook?
    let willTurnIntoFault: Hook?
    let didTurnIntoFault: Hook?

    /// A Boolean value that indicates whether an object that becomes a fault has a hook for it.
    var turnsIntoFault: Bool { willTurnIntoFault != nil || didTurnIntoFault != nil }

    init(of objectClass: ManagedObject.Type) {
        func awakeFromInsert<Object: AwakeFromInsertHook>(_: Object.Type) -> Hook {
            { unsafeDowncast($0, to: Object.self).awakeFromInsert() }
        }
        func awakeFromFetch<Object: AwakeFromFetchHook>(_: Object.Type) -> Hook {
            { unsafeDowncast($0, to: Object.self).awakeFromFetch() }
        }
        func willSave<Object: WillSaveHook>(_: Object.Type) -> Hook {
            { unsafeDowncast($0, to: Object.self).willSave() }
        }
        func didSave<Object: DidSaveHook>(_: Object.Type) -> Hook {
            { unsafeDowncast($0, to: Object.self).didSave() }
        }
        func prepareForDeletion<Object: PrepareForDeletionHook>(_: Object.Type) -> Hook {
            { unsafeDowncast($0, to: Object.self).prepareForDeletion() }
        }
        func willTurnIntoFault<Object: WillTurnIntoFaultHook>(_: Object.Type) -> Hook {
            { unsafeDowncast($0, to: Object.self).willTurnIntoFault() }
        }
        func didTurnIntoFault<Object: DidTurnIntoFaultHook>(_: Object.Type) -> Hook {
            { unsafeDowncast($0, to: Object.self).didTurnIntoFault() }
        }
        self.awakeFromInsert = (objectClass as? any AwakeFromInsertHook.Type).map { awakeFromInsert($0) }
        self.awakeFromFetch = (objectClass as? any AwakeFromFetchHook.Type).map { awakeFromFetch($0) }
        self.willSave = (objectClass as? any WillSaveHook.Type).map { willSave($0) }
        self.didSave = (objectClass as? any DidSaveHook.Type).map { didSave($0) }
        self.prepareForDeletion = (objectClass as? any PrepareForDeletionHook.Type).map { prepareForDeletion($0) }
        self.willTurnIntoFault = (objectClass as? any WillTurnIntoFaultHook.Type).map { willTurnIntoFault($0) }
        self.didTurnIntoFault = (objectClass as? any DidTurnIntoFaultHook.Type).map { didTurnIntoFault($0) }
    }
}
