public import ChordataModel

// What a fetch gives back besides objects. A request of another result is another type, so that the result is known to the compiler.

/// A request for the identities of objects.
public struct ObjectIDFetchRequest<Object: ManagedObject>: Sendable {
    /// Which objects.
    public var request: FetchRequest<Object>
    /// Creates a request.
    public init(_ request: FetchRequest<Object>) { self.request = request }
}

/// A request for how many objects there are.
public struct CountFetchRequest<Object: ManagedObject>: Sendable {
    /// Which objects.
    public var request: FetchRequest<Object>
    /// Creates a request.
    public init(_ request: FetchRequest<Object>) { self.request = request }
}

/// A request for the stored attributes of objects, by name.
public struct DictionaryFetchRequest<Object: ManagedObject>: Sendable {
    /// Which objects.
    public var request: FetchRequest<Object>
    /// Whether equal dictionaries come once.
    public var returnsDistinctResults = false
    /// Creates a request.
    public init(_ request: FetchRequest<Object>) { self.request = request }
}

extension FetchRequest {
    /// The same objects, of which only the identities are wanted.
    public var objectIDs: ObjectIDFetchRequest<Object> { ObjectIDFetchRequest(self) }
    /// The same objects, of which only the number is wanted.
    public var count: CountFetchRequest<Object> { CountFetchRequest(self) }
    /// The same objects, of which the stored attributes are wanted by name.
    public var dictionaries: DictionaryFetchRequest<Object> { DictionaryFetchRequest(self) }
}

extension ManagedObjectContext {
    /// How many objects match a request.
    /// - Throws: What ``fetch(_:)-(FetchRequest<Object>)`` throws.
    public func fetch<Object: ManagedObject>(_ request: CountFetchRequest<Object>) throws -> Int {
        try count(for: request.request)
    }

    /// The stored attributes of the objects that match a request, in its order; what has no value is left out.
    /// - Throws: What ``fetch(_:)-(FetchRequest<Object>)`` throws.
    public func fetch<Object: ManagedObject>(_ request: DictionaryFetchRequest<Object>) throws
        -> [[String: AttributeValue]]
    {
        let dictionaries = try fetch(request.request).map { $0.attributeValues }
        guard request.returnsDistinctResults else { return dictionaries }
        var seen: Set<[String: AttributeValue]> = []
        return dictionaries.filter { seen.insert($0).inserted }
    }
}

extension ManagedObject {
    fileprivate var attributeValues: [String: AttributeValue] {
        readRowOfFault()
        loadExternalData()
        var values: [String: AttributeValue] = [:]
        for field in entityType.columnFields where field.attribute != nil {
            values[field.name] = attributeValue(field.kind, at: address(of: field))
        }
        return values
    }
}
