internal import ChordataModel

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The identity of an object: never reused, safe to pass anywhere, and permanent unless it is a temporary ID.
public struct ManagedObjectID: Sendable {
    @usableFromInline let entityType: EntityType
    /// The object's number, unique in its store.
    public let key: Int64

    @usableFromInline @inline(__always)
    init(entityType: EntityType, key: Int64) {
        self.entityType = entityType
        self.key = key
    }

    /// The key that the object has now: a save replaces a provisional one.
    var permanentKey: Int64 { entityType.firstProvisionalKey.permanentKey(for: key) }
    /// The ID with the key that the object has now.
    var permanentID: ManagedObjectID { ManagedObjectID(entityType: entityType, key: permanentKey) }

    /// The name of the object's entity, or of one it inherits from when the row has not been read yet.
    public var entityName: String { entityType.entity.name }

    /// A Boolean value that indicates whether the store has not given the object a number yet.
    ///
    /// As a rule it has as soon as an object is inserted. An object that was not inserted into a context has a
    /// temporary ID, and so has one that was inserted while another process was writing, until it is saved or given to
    /// ``ManagedObjectContext/obtainPermanentIDs(for:)``.
    public var isTemporaryID: Bool { key <= 0 || permanentKey > PersistentStore.firstProvisionalKey }

    /// `x-coredata://<store>/<Entity>/p<n>`.
    public var uriRepresentation: String { "x-coredata://\(entityType.storeUUID.uuidString)/\(entityName)/p\(key)" }
}

extension ManagedObjectID: Hashable {
    /// Returns a Boolean value that indicates whether both identify one object of one store.
    public static func == (left: ManagedObjectID, right: ManagedObjectID) -> Bool {
        left.key == right.key
            && (left.entityType === right.entityType
                || left.entityType.entity.rootEntityName == right.entityType.entity.rootEntityName
                    && left.entityType.storeUUID == right.entityType.storeUUID)
    }

    /// Hashes the row key.
    public func hash(into hasher: inout Hasher) { hasher.combine(key) }
}

extension ManagedObjectID: Codable {
    /// Always fails: an object ID belongs to an open store.
    ///
    /// `#Predicate` requires that captured values are Codable, and never decodes them.
    /// - Throws: `DecodingError`, always.
    public init(from decoder: any Decoder) throws {
        throw DecodingError.dataCorrupted(
            DecodingError.Context(
                codingPath: decoder.codingPath,
                debugDescription:
                    "an object ID cannot be decoded, because it belongs to an open store; decode its URI and call managedObjectID(forURIRepresentation:)"
            )
        )
    }

    /// Encodes the ``uriRepresentation``.
    /// - Throws: Any error of the encoder.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(uriRepresentation)
    }
}

extension ManagedObjectID: CustomStringConvertible {
    /// A textual description of the error.
    public var description: String { uriRepresentation }
}
