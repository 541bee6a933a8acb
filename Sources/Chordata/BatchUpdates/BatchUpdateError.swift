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
            "propertiesToUpdate of '\(entityName)' is empty; give properties values by setting(_:to:)"
        case .unknownProperty(let name, let entityName, let suggestion):
            "'\(entityName)' has no property '\(name)'" + (suggestion.map { "; did you mean '\($0)'?" } ?? "")
        case .notUpdatable(let name, let entityName, let reason):
            "'\(name)' of '\(entityName)' \(reason); set it on objects"
        case .unfittingValue(let name, let entityName, let typeName, let objectID):
            "'\(name)' of '\(entityName)' is \(typeName), and its new value\(place(objectID)) is of another type or out of range; "
                + (objectID == nil ? "give it another one" : "leave such rows out by the predicate")
        case .missingValue(let name, let entityName, let objectID):
            "'\(name)' of '\(entityName)' is required, and its new value\(place(objectID)) is nil; "
                + (objectID == nil ? "give it one" : "leave such rows out by the predicate")
        case .unknownDestination(let name, let entityName, let destinationEntityName):
            "'\(name)' of '\(entityName)' would reference an object that is not an object of '\(destinationEntityName)' in the store; "
                + "save the object first, its context and those above"
        case .notUnique(let names, let entityName):
            "values of \(names.map { "'\($0)'" }.joined(separator: " and ")) of '\(entityName)' must be unique, and would not be; "
                + "leave all rows but one out by the predicate"
        }
    }

    private func place(_ objectID: ManagedObjectID?) -> String { objectID.map { " in \($0)" } ?? "" }
}
