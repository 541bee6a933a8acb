import ChordataModel
import ChordataPredicate

// A condition about the members of an object that a to-one relationship references has one result for each such object,
// regardless of how many rows reference it. If it were rendered as an EXISTS of each row, SQLite would compute the
// result again for each row.

extension PredicateRenderer {
    /// Renders the condition as `key IN (SELECT …)`.
    ///
    /// The sub-select contains the objects of a to-one relationship that meet the condition, and is computed once.
    /// Returns `nil` if the condition is about the rows themselves, has no collection, or is evaluated for few rows.
    mutating func renderOnce(_ predicate: BoundPredicate) -> String? {
        guard rendersOnce, isOutsideOfSelects else { return nil }
        let scope = RootPaths(of: predicate)
        guard scope.hasCollections, let prefix = scope.commonPrefix, let destination = prefix.last else { return nil }
        let entityName = destination.destinationEntityName
        // Other conditions about the same object reduce the computation.
        let conditions = conjuncts.filter { conjunct in
            let scope = RootPaths(of: conjunct)
            return conjunct != predicate && !scope.hasCollections && scope.commonPrefix?.starts(with: prefix) == true
        }
        let owner = scope.entityName
        let key = column(BoundKeyPath(entityName: owner, relationships: prefix, target: .object))
        var text = ""
        if !needsObject(predicate) {
            // The comparison determines the result for rows whose to-one relationship is nil: they have no members, or
            // a missing value.
            rendersOnce = false
            text = "CASE WHEN \(key) IS NULL THEN \(render(predicate)) ELSE "
            rendersOnce = true
        }
        let select = enterSelect { renderer in
            let alias = renderer.makeAlias("d")
            let variable = renderer.makeVariable()
            renderer.define(variable, as: .row(alias: alias))
            let rebase = RebasedPaths(prefixLength: prefix.count, variable: variable, entityName: entityName)
            let parts = (conditions + [predicate]).map { renderer.renderPart(rebase.rebased($0)) }
            let table = quoteIdentifier(renderer.tableName(of: entityName))
            return "SELECT \(alias).\"_id\" FROM \(table) AS \(alias)\(renderer.joinsOfSelect)"
                + " WHERE \(Self.join(parts[...], by: " AND "))"
        }
        return text + "\(key) IN (\(select))" + (text.isEmpty ? "" : " END")
    }
}

/// Returns a Boolean value that indicates whether a condition is false for rows whose to-one relationship is nil.
///
/// At least one member of the referenced object must meet the condition. The elements of a list exist without the
/// object, and can be nil.
private func needsObject(_ predicate: BoundPredicate) -> Bool {
    guard case .exists(let collection) = predicate else { return false }
    return collection.generators.contains { generator in
        guard case .relationship(let owner, _) = generator.source else { return false }
        return owner.root == nil
    }
}

/// Changes the paths of a condition that begin at the rows themselves, so that they begin at the object that a to-one
/// relationship references.
private struct RebasedPaths {
    let prefixLength: Int
    let variable: Int
    let entityName: String

    func rebased(_ path: BoundKeyPath) -> BoundKeyPath {
        guard path.root == nil else { return path }
        var path = path
        path.root = variable
        path.entityName = entityName
        path.relationships.removeFirst(prefixLength)
        return path
    }

    func rebased(_ predicate: BoundPredicate) -> BoundPredicate {
        switch predicate {
        // A search and a condition for row keys apply to the rows themselves.
        case .constant, .fullText, .keys: return predicate
        case .and(let parts): return .and(parts.map { rebased($0) })
        case .or(let parts): return .or(parts.map { rebased($0) })
        case .not(let part): return .not(rebased(part))
        case .comparison(var comparison):
            comparison.left = rebased(comparison.left)
            comparison.right = rebased(comparison.right)
            return .comparison(comparison)
        case .exists(let collection): return .exists(rebased(collection))
        }
    }

    private func rebased(_ expression: BoundExpression) -> BoundExpression {
        switch expression {
        case .value, .variable: expression
        case .keyPath(let path): .keyPath(rebased(path))
        case .function(let function, let arguments): .function(function, arguments.map { rebased($0) })
        case .cast(let operand, let type): .cast(rebased(operand), type)
        case .conditional(let condition, let first, let second):
            .conditional(rebased(condition), rebased(first), rebased(second))
        case .aggregate(let function, let collection): .aggregate(function, rebased(collection))
        case .element(let collection, .at(let index)): .element(rebased(collection), .at(rebased(index)))
        case .element(let collection, let position): .element(rebased(collection), position)
        }
    }

    private func rebased(_ collection: BoundCollection) -> BoundCollection {
        var collection = collection
        collection.generators = collection.generators.map { generator in
            var generator = generator
            switch generator.source {
            case .relationship(let owner, let relationship):
                generator.source = .relationship(rebased(owner), relationship)
            case .list(let parts): generator.source = .list(parts.map { rebased($0) })
            }
            return generator
        }
        collection.filter = rebased(collection.filter)
        collection.element = rebased(collection.element)
        return collection
    }
}
