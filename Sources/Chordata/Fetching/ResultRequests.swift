// Requests with other results than objects. Each kind of result has its own type of request, so that the compiler knows
// the result.

/// A fetch request for the object IDs of objects.
public struct ObjectIDFetchRequest<Object: ManagedObject>: Sendable {
    /// The fetch request.
    public var request: FetchRequest<Object>
    /// Creates a request.
    public init(_ request: FetchRequest<Object>) { self.request = request }
}

/// A fetch request for the number of objects.
public struct CountFetchRequest<Object: ManagedObject>: Sendable {
    /// The fetch request.
    public var request: FetchRequest<Object>
    /// Creates a request.
    public init(_ request: FetchRequest<Object>) { self.request = request }
}

extension FetchRequest {
    /// A request for the object IDs of the objects that this request selects.
    public var objectIDs: ObjectIDFetchRequest<Object> { ObjectIDFetchRequest(self) }
    /// A request for the number of objects that this request selects.
    public var count: CountFetchRequest<Object> { CountFetchRequest(self) }
    /// A request for dictionaries with stored values of the objects that this request selects.
    public var dictionaries: DictionaryFetchRequest<Object> { DictionaryFetchRequest(self) }
}
