#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// An error for an object ID that has no row of its entity in the store.
public struct MissingObjectError: Error, Sendable, Hashable {
    /// The object ID.
    public let objectID: ManagedObjectID
}

extension MissingObjectError: CustomStringConvertible, LocalizedError {
    /// The description of the error, which `localizedDescription` returns.
    public var errorDescription: String? { description }

    /// A textual description of the error.
    public var description: String {
        "there is no row of \(objectID); the object was deleted, was never saved, or is of another entity (133000)"
    }
}
