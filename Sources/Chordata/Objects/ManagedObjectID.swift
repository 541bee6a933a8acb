internal import ChordataModel

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The identifier of a managed object, which is Sendable, never reused, and permanent unless it is a temporary ID.
public struct ManagedObjectID: Sendable {
    @usableFromInline let runtimeEntity: RuntimeEntity
    /// The row key: an integer that is unique in the store.
    public let key: Int64

    @usableFromInline @inline(__always)
    package init(runtimeEntity: RuntimeEntity, key: Int64) {
        self.runtimeEntity = runtimeEntity
        self.key = key
    }

    /// The current key of the object: a save replaces a provisional key.
    var permanentKey: Int64 { runtimeEntity.provisionalKeys.permanentKey(for: key) }
    /// The identifier of the store that has the object.
    var storeIdentifier: UUID { runtimeEntity.storeUUID(ofKey: permanentKey) }
    /// The ID with the current key of the object.
    var permanentID: ManagedObjectID { ManagedObjectID(runtimeEntity: runtimeEntity, key: permanentKey) }

    /// The name of the object's entity, or of a superentity if the row has not been read yet.
    public var entityName: String { runtimeEntity.entity.name }

    /// A Boolean value that indicates whether the object ID is temporary.
    ///
    /// The store usually assigns a permanent ID when an object is inserted. An object has a temporary ID if it was not
    /// inserted into a context. It can also have one if it was inserted while another context or process was writing,
    /// or if the store cannot be written, until it is saved or passed to
    /// ``ManagedObjectContext/obtainPermanentIDs(for:)``. From then on, the property is `false` also for the ID that
    /// the object had before, although that ID does not equal the permanent ID.
    public var isTemporaryID: Bool { key <= 0 || permanentKey > PersistentStore.firstProvisionalKey }

    /// A URI of the form `x-coredata://<store>/<Entity>/p<n>` that represents the object ID.
    public var uriRepresentation: String { "x-coredata://\(storeIdentifier.uuidString)/\(entityName)/p\(permanentKey)" }
}

extension ManagedObjectID: Hashable {
    /// Returns a Boolean value that indicates whether two object IDs have the same [row key](doc:Glossary#Store) in the
    /// same store; a temporary ID does not equal the permanent ID that replaces it.
    public static func == (left: ManagedObjectID, right: ManagedObjectID) -> Bool {
        left.key == right.key
            && (left.runtimeEntity === right.runtimeEntity
                || left.runtimeEntity.entity.rootEntityName == right.runtimeEntity.entity.rootEntityName
                    && left.storeIdentifier == right.storeIdentifier)
    }

    /// Hashes the row key.
    public func hash(into hasher: inout Hasher) { hasher.combine(key) }
}

extension ManagedObjectID: Codable {
    /// Always throws, because an object ID belongs to an open store.
    ///
    /// The initializer exists because `#Predicate` requires that captured values are Codable; it never decodes them.
    /// - Throws: `DecodingError`, always.
    public init(from decoder: any Decoder) throws {
        throw DecodingError.dataCorrupted(
            DecodingError.Context(
                codingPath: decoder.codingPath,
                debugDescription:
                    "an object ID cannot be decoded, because a decoder has no store to which the object ID could belong; decode the URI, and call managedObjectID(forURIRepresentation:)"
            )
        )
    }

    /// Encodes the ``uriRepresentation`` of the object ID.
    /// - Throws: Any error that the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(uriRepresentation)
    }
}

extension ManagedObjectID: CustomStringConvertible {
    /// A textual description of the object ID, which is its ``uriRepresentation``.
    public var description: String { uriRepresentation }
}
