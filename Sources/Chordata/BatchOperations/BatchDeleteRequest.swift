internal import ChordataPredicate
internal import ChordataSQL

/// A request to delete many rows in the store without creating objects (rule D10 of <doc:Core-Data-Rules>).
///
/// ```swift
/// let request = BatchDeleteRequest(fetchRequest: try Message.fetchRequest().where(format: "date < %@", lastYear))
/// let result = try context.execute(request)
/// context.mergeChanges(result.changes)
/// ```
public struct BatchDeleteRequest<Object: ManagedObject>: Sendable {
    /// The request that selects the rows to delete.
    ///
    /// The predicate, the sort order, the limit, the offset and ``FetchRequest/includesSubentities`` are considered;
    /// unsaved changes and prefetching are not.
    public var fetchRequest: FetchRequest<Object>
    /// A Boolean value that indicates whether the deletion validates the required relationships and the minimum counts
    /// of remaining rows that were related to deleted rows.
    ///
    /// The default is `false`, as in Core Data. If the value is `true`, the deletion fails in the same cases in which a
    /// save that deletes the same objects fails because of the model's rules. The delete rule Deny is always applied.
    public var validatesRelationships = false

    /// Creates a request for the rows that a fetch request selects.
    public init(fetchRequest: FetchRequest<Object>) { self.fetchRequest = fetchRequest }

    /// Creates a request for the rows with the given object IDs.
    ///
    /// IDs without a row in the store are ignored.
    public init(objectIDs: some Sequence<ObjectID<Object>>) {
        self.init(fetchRequest: FetchRequest())
        self.objectIDs = Array(objectIDs)
    }

    /// The object IDs of the rows to delete; `nil` for all rows that ``fetchRequest`` selects.
    private var objectIDs: (any PredicateArgument & Sendable)?

    func bind(in schema: StoreSchema) throws -> BoundFetchRequest {
        var request = fetchRequest
        if let objectIDs { request = request.where(try FetchPredicate(format: "SELF IN %@", objectIDs)) }
        let bound = try BoundFetchRequest(request, in: schema)
        guard bound.predicate?.isRenderable != false else {
            throw FetchError.uncomputable("predicate", entityName: bound.type.entity.name)
        }
        return bound
    }
}

extension BatchDeleteRequest where Object == ManagedObject {
    /// Creates a request for the rows of an entity, or of its subentities, with the given object IDs.
    ///
    /// IDs without a row in the store are ignored. If an ID belongs to another entity, executing the request throws
    /// ``FetchPredicateError``.
    public init(entityName: String, objectIDs: some Sequence<ManagedObjectID>) {
        self.init(fetchRequest: FetchRequest(entityName: entityName))
        self.objectIDs = Array(objectIDs)
    }
}

/// The result of a batch deletion.
public struct BatchDeleteResult: Sendable {
    /// The rows that were deleted.
    let deletedRows: [EntityRowKeys]
    /// The rows that remain and were written.
    let updatedRows: [EntityRowKeys]

    /// The number of deleted rows: the objects that the request selects, and the objects that the delete rule Cascade
    /// adds.
    public var deletedObjectsCount: Int { deletedRows.reduce(0) { $0 + $1.keys.count } }

    /// The object IDs of the deleted rows.
    ///
    /// They are in the order of the model's entities, and within an entity in the order of their
    /// [row keys](doc:Glossary#Store).
    /// - Complexity: O(n) in the number of rows.
    public var deletedObjectIDs: [ManagedObjectID] { deletedRows.flatMap(\.objectIDs) }

    /// The object IDs of the rows that remain and were written: their to-one relationships had referenced deleted rows,
    /// or their derived attributes changed.
    ///
    /// They are in the order of the model's entities, and within an entity in the order of their
    /// [row keys](doc:Glossary#Store).
    /// - Complexity: O(n) in the number of rows.
    public var updatedObjectIDs: [ManagedObjectID] { updatedRows.flatMap(\.objectIDs) }

    /// The changes to pass to ``ManagedObjectContext/mergeChanges(_:)``: ``deletedObjectIDs`` as deleted and
    /// ``updatedObjectIDs`` as updated objects.
    /// - Complexity: O(n) in the number of rows.
    public var changes: ObjectIDChanges {
        ObjectIDChanges(updated: Set(updatedObjectIDs), deleted: Set(deletedObjectIDs))
    }
}
