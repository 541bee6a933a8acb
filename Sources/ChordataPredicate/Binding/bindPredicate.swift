package import ChordataModel

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// Resolves a key path outside of a predicate, such as that of a sort or a section: keys with dots between them, or
/// `SELF`.
/// - Throws: ``FetchPredicateError`` for a key that is not stored, and for a to-many relationship.
package func bindKeyPath(
    _ keyPath: String,
    to entityName: String,
    in model: ManagedObjectModel
) throws(FetchPredicateError) -> BoundKeyPath {
    let entity = try requireEntity(entityName, in: model, text: keyPath)
    if keyPath == "SELF" { return BoundKeyPath(entityName: entityName, relationships: [], target: .object) }
    let keys = keyPath.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    var binder = PredicateBinder(model: model, entity: entity, text: keyPath)
    return try binder.resolveSingleKeyPath(keys)
}

/// Resolves the key path of a sort key.
///
/// Transformable values, and bytes that are stored externally, have no order and are an error.
package func bindSortKeyPath(
    _ keyPath: String,
    to entityName: String,
    in model: ManagedObjectModel
) throws(FetchPredicateError) -> BoundKeyPath {
    let path = try bindKeyPath(keyPath, to: entityName, in: model)
    // A composite is stored completely in the row.
    guard path.attribute?.isStoredExternally != true || path.attributePath.count > 1 else {
        throw FetchPredicateError(
            .typeMismatch,
            "'\(keyPath)' is stored externally, so it cannot be sorted by; sort by another attribute",
            at: 0,
            in: keyPath
        )
    }
    guard path.attribute?.attributeType != .transformable else {
        throw FetchPredicateError(
            .typeMismatch,
            "'\(keyPath)' is a Transformable attribute, whose values have no order; sort by another attribute",
            at: 0,
            in: keyPath
        )
    }
    return path
}

extension FetchPredicate {
    /// Resolves the keys against an entity, checks the types, and inserts the variables' values.
    /// - Parameter variables: A value for each of ``variables``.
    /// - Parameter store: The store from which objects are fetched; objects of another store are an error.
    /// - Parameter timeDependence: Records whether the result contains the time or a random number.
    /// - Throws: ``FetchPredicateError`` with the position of the first mistake.
    package func bind(
        to entityName: String,
        in model: ManagedObjectModel,
        variables: [String: PredicateValue] = [:],
        now: Date = Date(),
        allowsTransient: Bool = false,
        store: StoreIdentity? = nil,
        timeDependence: TimeDependence? = nil
    ) throws(FetchPredicateError) -> BoundPredicate {
        let entity = try prepare(for: entityName, in: model)
        try requireValues(variables)
        func bind(_ source: FetchPredicate) throws(FetchPredicateError) -> BoundPredicate {
            var binder = PredicateBinder(
                model: model,
                entity: entity,
                variables: variables,
                text: source.text ?? "",
                now: now,
                allowsTransient: allowsTransient,
                store: store,
                timeDependence: timeDependence
            )
            return try binder.bind(source.node)
        }
        do throws(FetchPredicateError) {
            return try bind(self)
        } catch {
            if text != nil { throw error }
        }
        // This throws the error again, with places in a readable text.
        return try bind(withPrintedText)
    }

    /// Resolves a condition on groups of rows, such as `$total > 100` if an expression has the name `total`.
    /// - Parameter expressions: The expressions that the variables name, each of which was bound before without an
    ///   error.
    /// - Throws: ``FetchPredicateError`` with the position of the first mistake.
    package func bind(
        toGroupsOf entityName: String,
        in model: ManagedObjectModel,
        expressions: [String: FetchExpression],
        now: Date = Date(),
        store: StoreIdentity? = nil
    ) throws(FetchPredicateError) -> BoundPredicate {
        let entity = try prepare(for: entityName, in: model)
        let source = text == nil ? withPrintedText : self
        let unknown = source.variableOffsets.first { expressions[$0.name] == nil }
        if let (name, offset) = unknown {
            let suggestion = nearestName(to: name, among: expressions.keys.sorted())
            throw FetchPredicateError(
                .variable,
                "variable '$\(name)' of havingPredicate must be the name of an expression in propertiesToFetch, but no expression has this name"
                    + (suggestion.map { "; did you mean '$\($0)'?" } ?? ""),
                at: offset.utf8,
                in: source.text ?? ""
            )
        }
        var binder = PredicateBinder(
            model: model,
            entity: entity,
            text: source.text ?? "",
            now: now,
            store: store
        )
        binder.groupsRows = true
        binder.localVariables = expressions.mapValues { .expression($0.node, variables: [:]) }
        return try binder.bind(source.node)
    }

