internal import ChordataSQL
internal import Synchronization

/// The cached results of a request's fetches: its bound names, and its statement.
///
/// Copies of a request share the cache until one is changed. A condition with `now()` or a random number is not cached.
final class PreparedRequest: Sendable {
    private struct Preparation {
        let bound: BoundFetchRequest
        /// The statement; `nil` until rows have been read.
        var fragment: SQLFragment?
    }

    private let preparation = Mutex<Preparation?>(nil)

    /// The request with its names resolved in a model.
    func bound(in schema: StoreSchema, _ bind: () throws -> BoundFetchRequest) rethrows -> BoundFetchRequest {
        // The entity types of a bound request belong to one open store.
        if let known = preparation.withLock({ $0?.bound }), schema.runtimeEntities.indices.contains(known.type.index),
            schema.runtimeEntities[known.type.index] === known.type
        {
            return known
        }
        let bound = try bind()
        if !bound.isTimeDependent { preparation.withLock { $0 = Preparation(bound: bound) } }
        return bound
    }

    /// Returns the cached statement of the request, if the request is bound to the given entity type.
    func fragment(for type: RuntimeEntity) -> SQLFragment? {
        preparation.withLock { $0?.bound.type === type ? $0?.fragment : nil }
    }

    func keep(_ fragment: SQLFragment, for type: RuntimeEntity) {
        preparation.withLock { if $0?.bound.type === type { $0?.fragment = fragment } }
    }
}

extension FetchRequest {
    func bound(in schema: StoreSchema) throws -> BoundFetchRequest {
        try prepared.bound(in: schema) { try BoundFetchRequest(self, in: schema) }
    }
}
