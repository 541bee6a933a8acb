#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// Fetching: see ``ObjectFetcher``.

extension ManagedObjectContext {
    /// Returns the objects that match a request, in the order of its sort keys.
    ///
    /// The result includes unsaved changes of this context, unless `includesPendingChanges` is `false`. The method
    /// reads the store.
    /// - Parameter request: The predicate, the order and the options of the fetch.
    /// - Returns: The objects, each [registered](doc:Glossary#Objects) in this context; empty when no object matches.
    /// - Throws: ``FetchError`` or ``FetchPredicateError`` when the request does not match the model,
    ///   ``FetchPredicateError`` also when a predicate takes too long to evaluate in memory, ``UnreadableValueError``
    ///   when a row has a value of another type than its attribute, ``StoreError`` when the store cannot be read or a
    ///   regular expression takes too long in SQLite.
    public func fetch<Object: ManagedObject>(_ request: FetchRequest<Object>) throws -> [Object] {
        try fetcher.fetch(request)
    }

    /// Returns the object IDs of the objects that match a request, in the order of its sort keys (rule Q15 of
    /// <doc:Core-Data-Rules>).
    ///
    /// Objects are created only if unsaved changes could affect the result. The method reads the store.
    /// - Returns: The object IDs; empty when no object matches.
    /// - Throws: Any error that ``fetch(_:)-(FetchRequest<Object>)`` throws.
    public func fetch<Object: ManagedObject>(_ request: ObjectIDFetchRequest<Object>) throws -> [ManagedObjectID] {
        try fetcher.fetchObjectIDs(request.request)
    }

    /// Returns the stored values that a request selects, in the order of its sort keys.
    /// - Returns: The results: dictionaries with the names in ``DictionaryFetchRequest/propertiesToFetch`` as keys.
    ///   Null values are left out.
    /// - Throws: ``FetchPredicateError`` or ``FetchError`` when the request does not match the model, ``FetchError``
    ///   also when a computed value does not have its result type, ``FetchPredicateError`` also when a predicate takes
    ///   too long to evaluate in memory, ``UnreadableValueError`` when a value does not have its attribute's type,
    ///   ``StoreError`` when the store cannot be read or a regular expression takes too long in SQLite.
    public func fetch<Object: ManagedObject>(_ request: DictionaryFetchRequest<Object>) throws
        -> [[String: any Hashable & Sendable]]
    {
        try fetcher.fetchDictionaries(request)
    }

    /// Returns the first object that matches a request, in the order of its sort keys.
    ///
    /// The method reads one row from the store, or more if unsaved changes could affect the result or a part of the
    /// predicate is evaluated in memory.
    ///
    /// - Parameter request: The request; its ``FetchRequest/fetchLimit`` is ignored.
    /// - Returns: The object; `nil` when no object matches.
    /// - Throws: Any error that ``fetch(_:)-(FetchRequest<Object>)`` throws.
    public func fetchOne<Object: ManagedObject>(_ request: FetchRequest<Object>) throws -> Object? {
        try fetch(request.limit(1)).first
    }

    /// Returns a Boolean value that indicates whether an object matches a request.
    ///
    /// The method reads one row from the store, or more if unsaved changes could affect the result or a part of the
    /// predicate is evaluated in memory.
    ///
    /// - Parameter request: The request; its ``FetchRequest/fetchLimit`` and sort keys are ignored.
    /// - Returns: `true` if at least one object matches; otherwise, `false`.
    /// - Throws: Any error that ``fetch(_:)-(FetchRequest<Object>)`` throws.
    public func exists<Object: ManagedObject>(_ request: FetchRequest<Object>) throws -> Bool {
        var request = request.limit(1)
        request.sortKeys = []
        return try count(for: request) > 0
    }

    /// Returns the number of objects that match a request.
    ///
    /// The number includes unsaved changes (rule Q16 of <doc:Core-Data-Rules>), unless the request excludes them. The
    /// method reads the store.
    /// - Parameter request: The request; its limit and offset are applied.
    /// - Returns: The number of objects that ``fetch(_:)-(FetchRequest<Object>)`` would return.
    /// - Throws: Any error that ``fetch(_:)-(FetchRequest<Object>)`` throws.
    public func count<Object: ManagedObject>(for request: FetchRequest<Object>) throws -> Int {
        try fetcher.count(for: request)
    }

    /// Returns the number of objects that match a request.
    /// - Returns: The number of objects, as returned by ``count(for:)``.
    /// - Throws: Any error that ``fetch(_:)-(FetchRequest<Object>)`` throws.
    public func fetch<Object: ManagedObject>(_ request: CountFetchRequest<Object>) throws -> Int {
        try fetcher.count(for: request.request)
    }

