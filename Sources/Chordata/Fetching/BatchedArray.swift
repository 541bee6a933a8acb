/// A fetch request whose result reads rows in batches, and creates the objects of a batch when one is accessed.
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

/// The result of a batched fetch: an array that contains [row keys](doc:Glossary#Store) and creates the objects on
/// access.
///
/// A row key takes 8 bytes.
///
/// The array retains the objects of the two batches that were accessed last. Other objects stay
/// [registered](doc:Glossary#Objects) while something else references them; the context releases objects without other
/// references from time to time. Use the array in the context's isolation, like the objects. If the row of an object
/// was deleted after the fetch and before its values were read, its optional attributes and to-one relationships are
/// `nil`, and its required attributes have the default of the model, or zero. The properties have the same values if
/// the store cannot be read; ``ManagedObjectContext/readError`` then has the error.
public struct BatchedArray<Object: ManagedObject>: RandomAccessCollection {
    private let keys: [Int64]
    /// The entity of all objects or, if there are several entities, the entity of each object.
    private let types: [RuntimeEntity]
    private let loader: ObjectBatchLoader

    init(_ ids: [ManagedObjectID], batchSize: Int, in context: ManagedObjectContext) {
        loader = ObjectBatchLoader(batchSize: batchSize, in: context)
        keys = ids.map(\.key)
        let isOfOne = ids.allSatisfy { $0.runtimeEntity === ids[0].runtimeEntity }
        types = isOfOne ? ids.prefix(1).map(\.runtimeEntity) : ids.map(\.runtimeEntity)
    }

    /// The index of the first object, which is 0.
    public var startIndex: Int { 0 }
    /// The index after the last object, which is the number of objects.
    public var endIndex: Int { keys.count }

    /// Returns the object ID at an index without reading the store.
    /// - Parameter index: An index of the array.
    /// - Returns: The object ID.
    public func objectID(at index: Int) -> ManagedObjectID {
        ManagedObjectID(runtimeEntity: types.count == 1 ? types[0] : types[index], key: keys[index])
    }

    /// The object at an index; an access reads the object's batch unless it is one of the two retained batches.
    /// - Returns: The object.
    public subscript(index: Int) -> Object {
        if let object = loader.retainedObject(at: index) { return unsafeDowncast(object, to: Object.self) }
        let range = loader.range(containing: index, of: keys.count)
        let objects = loader.load(range.map { objectID(at: $0) }, at: range.lowerBound)
        return unsafeDowncast(objects[index - range.lowerBound], to: Object.self)
    }
}

@available(
    *,
    unavailable,
    message: "objects belong to their context; pass their object IDs instead, which objectID(at:) returns"
)
extension BatchedArray: Sendable {}
