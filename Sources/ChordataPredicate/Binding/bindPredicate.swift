package import ChordataModel

/// Resolves a key path that stands alone, as a sort or a section has it: keys with dots between them, or `SELF`.
/// - Throws: ``PredicateError`` for a key that is not stored, and for a to-many relationship.
package func bindKeyPath(
    _ keyPath: String,
    to entityName: String,
    in model: ManagedObjectModel
) throws(PredicateError) -> BoundKeyPath {
    let entity = try FetchPredicate(.constant(true), text: keyPath).prepare(for: entityName, in: model)
    if keyPath == "SELF" { return BoundKeyPath(entityName: entityName, relationships: [], target: .object) }
    let keys = keyPath.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    return try PredicateBinder(model: model, entity: entity, variables: [:], text: keyPath).resolveKeyPath(keys, at: 0)
}

extension FetchPredicate {
    /// How deep a composed predicate may be nested; a parsed one never gets there.
    static let maximumBoundDepth = 250

    /// Resolves the keys against an entity, checks the types, and puts in the variables' values.
    /// - Parameter variables: a value for each of ``variables``.
    /// - Throws: ``PredicateError`` at the place of the first mistake.
    package func bind(
        to entityName: String,
        in model: ManagedObjectModel,
        variables: [String: PredicateValue] = [:]
    ) throws(PredicateError) -> BoundPredicate {
        let entity = try prepare(for: entityName, in: model)
        try requireValues(variables)
        var binder = PredicateBinder(model: model, entity: entity, variables: variables, text: text ?? "")
        do throws(PredicateError) {
            return try binder.bind(node)
        } catch {
            if text != nil { throw error }
        }
        // The mistake again, with places in a text that a person can read.
        let printed = withPrintedText
        binder = PredicateBinder(model: model, entity: entity, variables: variables, text: printed.text ?? "")
        return try binder.bind(printed.node)
    }

    /// What can be checked before any key is looked at.
    func prepare(for entityName: String, in model: ManagedObjectModel) throws(PredicateError) -> EntityDescription {
        guard let entity = model.entity(named: entityName) else {
            let suggestion = nearestName(to: entityName, among: model.entities.map(\.name))
            throw PredicateError(
                .unknownKey,
                "the model has no entity '\(entityName)'" + (suggestion.map { "; did you mean '\($0)'?" } ?? ""),
                at: 0,
                in: text ?? ""
            )
        }
        guard !node.isDeeper(than: Self.maximumBoundDepth) else {
            throw PredicateError(
                .malformed,
                "this predicate is nested deeper than \(Self.maximumBoundDepth) levels",
                at: 0,
                in: text ?? ""
            )
        }
        return entity
    }
}

extension PredicateNode {
    /// Whether the tree has more levels than that; looks no deeper.
    fileprivate func isDeeper(than limit: Int) -> Bool {
        guard limit > 0 else { return true }
        switch self {
        case .constant, .comparison: return false
        case .and(let nodes), .or(let nodes): return nodes.contains { $0.isDeeper(than: limit - 1) }
        case .not(let inner): return inner.isDeeper(than: limit - 1)
        }
    }
}
