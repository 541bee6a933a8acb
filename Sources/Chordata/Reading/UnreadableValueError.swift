#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// An error for a stored value that does not have its attribute's type, because another program wrote it.
///
/// Throwing functions that read rows throw it, such as fetches, prefetches and
/// ``ManagedObjectContext/existingObject(with:)-(ManagedObjectID)``. A property access that fires a fault cannot throw;
/// the property is then `nil`, or zero if it is required, and the row keeps the stored value until the property is set
/// and saved.
public struct UnreadableValueError: Error, Sendable, Hashable {
    /// The object ID of the row.
    public let objectID: ManagedObjectID
    /// The name of the attribute or to-one relationship; for an element of a composite attribute, a path such as
    /// `address.city`.
    public let attributeName: String
    /// The type of the attribute in the model.
    let typeName: String

    init(objectID: ManagedObjectID, field: Field) {
        self.init(
            objectID: objectID,
            attributeName: field.name,
            typeName: field.attribute?.attributeType.rawValue ?? "a row key"
        )
    }

    init(objectID: ManagedObjectID, attributeName: String, typeName: String) {
        self.objectID = objectID
        self.attributeName = attributeName
        self.typeName = typeName
    }
}

extension UnreadableValueError: CustomStringConvertible, LocalizedError {
    /// The description of the error, which `localizedDescription` returns.
    public var errorDescription: String? { description }

    /// A textual description of the error.
    public var description: String {
        "the value of '\(attributeName)' of '\(objectID.entityName)' (\(objectID)) cannot be read as \(typeName); "
            + "it was written by another program; correct it with that program, or set the property and save"
    }
}
