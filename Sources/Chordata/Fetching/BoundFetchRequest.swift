internal import ChordataModel
internal import ChordataPredicate
internal import ChordataSQL

/// A fetch request whose names are resolved and whose types fit; what SQL and the evaluation in memory both start from.
struct BoundFetchRequest {
    let type: EntityType
    var predicate: BoundPredicate?
    var sortTerms: [SortTerm]
    let limit: Int
    let offset: Int
    let includesSubentities: Bool

    init<Object: ManagedObject>(_ request: FetchRequest<Object>, in schema: StoreSchema) throws {
        guard let type = schema.entityType(of: Object.self) else {
            preconditionFailure("class \(Object.self) is not of an entity of this context's model")
        }
        self.type = type
        predicate = try request.predicate?.bind(to: type.entity.name, in: schema.model)
        sortTerms = try request.sortKeys.map { key in
            SortTerm(keyPath: try resolve(key, type: type, in: schema), ascending: key.order == .ascending)
        }
        limit = request.fetchLimit
        offset = request.fetchOffset
        includesSubentities = request.includesSubentities
    }

    /// Whether objects of an entity are wanted.
    func includes(_ candidate: EntityType, in model: ManagedObjectModel) -> Bool {
        candidate === type
            || includesSubentities && model.entity(candidate.entity.name, isKindOf: type.entity.name)
    }
}

private func resolve(_ key: SortKey, type: EntityType, in schema: StoreSchema) throws -> BoundKeyPath {
    guard let path = key.path else { throw FetchError.unknownKeyPath(key.text, entityName: type.entity.name) }
    return try bindKeyPath(path, to: type.entity.name, in: schema.model)
}

/// Why a request cannot be run; nothing was read.
public enum FetchError: Error, Sendable, Hashable {
    /// A key path of a sort is not to a property of the model.
    case unknownKeyPath(String, entityName: String)
    /// A results controller needs a sort to section by.
    case missingSortKey(entityName: String)
    /// Rows of one section do not stand together.
    case outOfOrderSection(name: String, sectionKeyPath: String, sortKeyPath: String)
}

extension FetchError: CustomStringConvertible {
    /// The whole in words.
    public var description: String {
        switch self {
        case .unknownKeyPath(let keyPath, let entityName):
            "'\(keyPath)' is not a property of '\(entityName)'; sort by a property of the model, or over to-one "
                + "relationships by '\\.team?.name' or \"team.name\""
        case .missingSortKey(let entityName):
            "a results controller with sections needs a fetch request for '\(entityName)' that sorts"
        case .outOfOrderSection(let name, let sectionKeyPath, let sortKeyPath):
            "section '\(name)' of key path '\(sectionKeyPath)' occurs twice because the request sorts by "
                + "'\(sortKeyPath)' first; sort by '\(sectionKeyPath)' first (134060)"
        }
    }
}
