/// A value that indicates whether Core Data opens the stores of a model with another model without migration.
public enum StoreCompatibility: Sendable, Hashable {
    /// Core Data opens them: the version hashes of all entities are equal.
    case compatible
    /// Core Data does not open them: the version hashes of these entities differ, or only one of the models has them.
    case incompatible(entityNames: [String])
    /// All computed version hashes are equal, but those of these entities cannot be computed.
    case unknown(entityNames: [String])

    /// Compares the version hashes of two models.
    public init(_ old: VersionHashes, _ new: VersionHashes) {
        let names = Set(old.entityNames).union(new.entityNames)
        let different = names.filter { name in
            // An entity whose hash is not computed in one of the models may have the same hash in both.
            guard old.reasonsByEntityName[name] == nil, new.reasonsByEntityName[name] == nil else {
                return !old.entityNames.contains(name) || !new.entityNames.contains(name)
            }
            return old.entityVersionHashesByName[name] != new.entityVersionHashesByName[name]
        }
        let unknown = names.filter { old.reasonsByEntityName[$0] != nil || new.reasonsByEntityName[$0] != nil }
        if !different.isEmpty {
            self = .incompatible(entityNames: different.sorted())
        } else if !unknown.isEmpty {
            self = .unknown(entityNames: unknown.sorted())
        } else {
            self = .compatible
        }
    }

    /// Returns a sentence that says whether Core Data opens stores of a version with the model of another one without
    /// migration.
    /// - Parameters:
    ///   - oldName: The name of the version of the stores.
    ///   - newName: The name of the version of the model.
    public func explanation(oldName: String, newName: String) -> String {
        func list(_ names: [String]) -> String { names.map { "'\($0)'" }.joined(separator: ", ") }
        return switch self {
        case .compatible:
            "Core Data opens stores of '\(oldName)' with '\(newName)' without migration: all version hashes are equal."
        case .incompatible(let names):
            "Core Data does not open stores of '\(oldName)' with '\(newName)' without migration: the version hashes of "
                + "\(list(names)) differ."
        case .unknown(let names):
            "It is not known whether Core Data opens stores of '\(oldName)' with '\(newName)' without migration: the "
                + "version hashes of \(list(names)) cannot be computed."
        }
    }
}

extension VersionHashes {
    /// The names of all entities of the model.
    fileprivate var entityNames: Set<String> {
        Set(entityVersionHashesByName.keys).union(reasonsByEntityName.keys)
    }
}
