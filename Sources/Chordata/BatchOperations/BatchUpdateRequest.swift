public import ChordataPredicate

/// A request to set properties of many rows in the store without creating objects (rule S23 of <doc:Core-Data-Rules>).
///
/// ```swift
/// let request = try BatchUpdateRequest<Message>().where(format: "date < %@", lastWeek).setting(\.isRead, to: true)
/// let result = try context.execute(request)
/// context.mergeChanges(result.changes)
/// ```
public struct BatchUpdateRequest<Object: ManagedObject>: Sendable {
    /// The predicate that selects the rows to update; `nil` for all rows.
    public var predicate: FetchPredicate? {
        get { request.predicate }
        set { request.predicate = newValue }
    }
    /// A Boolean value that indicates whether the update includes rows of subentities; the default is `true`.
    public var includesSubentities: Bool {
        get { request.includesSubentities }
        set { request.includesSubentities = newValue }
    }
    /// The name of the entity.
    public var entityName: String { request.entityName }
    /// The new values, keyed by property name; the key of an element of a composite attribute is a path such as
    /// `address.city`.
    ///
    /// A value is a constant or an expression that is computed from the row before the update.
    public var propertiesToUpdate: [String: FetchExpression] = [:]

    /// The request that selects the rows.
    private(set) var request: FetchRequest<Object>

    /// The stores of the context's coordinator whose rows are updated; `nil` for all that have the entity.
    public var affectedStores: [PersistentStore]? {
        get { request.affectedStores }
        set { request.affectedStores = newValue }
    }

    /// Creates a request for all rows of a class.
    public init() { request = FetchRequest() }

    /// Creates a request for all rows of an entity.
    /// - Parameter entityName: The name of an entity whose class is `Object`, or of any entity if `Object` is
    ///   `ManagedObject`.
    public init(entityName: String) { request = FetchRequest(entityName: entityName) }

    /// Adds a condition.
    /// - Returns: A copy of the request with the condition; rows must match all added conditions.
    public func `where`(_ predicate: FetchPredicate) -> BatchUpdateRequest {
        var update = self
        update.request = request.where(predicate)
        return update
    }

    /// Adds a condition made of key paths, such as `\.age >= 18 && \.team?.city == "Ulm"`.
    /// - Returns: A copy of the request with the condition; rows must match all added conditions.
    public func `where`(_ predicate: TypedPredicate<Object>) -> BatchUpdateRequest {
        self.where(FetchPredicate(predicate))
    }

    /// Adds a condition as a format string, in the syntax of `NSPredicate`.
    /// - Parameters:
    ///   - format: The text of the predicate, with placeholders such as `%@` and `%K`.
    ///   - arguments: The values of the placeholders, in order.
    /// - Returns: A copy of the request with the condition; rows must match all added conditions.
    /// - Throws: ``FetchPredicateError`` when the format is not a valid predicate, or the arguments do not match its
    ///   placeholders.
    public func `where`(format: String, _ arguments: (any PredicateArgument)?...) throws(FetchPredicateError)
        -> BatchUpdateRequest
    {
        self.where(try FetchPredicate(format: format, argumentArray: arguments))
    }

    /// Sets a property to a value.
    /// - Returns: A copy of the request that sets the property; the value replaces an earlier one for the same
    ///   property.
    public func setting<Value: PredicateArgument>(_ keyPath: KeyPath<Object, Value>, to value: Value)
        -> BatchUpdateRequest
    {
        setting(keyPath, to: constant(value, of: keyPath))
    }

    /// Sets a property to a value or to `nil`.
    /// - Returns: A copy of the request that sets the property; the value replaces an earlier one for the same
    ///   property.
    public func setting<Value: PredicateArgument>(_ keyPath: KeyPath<Object, Value?>, to value: Value?)
        -> BatchUpdateRequest
    {
        setting(keyPath, to: constant(value, of: keyPath))
    }

    /// Returns the value as an expression; seconds for a Date attribute become the date that the store contains.
    private func constant(_ value: (any PredicateArgument)?, of keyPath: AnyKeyPath) -> FetchExpression {
        let expression = FetchExpression(forConstantValue: value)
        return givesSeconds(keyPath) ? FetchExpression(.cast(expression.node, to: .date, offset: 0)) : expression
    }

    /// Sets a property to a value that is computed from the row before the update.
    /// - Parameters:
    ///   - keyPath: The property.
    ///   - expression: The value, such as `try FetchExpression(format: "age + 1")`.
    /// - Returns: A copy of the request that sets the property; the value replaces an earlier one for the same
    ///   property.
    public func setting<Value>(_ keyPath: KeyPath<Object, Value>, to expression: FetchExpression)
        -> BatchUpdateRequest
    {
        // If the key path is not a property of the model, the error contains the text of the key path.
        let key = SortKey(keyPath)
        return setting(key.path ?? key.text, to: expression)
    }

    /// Sets the property with a name to a value or to `nil`.
    /// - Parameters:
    ///   - name: The name of the property, or a path such as `address.city` for an element of a composite attribute.
    ///   - value: The value, or `nil` to remove the value.
    /// - Returns: A copy of the request that sets the property; the value replaces an earlier one for the same
    ///   property.
    public func setting(_ name: String, to value: (any PredicateArgument)?) -> BatchUpdateRequest {
        setting(name, to: FetchExpression(forConstantValue: value))
    }

    /// Sets the property with a name to a value that is computed from the row before the update.
    /// - Parameters:
    ///   - name: The name of the property, or a path such as `address.city` for an element of a composite attribute.
    ///   - expression: The value, such as `try FetchExpression(format: "age + 1")`.
    /// - Returns: A copy of the request that sets the property; the value replaces an earlier one for the same
    ///   property.
    public func setting(_ name: String, to expression: FetchExpression) -> BatchUpdateRequest {
        var update = self
        update.propertiesToUpdate[name] = expression
        return update
    }
}

/// The result of a batch update.
public struct BatchUpdateResult: Sendable {
    /// The number of rows that matched the predicate and were updated.
    public let updatedObjectsCount: Int
    /// The rows that were written, including rows whose derived attributes were computed again.
    let rows: [EntityRowKeys]

    /// The object IDs of the written rows: the rows that matched the predicate, and the rows whose derived attributes
    /// changed.
    ///
    /// They are in the order of the model's entities, and within an entity in the order of their
    /// [row keys](doc:Glossary#Store).
    /// - Complexity: O(n) in the number of rows.
    public var updatedObjectIDs: [ManagedObjectID] {
        rows.flatMap(\.objectIDs)
    }

    /// The changes to pass to ``ManagedObjectContext/mergeChanges(_:)``: ``updatedObjectIDs`` as updated objects.
    /// - Complexity: O(n) in the number of rows.
    public var changes: ObjectIDChanges { ObjectIDChanges(updated: Set(updatedObjectIDs)) }
}
