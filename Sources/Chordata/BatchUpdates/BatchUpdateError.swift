#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// An error in a batch update; nothing was updated.
public enum BatchUpdateError: Error, Sendable, Hashable {
    /// No property is given a value.
    case nothingToUpdate(entityName: String)
    /// The entity has no property of that name; one that it has, if a name is near.
    case unknownProperty(String, entityName: String, suggestion: String?)
    /// A property has more to it than a value in its own row.
    case notUpdatable(String, entityName: String, reason: String)
    /// A value has not the property's type, or is out of its range; with the object, if it was computed.
    case unfittingValue(String, entityName: String, typeName: String, objectID: ManagedObjectID?)
    /// A required property would have no value; of which object, if it was computed.
    case missingValue(String, entityName: String, objectID: ManagedObjectID?)
    /// A relationship would reference an object that is not in the store, or is not of its destination.
    case unknownDestination(String, entityName: String, destinationEntityName: String)
    /// Values of some properties together must be unique, and would not be.
    case notUnique([String], entityName: String)
}

extension BatchUpdateError: CustomStringConvertible, LocalizedError {
    /// The whole in words, for `localizedDescription`.
    public var errorDescription: String? { description }

    /// The whole in words.
    public var description: String { "nothing was updated: " + reason }

    private var reason: String {
        switch self {
        case .nothingToUpdate(let entityName):
            "propertiesToUpdate of '\(entityName)' is empty; add values with setting(_:to:)"
        case .unknownProperty(let name, let entityName, let suggestion):
            "'\(entityName)' has no property '\(name)'" + (suggestion.map { "; did you mean '\($0)'?" } ?? "")
        case .notUpdatable(let name, let entityName, let reason):
            "'\(name)' of '\(entityName)' \(reason); set it on objects"
        case .unfittingValue(let name, let entityName, let typeName, let objectID):
            "'\(name)' of '\(entityName)' has type \(typeName), but its new value\(place(objectID)) has another type "
                + "or is out of range; "
                + (objectID == nil ? "set another value" : "exclude such rows with the predicate")
        case .missingValue(let name, let entityName, let objectID):
            "'\(name)' of '\(entityName)' is required, but its new value\(place(objectID)) is nil; "
                + (objectID == nil ? "set a value" : "exclude such rows with the predicate")
        case .unknownDestination(let name, let entityName, let destinationEntityName):
            "the new value of '\(name)' of '\(entityName)' is an object that has no row of '\(destinationEntityName)' in the store; "
                + "save the object's context and its parent contexts first"
        case .notUnique(let names, let entityName):
            "values of \(names.map { "'\($0)'" }.joined(separator: " and ")) of '\(entityName)' must be unique, but "
                + "the update would duplicate them; limit the predicate to one row"
        }
    }

    private func place(_ objectID: ManagedObjectID?) -> String { objectID.map { " in \($0)" } ?? "" }
}
