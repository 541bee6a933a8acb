/// An error of ``ManagedObjectContext/assign(_:to:)``.
public enum StoreAssignmentError: Error, Sendable, Hashable {
    /// The object is not an object that was inserted into the context and is not saved yet.
    case notInserted(entityName: String)
    /// The store is not a store of the context's coordinator.
    case unknownStore(path: String)
    /// The configuration of the store does not contain the entity of the object.
    case entityNotInConfiguration(entityName: String, configurationName: String)
    /// The context is a child context: its saves change its parent, not a store.
    case childContext
}

extension StoreAssignmentError: CustomStringConvertible {
    /// A description of the error and its remedy.
    public var description: String {
        switch self {
        case .notInserted(let entityName):
            "an object of '\(entityName)' is not an inserted object of this context, so it cannot be assigned to a "
                + "store; assign an object before it is saved for the first time; if it is already saved, insert a new object, "
                + "copy the values to it, and assign the new object"
        case .unknownStore(let path):
            "the store '\(path)' is not a store of the context's coordinator; pass an element of its persistentStores"
        case .entityNotInConfiguration(let entityName, let configurationName):
            "entity '\(entityName)' is not in configuration '\(configurationName)', with which the store was opened; add it "
                + "to the configuration, or assign the object to another store"
        case .childContext:
            "a child context saves to its parent; save the child context, then assign the object of the parent context "
                + "before the parent context is saved"
        }
    }
}
