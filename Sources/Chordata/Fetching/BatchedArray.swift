/// A fetch request for objects that are created on access, in batches.
public struct BatchedFetchRequest<Object: ManagedObject>: Sendable {
    /// The fetch request.
    public var request: FetchRequest<Object>
    /// The number of rows in a batch.
    public var batchSize: Int
    /// Creates a request.
    /// - Parameters:
    ///   - request: The fetch request.
    ///   - batchSize: The number of rows in a batch; at least 1.
    public init(_ request: FetchRequest<Object>, batchSize: Int) {
        precondition(batchSize > 0, "a batch must have at least one row")
        self.request = request
        self.batchSize = batchSize
    }
}

extension FetchRequest {
    /// Returns a request for the same objects that creates them in batches on access.
    /// - Parameter size: The number of rows in a batch; at least 1.
    /// - Returns: A batched request, for ``ManagedObjectContext/fetch(_:)-(BatchedFetchRequest<Object>)``.
    public func batches(of size: Int) -> BatchedFetchRequest<Object> { BatchedFetchRequest(self, batchSize: size) }
}

extension ManagedObjectContext {
    /// Returns the objects that match a request, in the order of its sort keys, as an array that reads rows in batches.
    ///
    /// If unsaved changes could affect the result, the fetch reads all rows once.
    /// - Returns: An array that contains the object IDs and creates the objects on access.
    /// - Throws: Any error that ``fetch(_:)-(FetchRequest<Object>)`` throws.
    public func fetch<Object: ManagedObject>(_ request: BatchedFetchRequest<Object>) throws -> BatchedArray<Object> {
        let ids = try fetch(request.request.objectIDs)
        return BatchedArray(ids, batchSize: request.batchSize, in: self)
    }
}

/// The result of a batched fetch: an array that contains row keys and creates the objects on access.
///
/// A row key takes 8 bytes.
///
/// The array retains the objects of the two batches that were accessed last. Other objects stay registered while
/// something else references them, or until the context releases them. Use the array in the context's isolation, like
/// the objects. If the row of an object was deleted after the fetch and before its values were read, its optional
/// attributes and to-one relationships are `nil`, and its required attributes have the default of the model, or zero.
/// If the store cannot be read, the same holds, and ``ManagedObjectContext/readError`` has the error.
public struct BatchedArray<Object: ManagedObject>: RandomAccessCollection {
    /// The batches that were looked at last, the newest at the end.
    private final class Cache {
        var batches: [(index: Int, objects: [Object])] = []
        static var limit: Int { 2 }
    }

    private let context: ManagedObjectContext
    private let keys: [Int64]
    /// The entity of all, or where there are several that of each.
    private let types: [RuntimeEntity]
    private let batchSize: Int
    private let cache = Cache()

    init(_ ids: [ManagedObjectID], batchSize: Int, in context: ManagedObjectContext) {
        self.context = context
        self.batchSize = batchSize
        keys = ids.map(\.key)
        let isOfOne = ids.allSatisfy { $0.entityType === ids[0].entityType }
        types = isOfOne ? ids.prefix(1).map(\.entityType) : ids.map(\.entityType)
    }

    /// The index of the first object, which is 0.
    public var startIndex: Int { 0 }
    /// The index after the last object, which is the number of objects.
    public var endIndex: Int { keys.count }

    /// Returns the object ID at an index without reading the store.
    /// - Parameter index: An index of the array.
    /// - Returns: The object ID.
    public func objectID(at index: Int) -> ManagedObjectID {
        ManagedObjectID(entityType: types.count == 1 ? types[0] : types[index], key: keys[index])
    }

    /// The object at an index; an access reads its batch if it is not in memory.
    public subscript(index: Int) -> Object {
        let batch = index / batchSize
        if let place = cache.batches.firstIndex(where: { $0.index == batch }) {
            if place < cache.batches.count - 1 { cache.batches.append(cache.batches.remove(at: place)) }
            return cache.batches[cache.batches.count - 1].objects[index % batchSize]
        }
        let range = batch * batchSize..<Swift.min((batch + 1) * batchSize, keys.count)
        let objects = context.objects(with: range.map { objectID(at: $0) })
        if cache.batches.count == Cache.limit { cache.batches.removeFirst() }
        cache.batches.append((batch, objects.map { unsafeDowncast($0, to: Object.self) }))
        return unsafeDowncast(objects[index % batchSize], to: Object.self)
    }
}

@available(*, unavailable, message: "objects belong to their context; pass objectID instead")
extension BatchedArray: Sendable {}

extension ManagedObjectContext {
    /// The objects of some identities, of which those that are not known are read by one statement for each table.
    ///
    /// For accessors, which cannot throw: if the store cannot be read, the objects are faults.
    func objects(with ids: [ManagedObjectID]) -> [ManagedObject] {
        objects(with: ids) { keys, type in reader.readOrRecord { try reader.readRows(of: keys, type: type) } }
    }

    /// The same where an error can be thrown.
    func readObjects(with ids: [ManagedObjectID]) throws -> [ManagedObject] {
        try objects(with: ids) { keys, type in try reader.readRows(of: keys, type: type) }
    }

    private func objects(with givenIDs: [ManagedObjectID], read: (_ keys: [Int64], RuntimeEntity) throws -> Void)
        rethrows
        -> [ManagedObject]
    {
        let access = beginAccess()
        defer { access.end() }
        graph.sweepIfDue()
        let ids = givenIDs.map(\.permanentID)
        var missing: [Int: (type: RuntimeEntity, keys: [Int64])] = [:]
        // What is held while others are made is not let go of.
        var held: [ManagedObject] = []
        for id in ids {
            let rootIndex = id.entityType.rootIndex
            if let known = graph.registered(key: id.key, rootIndex: rootIndex) {
                held.append(known)
                if !known.isFault { continue }
            }
            missing[rootIndex, default: (id.entityType, [])].keys.append(id.key)
        }
        for (type, keys) in missing.values { try read(keys, type) }
        return withExtendedLifetime(held) {
            ids.map { id in
                graph.registered(key: id.key, rootIndex: id.entityType.rootIndex)
                    ?? graph.makeFault(key: id.key, type: reader.entityType(of: id))
            }
        }
    }
}
