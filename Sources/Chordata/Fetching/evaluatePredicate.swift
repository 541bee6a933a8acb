public import ChordataModel
public import ChordataPredicate

extension FetchPredicate {
    /// Returns a Boolean value that indicates whether an object matches the predicate with its current values.
    ///
    /// If the method needs rows of the object or of related objects that are not in memory, it reads them. To evaluate
    /// many objects, run a fetch, or use ``ManagedObjectContext/filter(_:by:)``, which resolves the predicate against
    /// the model only once.
    /// - Returns: `true` if the object matches the predicate; otherwise, `false`.
    /// - Throws: ``FetchPredicateError`` when the predicate does not match the object's entity, a variable has no
    ///   value, the predicate takes too long to evaluate on the object, or the object's container was released.
    public func evaluate(with object: ManagedObject) throws(FetchPredicateError) -> Bool {
        let schema = try schema(of: object)
        let type = object.runtimeEntity
        let bound = try bind(
            to: type.entity.name,
            in: schema.model,
            allowsTransient: true,
            store: type.storeIdentity
        )
        return try makeEvaluator(bound, access: ManagedObjectAccess(schema: schema))(object)
    }
}

extension FetchExpression {
    /// Returns the value of the expression for an object with its current values.
    ///
    /// If the method needs rows of the object or of related objects that are not in memory, it reads them.
    /// - Returns: The value; `nil` when the expression has no value.
    /// - Throws: ``FetchPredicateError`` when the expression does not match the object's entity, returns an object,
    ///   contains a variable or takes too long to evaluate, or when the object's container was released.
    public func value(with object: ManagedObject) throws(FetchPredicateError) -> AttributeValue? {
        let schema = try schema(of: object)
        let type = object.runtimeEntity
        let bound = try bind(
            to: type.entity.name,
            in: schema.model,
            allowsTransient: true,
            store: type.storeIdentity
        )
        if case .object = bound.type {
            throw FetchPredicateError(
                .typeMismatch,
                "the result of '\(self)' is an object, but value(with:) returns only values of attributes; use a key path that ends with an attribute",
                at: 0,
                in: description
            )
        }
        return try makeReader(bound.expression, access: ManagedObjectAccess(schema: schema, loadsExternalData: true))(
            object
        )
    }
}

extension ManagedObjectContext {
    /// Returns the objects of a sequence that match a predicate with their current values, in the order of the
    /// sequence.
    ///
    /// The predicate is resolved against the model only once, so use this method for many objects of one class. For
    /// conditions that require code, use Swift's `filter` on the result of a fetch, because a store cannot run closures
    /// (rule Q3 of <doc:Core-Data-Rules>).
    /// - Returns: The objects that match the predicate.
    /// - Throws: ``FetchPredicateError`` when the predicate does not match the class's entity, the context's model has
    ///   no entity with the class, a variable has no value, or the predicate takes too long to evaluate on an object.
    @inlinable  // So that the loop is compiled for the class and the collection that are asked.
    public func filter<Object: ManagedObject>(
        _ objects: some Sequence<Object>,
        by predicate: FetchPredicate
    ) throws(FetchPredicateError) -> [Object] {
        let isMet = try evaluator(of: predicate, for: Object.self)
        var result: [Object] = []
        // The sequence is copied, because a lazy sequence could change objects between two evaluations.
        for object in Array(objects) where try isMet(object) { result.append(object) }
        return result
    }

    @usableFromInline
    func evaluator(
        of predicate: FetchPredicate,
        for objectClass: ManagedObject.Type
    ) throws(FetchPredicateError) -> (ManagedObject) throws(FetchPredicateError) -> Bool {
        guard let type = schema.runtimeEntity(of: objectClass) else {
            throw FetchPredicateError(
                .unknownKey,
                "no entity of this context's model has the class '\(objectClass)', so the predicate cannot be "
                    + "evaluated; call the predicate's evaluate(with:) for each object",
                at: 0,
                in: predicate.description
            )
        }
        let bound = try predicate.bind(
            to: type.entity.name,
            in: schema.model,
            allowsTransient: true,
            store: type.storeIdentity
        )
        return makeEvaluator(bound, access: ManagedObjectAccess(schema: schema), memo: EvaluationMemo())
    }
}

/// Returns the schema to bind a predicate with.
private func schema(of object: ManagedObject) throws(FetchPredicateError) -> StoreSchema {
    if let schema = object.schema { return schema }
    throw FetchPredicateError(
        .unsupported,
        "the object's container was released, so its model is not known; evaluate the predicate while the container exists",
        at: 0,
        in: ""
    )
}
