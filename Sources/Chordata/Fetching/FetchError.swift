#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// An error in a fetch request; the fetch returns no result.
public enum FetchError: Error, Sendable, Hashable {
    /// The model has no entity with that name, or the entity has another class than the request; the suggestion is an
    /// entity with a similar name, or `nil`.
    case unknownEntity(String, className: String, suggestion: String?)
    /// A key path of a sort key is not a property of the model.
    case unknownKeyPath(String, entityName: String)
    /// A key path is not an attribute that allows external storage.
    case noExternalStorage(String, entityName: String)
    /// A sort key has a string comparison other than `literal`, but its property is not a string.
    case noText(String, entityName: String)
    /// A key path for prefetching is not a path of relationships.
    case unknownRelationship(String, entityName: String)
    /// The model has no fetch request template with that name; the suggestion is a template with a similar name, or
    /// `nil`.
    case unknownTemplate(String, suggestion: String?)
    /// Two properties or expressions of a dictionary request would have the same key in the result.
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
    /// A section key path does not name a property of the entity, or of an entity that the path reaches through to-one
    /// relationships; the suggestion is a property with a similar name, or `nil`.
    case unknownSectionKeyPath(String, entityName: String, suggestion: String?)
    /// The fetch request of a results controller with sections has no sort key.
    case missingSortKey(entityName: String)
    /// A request has a full-text query, but the entity has no full-text index: the model does not declare one (`reason`
    /// is `nil`), or declares one that cannot be created because of the `reason`.
    case noFullTextIndex(entityName: String, reason: String?)
    /// Matches were fetched with a request that has no full-text query.
    case noFullTextQuery(entityName: String)
    /// A key path is not an attribute of the full-text index of its entity.
    case notInFullTextIndex(String, entityName: String)
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
            "the context's model has no entity '\(entityName)' whose objects are of class '\(className)'; correct the name of the entity, or create the request with the class of the entity"
                + (suggestion.map { "; did you mean '\($0)'?" } ?? "")
        case .unknownKeyPath(let keyPath, let entityName):
            "'\(keyPath)' is not a property of '\(entityName)'; sort by a property of the entity, or by a "
                + "property of an object that a to-one relationship references, such as '\\.team?.name' or \"team.name\""
        case .noExternalStorage(let keyPath, let entityName):
            "'\(keyPath)' is not an attribute of '\(entityName)' that allows external storage, so it has no external "
                + "data to load"
        case .noText(let keyPath, let entityName):
            "'\(keyPath)' of '\(entityName)' is not a string, so a string comparison cannot be used to sort by it; remove the "
                + "comparison from the sort key"
        case .unknownRelationship(let path, let entityName):
            "'\(path)' is not a relationship of '\(entityName)' that can be used here; a key path to prefetch has only relationships, such as \"players.agent\", and a HierarchicalResultsController needs a to-many relationship"
        case .unknownTemplate(let name, let suggestion):
            "the model has no fetch request '\(name)'" + (suggestion.map { "; did you mean '\($0)'?" } ?? "")
        case .ambiguousResult(let name, let entityName):
            "two properties to fetch from '\(entityName)' have the result name '\(name)'; rename one of them"
        case .notGrouped(let keyPath, let entityName):
            "'\(keyPath)' of '\(entityName)' is neither grouped nor aggregated; add it to "
                + "propertiesToGroupBy or, if it is not a sort key, use an aggregate function such as max:(\(keyPath))"
        case .havingWithoutGroups(let entityName):
            "havingPredicate filters groups of '\(entityName)', but propertiesToGroupBy is empty; use predicate to "
                + "filter objects"
        case .uncomputable(let name, let entityName):
            "the store cannot compute '\(name)' of '\(entityName)': it contains a collection index that is not a constant, an aggregate function inside a list, a value that is Transformable or stored externally, or expressions that are nested too deep; compute it in your code"
        case .invalidResult(let name, let typeName):
            "a value of '\(name)' is not a valid \(typeName); change the result type of the expression, or convert it with CAST or FUNCTION(x, 'integerValue')"
        case .noFullTextIndex(let entityName, let reason?):
            "'\(entityName)' has no full-text index, because its user info 'fullText' is not valid: \(reason)"
        case .noFullTextIndex(let entityName, nil):
            "'\(entityName)' has no full-text index; add the key 'fullText' to the user info of the entity, with the names "
                + "of its String attributes, separated by commas"
        case .noFullTextQuery(let entityName):
            "the fetch request of '\(entityName)' has no full-text query; add one with matching(_:), or use fetch(_:)"
        case .notInFullTextIndex(let keyPath, let entityName):
            "'\(keyPath)' is not in the full-text index of '\(entityName)'; use an attribute that the user info 'fullText' "
                + "of the entity lists, or add this attribute to the list"
        case .unknownSectionKeyPath(let keyPath, let entityName, let suggestion):
            "the section key path '\(keyPath)' of '\(entityName)' is not a property of the model, or crosses a "
                + "to-many relationship" + (suggestion.map { "; did you mean '\($0)'?" } ?? "")
                + "; for a property that you compute, pass 'sectionedBy:' with a Swift key path"
        case .missingSortKey(let entityName):
            "a results controller with sections needs a sorted fetch request for '\(entityName)'; use the "
                + "section key path as the first sort key"
        case .outOfOrderSection(let name, let sectionKeyPath, let sortKeyPath):
            sortKeyPath == sectionKeyPath
                ? "section '\(name)' of key path '\(sectionKeyPath)' occurs twice because the first sort key ignores "
                    + "differences such as case and accents, so it does not separate sections with different names; add a second sort key "
                    + "'\(sectionKeyPath)' with the comparison literal (134060)"
                : "section '\(name)' of key path '\(sectionKeyPath)' occurs twice because the request sorts by "
                    + "'\(sortKeyPath)' first; sort by '\(sectionKeyPath)' first (134060)"
        }
    }
}
