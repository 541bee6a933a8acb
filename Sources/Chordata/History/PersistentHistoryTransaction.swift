public import ChordataModel

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A transaction that the persistent history of a store has recorded: a save, a call of
/// ``ManagedObjectContext/insertValues(_:)`` or a batch operation (rule H3 of <doc:Core-Data-Rules>).
public struct PersistentHistoryTransaction: Sendable {
    /// The number of the transaction in the history of the store, which increases with each transaction.
    public let transactionNumber: Int64
    /// The identifier of the store.
    public let storeID: UUID
    /// The time at which the transaction was written.
    public let timestamp: Date
    /// The author: ``ManagedObjectContext/transactionAuthor`` of the context that wrote the transaction.
    public let author: String?
    /// The name of the context that wrote the transaction, ``ManagedObjectContext/name``.
    public let contextName: String?
    /// A Boolean value that indicates whether another container wrote the transaction: a container in another process,
    /// another container in this process, or a container that had opened the store earlier, for example in the previous
    /// run of the program.
    public let isRemote: Bool
    /// The changes, ordered by the names of the entities: inserted, updated and deleted objects of each entity.
    public let changes: [PersistentHistoryChange]
    /// The number of the open store that wrote the transaction.
    let origin: Int64

    /// The token of the transaction.
    public var token: PersistentHistoryToken {
        PersistentHistoryToken(storeID: storeID, transactionNumber: transactionNumber, origin: origin)
    }

    /// The changes to pass to ``ManagedObjectContext/mergeChanges(_:)``.
    /// - Complexity: O(n) in the number of changes.
    public var objectIDChanges: ObjectIDChanges {
        var ids = ObjectIDChanges()
        for change in changes {
            switch change.changeType {
            case .insert: ids.inserted.insert(change.changedObjectID)
            case .update: ids.updated.insert(change.changedObjectID)
            case .delete: ids.deleted.insert(change.changedObjectID)
            }
        }
        return ids
    }
}

/// The change of one object in a transaction of the persistent history.
public struct PersistentHistoryChange: Sendable {
    /// The kind of change; raw values are Core Data's.
    public enum ChangeType: Int, Sendable, Hashable, Codable {
        case insert = 0
        case update = 1
        case delete = 2
    }

    /// The kind of change.
    public let changeType: ChangeType
    /// The object ID of the object.
    public let changedObjectID: ManagedObjectID
    /// The names of the properties of an updated object that were changed; empty for other kinds of change.
    ///
    /// A save and a ``BatchInsertRequest`` record a relationship at both ends.
    /// ``ManagedObjectContext/insertValues(_:)``, batch updates and batch deletions record only the rows that they
    /// write: for a changed relationship, the object with the to-one relationship, not the object whose to-many
    /// relationship gains or loses a member. An element of a composite attribute is a path such as `address.city`. If
    /// the transaction recomputed derived attributes of the object, all derived attributes of its entity are included.
    public let updatedProperties: Set<String>
    /// The last values of those attributes of a deleted object that the model preserves.
    ///
    /// See ``AttributeDescription/preservesValueInHistoryOnDeletion``. Transformable attributes, attributes that allow
    /// external storage, and `nil` values are left out. The key of an element of a composite attribute is a path such
    /// as `address.city`.
    public let tombstone: [String: AttributeValue]
}

/// A position in the persistent history of a store, to be stored by the program that reads the history.
public struct PersistentHistoryToken: Sendable, Hashable, Codable {
    /// The identifier of the store.
    public let storeID: UUID
    /// The number of the transaction.
    public let transactionNumber: Int64

    /// The number of the open store that wrote the transaction; 0 if there is no transaction yet.
    ///
    /// It distinguishes the transaction from a transaction with the same number in a copy of the store.
    let origin: Int64

    init(storeID: UUID, transactionNumber: Int64, origin: Int64) {
        self.storeID = storeID
        self.transactionNumber = transactionNumber
        self.origin = origin
    }
}

/// An error in a request for the persistent history.
public enum PersistentHistoryError: Error, Sendable, Hashable {
    /// The store does not track its history.
    case notTracked(path: String)
    /// Transactions after the token's transaction were deleted or may be missing (after a migration, or after the end
    /// of tracking), or the store was replaced by an earlier copy.
    case tokenExpired(PersistentHistoryToken)
    /// The token belongs to another store.
    case tokenOfAnotherStore(PersistentHistoryToken, storeID: UUID)
}

extension PersistentHistoryError: CustomStringConvertible {
    /// A textual description of the error.
    public var description: String {
        switch self {
        case .notTracked(let path):
            "store '\(path)' does not track its history; open it with StoreOptions.tracksPersistentHistory"
        case .tokenExpired(let token):
            "the history token of transaction \(token.transactionNumber) has expired, because transactions after it were "
                + "deleted or may be missing (after a migration, or after the end of tracking), or because the store was "
                + "replaced by an earlier copy; call "
                + "currentPersistentHistoryToken() of the store, read all objects again, and continue with this token"
        case .tokenOfAnotherStore(let token, let storeID):
            "the history token is of store \(token.storeID), not of store \(storeID); use the token of this store"
        }
    }
}