    /// Runs the checks that precede the resolution of keys.
    func prepare(for entityName: String, in model: ManagedObjectModel) throws(FetchPredicateError) -> EntityDescription
    {
        try requireDepth(node.isDeeper(than: maximumBoundDepth), in: text)
        return try requireEntity(entityName, in: model, text: text)
    }
}

extension FetchExpression {
    /// Resolves the keys against an entity and checks the types.
    /// - Parameter groupsRows: A Boolean value that indicates whether a function such as `sum:` with one value of each
    ///   row is computed for a group of rows.
    /// - Parameter timeDependence: Records whether the result contains the time or a random number.
    /// - Throws: ``FetchPredicateError`` with the position of the first mistake; any variable is an error.
    package func bind(
        to entityName: String,
        in model: ManagedObjectModel,
        now: Date = Date(),
        allowsTransient: Bool = false,
        groupsRows: Bool = false,
        store: StoreIdentity? = nil,
        timeDependence: TimeDependence? = nil
    ) throws(FetchPredicateError) -> (expression: BoundExpression, type: ExpressionType) {
        try requireDepth(node.isDeeper(than: maximumBoundDepth), in: text)
        let source = text == nil ? withPrintedText : self
        if let (name, offset) = source.firstVariable {
            throw FetchPredicateError(
                .variable,
                "'$\(name)' has no value; an expression cannot have variables",
                at: offset.utf8,
                in: source.text ?? ""
            )
        }
        let entity = try requireEntity(entityName, in: model, text: source.text)
        var binder = PredicateBinder(
            model: model,
            entity: entity,
            text: source.text ?? "",
            now: now,
            allowsTransient: allowsTransient,
            store: store,
            timeDependence: timeDependence
        )
        binder.groupsRows = groupsRows
        return try binder.bind(source.node)
    }
}

extension FetchExpression {
    /// Checks that the expression can compute values of an attribute.
    /// - Throws: ``FetchPredicateError`` for a key that is not stored, and for a value that is not of the attribute's
    ///   type.
    package func checkValue(
        of attribute: AttributeDescription,
        of entityName: String,
        in model: ManagedObjectModel
    ) throws(FetchPredicateError) {
        let type = try bind(to: entityName, in: model).type
        guard let wanted = ExpressionType(attribute), type != .null, type != wanted else { return }
        // Dates are numbers of seconds: models store `now()` in a Double.
        if [type, wanted].allSatisfy({ $0 == .date || $0 == .number }) { return }
        throw FetchPredicateError(
            .typeMismatch,
            "'\(self)' is \(type.description), but the attribute that gets this value is \(attribute.typeName)",
            at: 0,
            in: text ?? ""
        )
    }
}

/// The maximum number of levels of a predicate's tree, read or composed.
let maximumBoundDepth = PredicateParser.maximumDepth

private func requireDepth(_ isDeeper: Bool, in text: String?) throws(FetchPredicateError) {
    guard isDeeper else { return }
    throw FetchPredicateError(
        .malformed,
        "this predicate is nested deeper than \(maximumBoundDepth) levels",
        at: 0,
        in: text ?? ""
    )
}

private func requireEntity(
    _ entityName: String,
    in model: ManagedObjectModel,
    text: String?
) throws(FetchPredicateError) -> EntityDescription {
    if let entity = model.entity(named: entityName) { return entity }
    let suggestion = nearestName(to: entityName, among: model.entities.map(\.name))
    throw FetchPredicateError(
        .unknownKey,
        "the model has no entity '\(entityName)'" + (suggestion.map { "; did you mean '\($0)'?" } ?? ""),
        at: 0,
        in: text ?? ""
    )
}
