internal import ChordataModel
internal import ChordataPredicate
internal import ChordataSQL
internal import Synchronization

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A fetch request whose names are resolved and whose types fit; what SQL and the evaluation in memory both start from.
struct BoundFetchRequest {
    let type: RuntimeEntity
    var predicate: BoundPredicate?
    var sortTerms: [SortTerm]
    let limit: Int
    let offset: Int
    let includesSubentities: Bool
    /// The prefetched relationships, one by one.
    let prefetchedPaths: [[String]]
    /// A Boolean value that indicates whether the condition has a time or a random number in it, which another fetch
    /// does not have.
    let isTimeDependent: Bool

    init<Object: ManagedObject>(_ request: FetchRequest<Object>, in schema: StoreSchema) throws {
        let type = try schema.entityType(of: request)
        self.type = type
        let moment = TimeDependence()
        predicate = try request.predicate?.bind(
            to: type.entity.name,
            in: schema.model,
            store: type.storeIdentity,
            moment: moment
        )
        isTimeDependent = moment.matters
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

    /// Returns a Boolean value that indicates whether objects of an entity are wanted.
    func includes(_ candidate: RuntimeEntity, in model: ManagedObjectModel) -> Bool {
        candidate === type
            || includesSubentities && model.entity(candidate.entity.name, isKindOf: type.entity.name)
    }
}

extension StoreSchema {
    /// The relationships of a path, each of the destination entity of the one before, or of a subentity.
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

    /// The entity of a request.
    func entityType<Object: ManagedObject>(of request: FetchRequest<Object>) throws(FetchError) -> RuntimeEntity {
        // Entities without a class of their own are plain managed objects.
        guard let type = entityType(named: request.entityName),
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

extension RuntimeEntity {
    /// A key path that is sorted by; what a request binds, the next one need not.
    fileprivate func sortKeyPath(_ path: String, in model: ManagedObjectModel) throws(FetchPredicateError)
        -> BoundKeyPath
    {
        if let known = sortKeyPaths.withLock({ $0[path] }) { return known }
        let bound = try bindSortKeyPath(path, to: entity.name, in: model)
        sortKeyPaths.withLock { known in
            // Paths may go in circles, and texts come from users.
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

/// An error in a fetch request; nothing was read.
public enum FetchError: Error, Sendable, Hashable {
    /// The model has no entity with that name, or the entity has another class than the request; the suggestion is an
    /// entity with a similar name, if there is one.
    case unknownEntity(String, className: String, suggestion: String?)
    /// A key path of a sort key is not a property of the model.
    case unknownKeyPath(String, entityName: String)
    /// A key path is not an attribute that allows external storage.
    case noExternalStorage(String, entityName: String)
    /// A sort key has a string comparison, but its property is not a string.
    case noText(String, entityName: String)
    /// A key path for prefetching is not a path of relationships.
    case unknownRelationship(String, entityName: String)
    /// The model has no fetch request template with that name; the suggestion is a template with a similar name, if
    /// there is one.
    case unknownTemplate(String, suggestion: String?)
    /// Two values of a dictionary result have the same name.
    case ambiguousResult(String, entityName: String)
    /// A property of a grouped request is neither in ``DictionaryFetchRequest/propertiesToGroupBy`` nor the argument of
    /// an aggregate function (rule Q12 of <doc:Core-Data-Rules>).
    case notGrouped(String, entityName: String)
    /// A request has a ``DictionaryFetchRequest/havingPredicate`` but no properties to group by (rule Q12 of
    /// <doc:Core-Data-Rules>).
    case havingWithoutGroups(entityName: String)
    /// An expression cannot be computed by the store.
    case uncomputable(String, entityName: String)
    /// The value of an expression does not have the expression's result type.
    case invalidResult(String, typeName: String)
    /// The fetch request of a results controller with sections has no sort key.
    case missingSortKey(entityName: String)
    /// The rows of a section are not consecutive in the order of the sort keys.
    case outOfOrderSection(name: String, sectionKeyPath: String, sortKeyPath: String)
}

extension FetchError: CustomStringConvertible, LocalizedError {
    /// The description of the error, which `localizedDescription` returns.
    public var errorDescription: String? { description }

    /// A textual description of the error.
    public var description: String {
        switch self {
        case .unknownEntity(let entityName, let className, let suggestion):
            "the context's model has no entity '\(entityName)' whose objects are of class '\(className)'"
                + (suggestion.map { "; did you mean '\($0)'?" } ?? "")
        case .unknownKeyPath(let keyPath, let entityName):
            "'\(keyPath)' is not a property of '\(entityName)'; sort by a property of the model, or over to-one "
                + "relationships by '\\.team?.name' or \"team.name\""
        case .noExternalStorage(let keyPath, let entityName):
            "'\(keyPath)' is not an attribute of '\(entityName)' that allows external storage, so it has no external "
                + "data to load"
        case .noText(let keyPath, let entityName):
            "'\(keyPath)' of '\(entityName)' is not a string, so a string comparison cannot be used to sort by it; remove the "
                + "comparison from the sort descriptor"
        case .unknownRelationship(let path, let entityName):
            "'\(path)' is not a relationship key path of '\(entityName)', so it cannot be prefetched"
        case .unknownTemplate(let name, let suggestion):
            "the model has no fetch request '\(name)'" + (suggestion.map { "; did you mean '\($0)'?" } ?? "")
        case .ambiguousResult(let name, let entityName):
            "two properties to fetch from '\(entityName)' have the result name '\(name)'; rename one of them"
        case .notGrouped(let keyPath, let entityName):
            "'\(keyPath)' of '\(entityName)' is neither grouped nor aggregated; add it to "
                + "propertiesToGroupBy, or use an aggregate function such as max:(\(keyPath))"
        case .havingWithoutGroups(let entityName):
            "havingPredicate filters groups of '\(entityName)', but propertiesToGroupBy is empty; use predicate to "
                + "filter objects"
        case .uncomputable(let name, let entityName):
            "the store cannot compute '\(name)' of '\(entityName)': it contains a collection index that is not a constant, an aggregate function inside a list, a value that is Transformable or stored externally, or expressions that are nested too deep; compute it in your code"
        case .invalidResult(let name, let typeName):
            "a value of '\(name)' is not a valid \(typeName); change the result type of the expression, or convert it with CAST or FUNCTION(x, 'integerValue')"
        case .missingSortKey(let entityName):
            "a results controller with sections needs a sorted fetch request for '\(entityName)'; sort by the "
                + "section's property first"
        case .outOfOrderSection(let name, let sectionKeyPath, let sortKeyPath):
            "section '\(name)' of key path '\(sectionKeyPath)' occurs twice because the request sorts by "
                + "'\(sortKeyPath)' first; sort by '\(sectionKeyPath)' first (134060)"
        }
    }
}