    /// Returns the objects that match a request, in the order of its sort keys, without blocking the context's actor.
    ///
    /// When the method returns, the result reflects the context and all saves of the contexts of its container; a save
    /// of another process during the read can be missing.
    ///
    /// The rows are read on another thread; only the objects are created in the context's isolation. If the task is
    /// cancelled, reading ends. The method runs an ordinary fetch, which blocks the actor, if unsaved changes could
    /// affect the result, if the context has a parent or is pinned to a query generation, if the request refreshes
    /// registered objects, returns faults or has a batch size, if a part of the predicate is evaluated in memory, or if
    /// contexts of its container write to the store during each of three attempts to read the rows.
    /// - Returns: The objects, each registered in this context; empty when no object matches.
    /// - Throws: `CancellationError` when the task is cancelled, and any error that
    ///   ``fetch(_:)-(FetchRequest<Object>)`` throws.
    nonisolated(nonsending)
        public func fetch<Object: ManagedObject>(_ request: AsynchronousFetchRequest<Object>) async throws -> [Object]
    {
        try await fetcher.fetch(request)
    }

    // MARK: Values

    /// Returns the values of the objects that match a request, in the order of its sort keys, without creating objects.
    ///
    /// Unsaved changes of this context are not included; a child context reads the values of its parent, including
    /// unsaved values. This is the fastest way to read many rows.
    /// - Parameters:
    ///   - request: A request for objects of the class to which `Values` belongs. Passing a request for another entity
    ///     traps.
    ///   - includesExternalData: `true` to also read the bytes of attributes that allow external storage, which needs a
    ///     look-up for each value.
    /// - Returns: The values; empty when no object matches.
    /// - Throws: Any error that ``fetch(_:)-(FetchRequest<Object>)`` throws.
    public func fetchValues<Values: ManagedObjectValues>(
        _ request: FetchRequest<Values.Object>,
        includesExternalData: Bool = false
    ) throws -> [Values] {
        try fetcher.fetchValues(request, includesExternalData: includesExternalData)
    }

    /// Returns the values of the objects with the given IDs, in the order of the IDs, without creating objects.
    ///
    /// Unsaved changes of this context are not included; a child context reads the values of its parent, including
    /// unsaved values.
    ///
    /// - Parameters:
    ///   - objectIDs: The object IDs. The result does not contain values for an ID without a row, or for a row whose
    ///     class is neither the class to which `Values` belongs nor one of its subclasses.
    ///   - includesExternalData: `true` to also read the bytes of attributes that allow external storage, which needs a
    ///     look-up for each value.
    /// - Returns: One element for each occurrence of an ID that has a row, so the values of a repeated ID are repeated.
    /// - Throws: Any error that ``fetchValues(_:includesExternalData:)`` throws.
    public func fetchValues<Values: ManagedObjectValues>(
        for objectIDs: some Sequence<ObjectID<Values.Object>>,
        includesExternalData: Bool = false
    ) throws -> [Values] {
        let keys = objectIDs.map(permanentKey(of:))
        var known: [Int64: Values] = [:]
        known.reserveCapacity(keys.count)
        let ids = Set(keys).map { ObjectID<Values.Object>(key: $0) }
        let request = FetchRequest<Values.Object>().where(.in(\.self, ids))
        for value: Values in try fetchValues(request, includesExternalData: includesExternalData) {
            known[value.objectID.key] = value
        }
        return keys.compactMap { known[$0] }
    }

    /// Returns the stored bytes of an attribute that allows external storage.
    ///
    /// The method reads the store or the parent, and creates no object. Unsaved changes of this context are ignored.
    /// - Parameters:
    ///   - keyPath: The key path of the attribute, such as `\.photo`.
    ///   - objectID: The object ID of a saved object.
    /// - Returns: The bytes; `nil` when the attribute has no value.
    /// - Throws: ``MissingObjectError`` when the object has no row, ``FetchError`` when the attribute does not allow
    ///   external storage, ``StoreError`` when the store cannot be read.
    public func externalData<Object: ManagedObject>(
        of keyPath: PartialKeyPath<Object>,
        for objectID: ObjectID<Object>
    ) throws -> Data? {
        let type = runtimeEntity(for: Object.self)
        let keys = propertyKeys(of: keyPath)
        guard let external = type.externalFields.first(where: { [$0.field.name] == keys }) else {
            throw FetchError.noExternalStorage(text(of: keyPath), entityName: type.entity.name)
        }
        guard let row = try reader.readStore({ try external.read(objectID.key, $0) }) else {
            throw MissingObjectError(objectID: ManagedObjectID(runtimeEntity: type, key: objectID.key))
        }
        return row.bytes
    }
}
