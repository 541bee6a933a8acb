// What a fetch gives back besides objects. A request of another result is another type, so that the result is known to
// the compiler.

/// A request for the identities of objects.
public struct ObjectIDFetchRequest<Object: ManagedObject>: Sendable {
    /// The objects to fetch.
    public var request: FetchRequest<Object>
    /// Creates a request.
    public init(_ request: FetchRequest<Object>) { self.request = request }
}

/// A request for how many objects there are.
public struct CountFetchRequest<Object: ManagedObject>: Sendable {
    /// The objects to fetch.
    public var request: FetchRequest<Object>
    /// Creates a request.
    public init(_ request: FetchRequest<Object>) { self.request = request }
}

extension FetchRequest {
    /// The same objects, of which only the identities are wanted.
    public var objectIDs: ObjectIDFetchRequest<Object> { ObjectIDFetchRequest(self) }
    /// The same objects, of which only the number is wanted.
    public var count: CountFetchRequest<Object> { CountFetchRequest(self) }
    /// The stored values of the same objects, by name.
    public var dictionaries: DictionaryFetchRequest<Object> { DictionaryFetchRequest(self) }
}

extension ManagedObjectContext {
    /// Returns the number of objects that match a request.
    /// - Returns: The same number as ``count(for:)``.
    /// - Throws: What ``fetch(_:)-(FetchRequest<Object>)`` throws.
    public func fetch<Object: ManagedObject>(_ request: CountFetchRequest<Object>) throws -> Int {
        try count(for: request.request)
    }
}
