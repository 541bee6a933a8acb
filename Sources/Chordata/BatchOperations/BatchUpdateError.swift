#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// An error in a batch update; nothing was updated.
public enum BatchUpdateError: Error, Sendable, Hashable {
    /// The request sets no property.
    case nothingToUpdate(entityName: String)
    /// The entity has no property with that name; the suggestion is a property with a similar name, or `nil`.
    case unknownProperty(String, entityName: String, suggestion: String?)
    /// A batch update cannot set the property, because this requires more than a new value in its row; see the reason.
    case notUpdatable(String, entityName: String, reason: String)
    /// A value does not have the property's type or is out of its range; the object ID is set if the value was
    /// computed.
    case invalidValue(String, entityName: String, typeName: String, objectID: ManagedObjectID?)
    /// A required property would have no value; the object ID is set if the value was computed.
    case missingValue(String, entityName: String, objectID: ManagedObjectID?)
    /// A relationship would reference an object that is not in the store or not of the destination entity.
    case unknownDestination(String, entityName: String, destinationEntityName: String)
    /// The update would violate a uniqueness constraint on these properties.
    case notUnique([String], entityName: String)
}

extension BatchUpdateError: CustomStringConvertible, LocalizedError {
    /// The description of the error, which `localizedDescription` returns.
    public var errorDescription: String? { description }

    /// A textual description of the error.
    public var description: String { "nothing was updated: " + reason }

    private var reason: String {
        switch self {
        case .nothingToUpdate(let entityName):
            "propertiesToUpdate of '\(entityName)' is empty; add values with setting(_:to:)"
        case .unknownProperty(let name, let entityName, let suggestion):
            "'\(entityName)' has no property '\(name)'" + (suggestion.map { "; did you mean '\($0)'?" } ?? "")
        case .notUpdatable(let name, let entityName, let reason):
            "'\(name)' of '\(entityName)' \(reason); fetch the objects instead, set the property of each one, and save; if the property itself is derived, set the properties from which it is computed"
        case .invalidValue(let name, let entityName, let typeName, let objectID):
            "'\(name)' of '\(entityName)' has type \(typeName), but its new value\(place(objectID)) has another type "
                + "or is out of range; "
                + (objectID == nil ? "set another value" : "exclude such rows with the predicate")
        case .missingValue(let name, let entityName, let objectID):
            "'\(name)' of '\(entityName)' is required, but its new value\(place(objectID)) is nil; "
                + (objectID == nil ? "set a value" : "exclude such rows with the predicate")
        case .unknownDestination(let name, let entityName, let destinationEntityName):
            "the new value of '\(name)' of '\(entityName)' is not an object of '\(destinationEntityName)' that has a row in the store; set another object or, if this object was never saved, "
                + "save its context and the parent contexts of that context first"
        case .notUnique(let names, let entityName):
            "the update would give several rows of '\(entityName)' equal values of "
                + names.map { "'\($0)'" }.joined(separator: " and ")
                + ", which a uniqueness constraint does not allow; set values that no other row has, and limit the predicate to one row"
        }
    }

    private func place(_ objectID: ManagedObjectID?) -> String { objectID.map { " in \($0)" } ?? "" }
}
