package import ChordataModel

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// A constant in a predicate.
package enum PredicateValue: Sendable, Hashable {
    case null
    case attribute(AttributeValue)
    /// An object, identified by an entity and its key in the store.
    case object(ObjectReference)
    case collection([PredicateValue])
}

/// The permanent keys of objects that had provisional keys when a predicate was created.
package protocol PermanentKeys: AnyObject, Sendable {
    /// Returns a Boolean value that indicates whether a save replaces a key.
    func isProvisional(_ key: Int64) -> Bool
    /// Returns the key that an object has now.
    func permanentKey(for key: Int64) -> Int64
}

/// The stores for whose objects a predicate is bound: one store, unless a coordinator has several.
package struct StoreIdentity: Sendable {
    private let uuid: UUID
    /// The identifiers of several stores; `nil` for one store.
    private let several: SeveralStoreIdentifiers?
    package let permanentKeys: any PermanentKeys

    package init(uuid: UUID, several: SeveralStoreIdentifiers? = nil, permanentKeys: any PermanentKeys) {
        self.uuid = uuid
        self.several = several
        self.permanentKeys = permanentKeys
    }

    /// Returns a Boolean value that indicates whether an object may be in one of the stores.
    package func contains(_ object: ObjectReference) -> Bool {
        guard let other = object.storeUUID, other != uuid else { return true }
        return several?.byRootEntity[object.rootEntityName]?.contains(other) ?? false
    }
}

/// The identifiers of several stores.
package final class SeveralStoreIdentifiers: Sendable {
    /// The identifiers of the stores that have objects of a hierarchy, by its root entity.
    package let byRootEntity: [String: Set<UUID>]

    package init(byRootEntity: [String: Set<UUID>]) { self.byRootEntity = byRootEntity }
}

/// A reference to an object in a predicate.
package struct ObjectReference: Sendable {
    /// The topmost superentity: two references identify the same object if root and key are equal.
    ///
    /// Before the predicate is bound it may also be another entity of the hierarchy.
    package var rootEntityName: String
    /// The key when the reference was created.
    private let givenKey: Int64
    /// The provider of a key that may change; `nil` for a permanent key.
    private let permanentKeys: (any PermanentKeys)?
    /// The store of the object; `nil` if it is unknown.
    package var storeUUID: UUID?

    package init(
        rootEntityName: String,
        key: Int64,
        storeUUID: UUID? = nil,
        permanentKeys: (any PermanentKeys)? = nil
    ) {
        self.rootEntityName = rootEntityName
        givenKey = key
        self.storeUUID = storeUUID
        self.permanentKeys = permanentKeys
    }

    /// Returns the reference for a model and a store: its entity is the topmost superentity, and it has the permanent
    /// keys of the store if the reference was made without a store.
    package func bound(to store: StoreIdentity?, in model: ManagedObjectModel) -> ObjectReference {
        let keys = store?.permanentKeys
        return ObjectReference(
            rootEntityName: model.entity(named: rootEntityName)?.rootEntityName ?? rootEntityName,
            key: givenKey,
            storeUUID: storeUUID,
            permanentKeys: permanentKeys ?? (keys?.isProvisional(givenKey) == true ? keys : nil)
        )
    }

    /// A Boolean value that indicates whether the key never changes.
    package var isPermanent: Bool { permanentKeys == nil }
    /// The key that the object has now: a save replaces a provisional one.
    package var key: Int64 { permanentKeys?.permanentKey(for: givenKey) ?? givenKey }
}

extension ObjectReference: Hashable {
    package static func == (left: ObjectReference, right: ObjectReference) -> Bool {
        left.key == right.key && left.rootEntityName == right.rootEntityName && left.storeUUID == right.storeUUID
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(key) }
}

extension PredicateValue {
    /// A Boolean value that indicates whether the value is or contains a double, date or decimal that is not a number:
    /// it does not equal any value, and SQLite would treat it as NULL.
    package var isNotANumber: Bool {
        switch self {
        case .null, .object: false
        case .collection(let values): values.contains(where: \.isNotANumber)
        case .attribute(.double(let number)): number.isNaN
        case .attribute(.date(let date)): date.timeIntervalSinceReferenceDate.isNaN
        case .attribute(.decimal(let number)): number.isNaN
        case .attribute(.integer), .attribute(.string), .attribute(.boolean), .attribute(.data), .attribute(.uuid),
            .attribute(.url):
            false
        }
    }
}
