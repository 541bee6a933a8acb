// A generated class is final, or its methods are, so an extension adopts a protocol instead of overriding a method:
//
//     extension Item: AwakeFromInsertHook {
//         func awakeFromInsert() { createdAt = .now }
//     }
//
// Every protocol has one required method, so that a misspelled method is an error. To override, set the entity's
// codegen to `category`; see `OverridableManagedObject`.
//
// The protocols refine `SendableMetatype`, so that a hook that is isolated to an actor is an error instead of being
// ignored where the object has another isolation. A search for a conformance that does not exist examines all
// conformances in the program; with the common protocol, a class without hooks needs one search instead of eleven.

/// The protocol that all hooks of managed objects refine.
///
/// It has no requirements; a class that conforms to a hook, such as ``WillSaveHook``, also conforms to this protocol.
public protocol ManagedObjectHook: ManagedObject, SendableMetatype {}

/// A hook that is called after an object is inserted into a context and has the default values of the model.
///
/// The values from the initializer's arguments are set after the hook.
public protocol AwakeFromInsertHook: ManagedObjectHook {
    /// A hook that is called once, after the object is inserted into its context.
    func awakeFromInsert()
}

/// A hook that is called after the row of an object is read.
public protocol AwakeFromFetchHook: ManagedObjectHook {
    /// A hook that is called each time a fault is filled, and when a fetch, or a merge of an inserted object, registers
    /// the object with the values of its row.
    ///
    /// Values that this method sets are not recorded as changes; use it to compute properties from other properties. Do
    /// not set relationships, because their inverses are not updated.
    func awakeFromFetch()
}

/// A hook that is called before an object's changes are validated and saved.
public protocol WillSaveHook: ManagedObjectHook {
    /// A hook that is called for inserted, updated and deleted objects, and again if a hook changed the object.
    ///
    /// Set a property only if its value differs: a hook that changes something in each call makes the save fail.
    func willSave()
}

/// A hook that is called after an object's changes are saved.
public protocol DidSaveHook: ManagedObjectHook {
    /// A hook that is called for inserted, updated and deleted objects, which have no unsaved changes at this time.
    ///
    /// For a deleted object, `isDeleted` is still `true`.
    func didSave()
}

/// A hook that is called before an object is deleted.
public protocol PrepareForDeletionHook: ManagedObjectHook {
    /// A hook that is called before delete rules are applied, even for objects that a Cascade rule deletes.
    func prepareForDeletion()
}

/// A hook that is called before an object becomes a fault and releases its values.
public protocol WillTurnIntoFaultHook: ManagedObjectHook {
    /// A hook that is called when a refresh, a merge or a rollback makes the object a fault, or when the context
    /// releases it because nothing else references it; a refresh that merges changes does not call it.
    ///
    /// The method is not called when the object is deleted, or when the context is reset or released.
    func willTurnIntoFault()
}

/// A hook that is called after an object has become a fault and has released its values.
public protocol DidTurnIntoFaultHook: ManagedObjectHook {
    /// A hook that is called after the object has become a fault, in the cases in which
    /// ``WillTurnIntoFaultHook/willTurnIntoFault()`` is called.
    func didTurnIntoFault()
}

/// The superclass of the generated classes of a hierarchy in which an entity has the codegen Category/Extension;
/// subclasses override Core Data's methods.
///
/// ```swift
/// final class Event: _Event {
///     override func awakeFromInsert() { createdAt = .now }
/// }
/// ```
open class OverridableManagedObject: ManagedObject {
    /// A hook that is called after the object is inserted into a context; see ``AwakeFromInsertHook``.
    open func awakeFromInsert() {}
    /// A hook that is called after the row of the object is read; see ``AwakeFromFetchHook``.
    open func awakeFromFetch() {}
    /// A hook that is called before the changes of the object are validated and saved; see ``WillSaveHook``.
    open func willSave() {}
    /// A hook that is called after the changes of the object are saved; see ``DidSaveHook``.
    open func didSave() {}
    /// A hook that is called before the object is deleted; see ``PrepareForDeletionHook``.
    open func prepareForDeletion() {}
    /// A hook that is called before the object becomes a fault; see ``WillTurnIntoFaultHook``.
    open func willTurnIntoFault() {}
    /// A hook that is called after the object has become a fault; see ``DidTurnIntoFaultHook``.
    open func didTurnIntoFault() {}

    /// Checks whether the object can be inserted; see ``ManagedObject/validateForInsert()``.
    ///
    /// An override must call `super` first; otherwise the validation rules of the model are not checked.
    /// - Throws: The error that a hook threw, if it is the only failure; otherwise ``ValidationError`` with all
    ///   failures. An override can throw any error.
    open override func validateForInsert() throws { try super.validateForInsert() }
    /// Checks whether the object's changes can be saved; see ``ManagedObject/validateForUpdate()``.
    ///
    /// An override must call `super` first; otherwise the validation rules of the model are not checked.
    /// - Throws: The error that a hook threw, if it is the only failure; otherwise ``ValidationError`` with all
    ///   failures. An override can throw any error.
    open override func validateForUpdate() throws { try super.validateForUpdate() }
    /// Checks whether the object can be deleted; see ``ManagedObject/validateForDelete()``.
    ///
    /// An override must call `super` first; otherwise the validation rules of the model are not checked.
    /// - Throws: The error that a hook threw, if it is the only failure; otherwise ``ValidationError`` with all
    ///   failures. An override can throw any error.
    open override func validateForDelete() throws { try super.validateForDelete() }
}

extension OverridableManagedObject: AwakeFromInsertHook, AwakeFromFetchHook, WillSaveHook, DidSaveHook,
    PrepareForDeletionHook,
    WillTurnIntoFaultHook, DidTurnIntoFaultHook
{}

/// The hooks of a class, looked up once per entity; a hook that the class does not have is `nil`.
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
        let hookClass = hookClass(of: objectClass)
        self.awakeFromInsert = (hookClass as? any AwakeFromInsertHook.Type).map { awakeFromInsert($0) }
        self.awakeFromFetch = (hookClass as? any AwakeFromFetchHook.Type).map { awakeFromFetch($0) }
        self.willSave = (hookClass as? any WillSaveHook.Type).map { willSave($0) }
        self.didSave = (hookClass as? any DidSaveHook.Type).map { didSave($0) }
        self.prepareForDeletion = (hookClass as? any PrepareForDeletionHook.Type).map { prepareForDeletion($0) }
        self.willTurnIntoFault = (hookClass as? any WillTurnIntoFaultHook.Type).map { willTurnIntoFault($0) }
        self.didTurnIntoFault = (hookClass as? any DidTurnIntoFaultHook.Type).map { didTurnIntoFault($0) }
    }
}

/// Returns a class of objects if it conforms to a hook protocol; otherwise, `nil`.
func hookClass(of objectClass: ManagedObject.Type) -> ManagedObject.Type? {
    objectClass is any ManagedObjectHook.Type ? objectClass : nil
}
