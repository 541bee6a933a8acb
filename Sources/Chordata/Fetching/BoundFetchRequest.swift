internal import ChordataModel
internal import ChordataPredicate
package import ChordataSQL
internal import Synchronization

/// A fetch request whose names are resolved and whose types are checked, for SQL and for the evaluation in memory.
package struct BoundFetchRequest {
    package let type: RuntimeEntity
    package var predicate: BoundPredicate?
    package var sortTerms: [SortTerm]
    package var limit: Int
    package var offset: Int
    package let includesSubentities: Bool
    /// The prefetched relationships, each as a path of relationship names.
    let prefetchedPaths: [[String]]
    /// A Boolean value that indicates whether the condition contains a time or a random number, which differs in each
    /// fetch.
    let isTimeDependent: Bool

    package init<Object: ManagedObject>(_ request: FetchRequest<Object>, in schema: StoreSchema) throws {
        let type = try schema.runtimeEntity(of: request)
        self.type = type
        let timeDependence = TimeDependence()
        predicate = try request.predicate?.bind(
            to: type.entity.name,
            in: schema.model,
            store: type.storeIdentity,
            timeDependence: timeDependence
        )
        if let query = request.fullTextQuery {
            let search = BoundPredicate.fullText(try schema.bind(query, to: type))
            predicate = predicate.map { .conjunction([$0, search]) } ?? search
        }
        if let stores = request.affectedStores {
            predicate = .conjunction([predicate, schema.isRow(of: type, in: stores)].compactMap(\.self))
        }
        isTimeDependent = timeDependence.isFound
        sortTerms = try request.sortKeys.map { key in
            try SortTerm(key, type: type, in: schema)
        }
        limit = max(0, request.fetchLimit)
        offset = max(0, request.fetchOffset)
        includesSubentities = request.includesSubentities
        prefetchedPaths = try request.relationshipKeyPathsForPrefetching.map { path in
            try schema.relationshipNames(on: path, from: type)
        }
    }

    /// Returns a Boolean value that indicates whether the request includes objects of an entity.
    func includes(_ candidate: RuntimeEntity, in model: ManagedObjectModel) -> Bool {
        candidate === type
            || includesSubentities && model.entity(candidate.entity.name, isKindOf: type.entity.name)
    }
}

extension BoundFetchRequest {
    /// Returns the statement that reads columns of the rows that the request selects, in its order.
    /// - Parameters:
    ///   - columns: The columns of the entity's table to read.
    ///   - predicate: The condition on the rows, which is not that of the request if the store cannot evaluate it.
    ///   - function: An aggregate function that is called with each row instead of returning the row, if the statement
    ///     reads all rows of the table in the order of their keys.
    func fragment(
        reading columns: SelectList,
        where predicate: BoundPredicate?,
        in schema: StoreSchema,
        calling function: String? = nil
    ) -> SQLFragment {
        renderFetch(
            columns: columns,
            predicate,
            sortedBy: sortTerms,
            limit: limit,
            offset: offset,
            entityName: type.entity.name,
            in: schema.mapping,
            schema.dialect,
            includesSubentities: includesSubentities,
            calling: function
        )
    }
}

extension StoreSchema {
    /// Returns the relationships of a path; each is of the destination entity of the previous one, or of a subentity.
    fileprivate func relationshipNames(on path: String, from type: RuntimeEntity) throws(FetchError) -> [String] {
        let names = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        var entityName = type.entity.name
        for name in names {
            let candidates = model.subentityClosure(of: entityName).compactMap { model.entity(named: $0) }
            guard let relationship = candidates.lazy.compactMap({ $0.relationshipsByName[name] }).first else {
                throw .unknownRelationship(path, entityName: type.entity.name)
            }
            entityName = relationship.destinationEntityName
        }
        return names
    }

    /// Returns the condition that an object is in one of the given stores.
    fileprivate func isRow(of type: RuntimeEntity, in stores: [PersistentStore]) -> BoundPredicate {
        let identifiers = Set(stores.map(\.identifier))
        guard let partition else { return .constant(identifiers.contains(type.storeUUID)) }
        return partition.isRow(of: type) { identifiers.contains($0.identifier) }
    }

    /// The entity of a request.
    func runtimeEntity<Object: ManagedObject>(of request: FetchRequest<Object>) throws(FetchError) -> RuntimeEntity {
        // Objects of entities without a class of their own are plain managed objects.
        guard let type = runtimeEntity(named: request.entityName),
            type.objectClass is Object.Type || type.isDynamic && Object.self == ManagedObject.self
        else {
            let names = model.entity(named: request.entityName) == nil ? model.entities.map(\.name) : []
            throw .unknownEntity(
                request.entityName,
                className: "\(Object.self)",
                suggestion: nearestName(to: request.entityName, among: names)
            )
        }
        return type
    }
}

extension StoreSchema {
    /// Resolves a search in the full-text index of an entity.
    fileprivate func bind(_ query: FullTextQuery, to type: RuntimeEntity) throws -> BoundFullText {
        guard let index = mapping.fullTextIndex(of: type.entity.name) else {
            throw FetchError.noFullTextIndex(entityName: type.entity.name, reason: fullTextProblem(of: type.entity))
        }
        return try BoundFullText(
            query,
            index.declaration,
            isIndexed: !missingFullTextIndexes.contains(index.name),
            in: model
        )
    }

    /// Returns the reason why the user info of an entity, or of a superentity, does not declare a valid index.
    private func fullTextProblem(of entity: EntityDescription) -> String? {
        var next: EntityDescription? = entity
        while let candidate = next {
            do throws(FullTextProblem) {
                _ = try model.declaredFullText(of: candidate)
            } catch {
                return error.message
            }
            next = model.superentity(of: candidate.name)
        }
        return nil
    }
}

extension RuntimeEntity {
    /// Returns a key path to sort by, which is resolved only once for all requests.
    fileprivate func sortKeyPath(_ path: String, in model: ManagedObjectModel) throws(FetchPredicateError)
        -> BoundKeyPath
    {
        if let known = sortKeyPaths.withLock({ $0[path] }) { return known }
        let bound = try bindSortKeyPath(path, to: entity.name, in: model)
        sortKeyPaths.withLock { known in
            // The cache is limited, because there are infinitely many paths if relationships form a cycle, and paths
            // may come from users.
            if known.count >= 100 { known.removeAll() }
            known[path] = bound
        }
        return bound
    }
}

extension SortTerm {
    fileprivate init(_ key: SortKey, type: RuntimeEntity, in schema: StoreSchema) throws {
        guard let path = key.path else { throw FetchError.unknownKeyPath(key.text, entityName: type.entity.name) }
        let keyPath = try type.sortKeyPath(path, in: schema.model)
        guard key.comparison == .literal || keyPath.attribute?.attributeType == .string else {
            throw FetchError.noText(path, entityName: type.entity.name)
        }
        self.init(keyPath: keyPath, ascending: key.order == .ascending, comparison: key.comparison)
    }
}
