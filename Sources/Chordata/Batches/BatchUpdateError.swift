#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Why a batch update cannot be run; nothing was updated.
public enum BatchUpdateError: Error, Sendable, Hashable {
    /// No property is given a value.
    case nothingToUpdate(entityName: String)
    /// The entity has no property of that name; one that it has, if a name is near.
    case unknownProperty(String, entityName: String, suggestion: String?)
    /// A property has more to it than a value in its own row.
    case notUpdatable(String, entityName: String, reason: String)
    /// A value is none of the property's type, or out of its range; of which object, if it was computed.
    case unfittingValue(String, entityName: String, typeName: String, objectID: ManagedObjectID?)
    /// A required property would have no value; of which object, if it was computed.
    case missingValue(String, entityName: String, objectID: ManagedObjectID?)
    /// A relationship would lead to what is not in the store, or is no object of its destination.
    case unknownDestination(String, entityName: String, destinationEntityName: String)
    /// Values that must be unique would not be: of which properties together, or, where several constraints have to do with the update,
    /// of which by each of them.
    case notUnique([[String]], entityName: String)
}

extension BatchUpdateError: CustomStringConvertible, LocalizedError {
    /// The whole in words, for `localizedDescription`.
    public var errorDescription: String? { description }

    /// The whole in words.
    public var description: String { "nothing was updated: " + reason }

    private var reason: String {
        switch self {
        case .nothingToUpdate(let entityName):
            "propertiesToUpdate of '\(entityName)' is empty"
        case .unknownProperty(let name, let entityName, let suggestion):
            "'\(entityName)' has no property '\(name)'" + (suggestion.map { "; did you mean '\($0)'?" } ?? "")
        case .notUpdatable(let name, let entityName, let reason):
            "'\(name)' of '\(entityName)' \(reason); set it on objects"
        case .unfittingValue(let name, let entityName, let typeName, let objectID):
            "'\(name)' of '\(entityName)' is \(typeName), and its new value\(place(objectID)) is none or out of its range"
        case .missingValue(let name, let entityName, let objectID):
            "'\(name)' of '\(entityName)' is required, and its new value\(place(objectID)) is nil"
        case .unknownDestination(let name, let entityName, let destinationEntityName):
            "'\(name)' of '\(entityName)' would lead to what is no object of '\(destinationEntityName)' in the store; save the object first"
        case .notUnique(let constraints, let entityName):
            "values of \(text(of: constraints)) of '\(entityName)' must be unique, and would not be"
        }
    }

    private func text(of constraints: [[String]]) -> String {
        constraints.map { names in names.map { "'\($0)'" }.joined(separator: " and ") }.joined(separator: ", or of ")
    }

    private func place(_ objectID: ManagedObjectID?) -> String { objectID.map { " in \($0)" } ?? "" }
}
