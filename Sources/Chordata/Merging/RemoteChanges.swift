#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Changes that a caller passes in Core Data's form, parsed but not yet resolved for a store (H2).
struct RemoteChanges {
    private var inserted: [ObjectReference] = []
    private var updated: [ObjectReference] = []
    private var deleted: [ObjectReference] = []
    private var invalidatesAll: Bool

    init(_ changes: [AnyHashable: Any]) throws(RemoteChangesError) {
        invalidatesAll = changes[ManagedObjectContext.NotificationKey.invalidatedAllObjects.rawValue] != nil
        for key in ManagedObjectContext.NotificationKey.allCases {
            guard let value = changes[key.rawValue] else { continue }
            switch key {
            case .insertedObjects, .insertedObjectIDs: inserted += try references(in: value, key)
            case .updatedObjects, .updatedObjectIDs, .refreshedObjects, .refreshedObjectIDs, .invalidatedObjects,
                .invalidatedObjectIDs:
                updated += try references(in: value, key)
            case .deletedObjects, .deletedObjectIDs: deleted += try references(in: value, key)
            case .invalidatedAllObjects: continue
            }
        }
    }

    /// Returns the changes of the rows of one store.
    func changes(in store: PersistentStore) throws(RemoteChangesError) -> ObjectIDChanges {
        func ids(_ references: [ObjectReference]) throws(RemoteChangesError) -> Set<ManagedObjectID> {
            var ids: Set<ManagedObjectID> = []
            for reference in references {
                switch reference {
                case .id(let id): ids.insert(id)
                case .uri(let uri):
                    guard store.contains(uri.storeUUID) else { continue }
                    guard let type = store.schema.runtimeEntity(named: uri.entityName) else {
                        throw RemoteChangesError(reason: .unknownEntity(name: uri.entityName))
                    }
                    guard type.storeUUID(ofKey: uri.key) == uri.storeUUID else { continue }
                    ids.insert(ManagedObjectID(runtimeEntity: type, key: uri.key))
                }
            }
            return ids
        }
        return ObjectIDChanges(
            inserted: try ids(inserted),
            updated: try ids(updated),
            deleted: try ids(deleted),
            invalidatesAll: invalidatesAll
        )
    }
}

private enum ObjectReference {
    case id(ManagedObjectID)
    case uri(ObjectURI)
}

private func references(in value: Any, _ key: ManagedObjectContext.NotificationKey) throws(RemoteChangesError)
    -> [ObjectReference]
{
    // A string is a collection too, of characters.
    guard !(value is String), let elements = value as? any Collection else {
        throw RemoteChangesError(reason: .notACollection(key: key.rawValue))
    }
    var references: [ObjectReference] = []
    for element in elements.map({ $0 as Any }) {
        switch element {
        case let id as ManagedObjectID: references.append(.id(id))
        case let object as ManagedObject: references.append(.id(object.objectID))
        case let url as URL: references.append(.uri(try uri(url.absoluteString, key)))
        case let text as String: references.append(.uri(try uri(text, key)))
        default: throw RemoteChangesError(reason: .notAnIdentity(key: key.rawValue))
        }
    }
    return references
}

private func uri(_ text: String, _ key: ManagedObjectContext.NotificationKey) throws(RemoteChangesError) -> ObjectURI {
    guard let uri = ObjectURI(text) else { throw RemoteChangesError(reason: .notAnIdentity(key: key.rawValue)) }
    return uri
}

/// An error for an invalid argument of ``ManagedObjectContext/mergeChanges(fromRemoteContextSave:into:)``.
public struct RemoteChangesError: Error, Sendable, Hashable {
    enum Reason: Sendable, Hashable {
        case notACollection(key: String)
        case notAnIdentity(key: String)
        case unknownEntity(name: String)
    }

    let reason: Reason
}

extension RemoteChangesError: CustomStringConvertible, LocalizedError {
    /// The description of the error, which `localizedDescription` returns.
    public var errorDescription: String? { description }

    /// A textual description of the error.
    public var description: String {
        switch reason {
        case .notACollection(let key):
            "the value of '\(key)' is not a collection of objects, object IDs or URIs of objects; pass an array or a set of these"
        case .notAnIdentity(let key):
            "the value of '\(key)' has an element that is neither an object, an object ID nor a URI of the form x-coredata://<store>/<Entity>/p<n>; pass only these"
        case .unknownEntity(let name):
            "an object of entity '\(name)' was reported as changed, but the model has no such entity; use the same model as the program that made the change, or leave the object out"
        }
    }
}
