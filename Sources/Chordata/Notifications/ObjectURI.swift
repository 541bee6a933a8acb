#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The parts of a URI of the form `x-coredata://<store>/<Entity>/p<n>`.
struct ObjectURI: Hashable {
    let storeUUID: UUID
    let entityName: String
    let key: Int64

    /// Creates the parts of a URI; `nil` if the text has another form.
    init?(_ text: String) {
        let scheme = "x-coredata://"
        guard text.hasPrefix(scheme) else { return nil }
        let parts = text.dropFirst(scheme.count).split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 3, let storeUUID = UUID(uuidString: String(parts[0])), !parts[1].isEmpty,
            parts[2].first == "p", parts[2].dropFirst().allSatisfy({ $0.isASCII && $0.isNumber }),
            let key = Int64(parts[2].dropFirst()), key > 0
        else { return nil }
        self.storeUUID = storeUUID
        entityName = String(parts[1])
        self.key = key
    }
}

extension PersistentStoreCoordinator {
    /// Returns the object ID for a URI from ``ManagedObjectID/uriRepresentation``.
    ///
    /// The existence of the row is not checked.
    /// - Parameter text: A URI of the form `x-coredata://<store>/<Entity>/p<n>`.
    /// - Returns: The object ID; `nil` when the text does not have this form, when it names a store that the
    ///   coordinator does not have, or an entity that the model or this store does not have.
    public func managedObjectID(forURIRepresentation text: String) -> ManagedObjectID? {
        guard let uri = ObjectURI(text), persistentStores.contains(where: { $0.identifier == uri.storeUUID }),
            let type = schema?.runtimeEntity(named: uri.entityName),
            type.storeUUID(ofKey: uri.key) == uri.storeUUID
        else { return nil }
        return ManagedObjectID(runtimeEntity: type, key: uri.key)
    }

    /// Returns the object ID for a URI that is passed as a `URL`; see
    /// ``managedObjectID(forURIRepresentation:)-(String)``.
    /// - Returns: The object ID; `nil` when the URL is not the URI of an object in a store of the coordinator.
    public func managedObjectID(forURIRepresentation url: URL) -> ManagedObjectID? {
        managedObjectID(forURIRepresentation: url.absoluteString)
    }
}
