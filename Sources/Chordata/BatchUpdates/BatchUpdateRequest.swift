public import ChordataPredicate

/// A request that gives properties of many rows other values in the store, without objects (S23).
///
/// ```swift
/// let request = try BatchUpdateRequest<Message>().where(format: "date < %@", lastWeek).setting(\.isRead, to: true)
/// let result = try context.execute(request)
/// context.mergeChanges(result.changes)
/// ```
public struct BatchUpdateRequest<Object: ManagedObject>: Sendable {
    /// The condition; `nil` for all rows.
    public var predicate: FetchPredicate? {
        get { request.predicate }
        set { request.predicate = newValue }
    }
    /// A Boolean value that indicates whether rows of entities that inherit from the entity are updated too.
    public var includesSubentities: Bool {
        get { request.includesSubentities }
        set { request.includesSubentities = newValue }
    }
    /// The name of the entity.
    public var entityName: String { request.entityName }
    /// The new values by the names of the properties, elements of composites as `address.city`: constants, and what is
    /// computed of the row as it was.
    public var propertiesToUpdate: [String: FetchExpression] = [:]

    /// The rows.
    private(set) var request: FetchRequest<Object>

    /// Creates a request for all rows of a class.
    public init() { request = FetchRequest() }

    /// Creates a request for all rows of an entity.
    /// - Parameter entityName: The name of an entity whose objects are of class `Object`; any entity where that is
    ///   `ManagedObject`.
    public init(entityName: String) { request = FetchRequest(entityName: entityName) }

    /// Adds a condition.
    /// - Returns: A copy of the request with the condition; rows must meet all conditions that were added.
    public func `where`(_ predicate: FetchPredicate) -> BatchUpdateRequest {
        var update = self
        update.request = request.where(predicate)
        return update
    }

    /// Adds a condition made of key paths: `\.age >= 18 && \.team?.city == "Ulm"`.
    /// - Returns: A copy of the request with the condition; rows must meet all conditions that were added.
    public func `where`(_ predicate: TypedPredicate<Object>) -> BatchUpdateRequest {
        self.where(FetchPredicate(predicate))
    }

    /// Adds a condition as a format string, in the syntax of `NSPredicate`.
    /// - Parameters:
    ///   - format: The text of the predicate, with placeholders such as `%@` and `%K`.
    ///   - arguments: The values of the placeholders, in order.
    /// - Returns: A copy of the request with the condition; rows must meet all conditions that were added.
    /// - Throws: ``FetchPredicateError`` when the text is not a predicate, or the arguments do not fit it.
    public func `where`(format: String, _ arguments: (any PredicateArgument)?...) throws(FetchPredicateError)
        -> BatchUpdateRequest
    {
        self.where(try FetchPredicate(format: format, argumentArray: arguments))
    }

    /// Sets a property to a value.
    /// - Returns: A copy of the request that sets the property, in place of an earlier value for it.
    public func setting<Value: PredicateArgument>(_ keyPath: KeyPath<Object, Value>, to value: Value)
        -> BatchUpdateRequest
    {
        setting(keyPath, to: FetchExpression(forConstantValue: value))
    }

    /// Sets a property to a value or to `nil`.
    /// - Returns: A copy of the request that sets the property, in place of an earlier value for it.
    public func setting<Value: PredicateArgument>(_ keyPath: KeyPath<Object, Value?>, to value: Value?)
        -> BatchUpdateRequest
    {
        setting(keyPath, to: FetchExpression(forConstantValue: value))
    }

    /// Sets a property to a value that is computed of the row as it was.
    /// - Parameters:
    ///   - keyPath: The property.
    ///   - expression: The value, such as `try FetchExpression(format: "age + 1")`.
    /// - Returns: A copy of the request that sets the property, in place of an earlier value for it.
    public func setting<Value>(_ keyPath: KeyPath<Object, Value>, to expression: FetchExpression)
        -> BatchUpdateRequest
    {
        // A key path that is not a property of the model is reported by its text.
        let key = SortKey(keyPath)
        return setting(key.path ?? key.text, to: expression)
    }

    /// Sets a property, by its name, to a value or to `nil`.
    /// - Parameters:
    ///   - name: The name of the property; for an element of a composite as `address.city`.
    ///   - value: The value; `nil` for none.
    /// - Returns: A copy of the request that sets the property, in place of an earlier value for it.
    public func setting(_ name: String, to value: (any PredicateArgument)?) -> BatchUpdateRequest {
        setting(name, to: FetchExpression(forConstantValue: value))
    }

    /// Sets a property, by its name, to a value that is computed of the row as it was.
    /// - Parameters:
    ///   - name: The name of the property; for an element of a composite as `address.city`.
    ///   - expression: The value, such as `try FetchExpression(format: "age + 1")`.
    /// - Returns: A copy of the request that sets the property, in place of an earlier value for it.
    public func setting(_ name: String, to expression: FetchExpression) -> BatchUpdateRequest {
        var update = self
        update.propertiesToUpdate[name] = expression
        return update
    }
}

/// The result of a batch update.
public struct BatchUpdateResult: Sendable {
    /// The number of rows that meet the condition, and have the new values.
    public let updatedObjectsCount: Int
    /// The rows that were written, with those whose derived attributes have followed.
    let rows: [UpdatedRows]

    /// The objects whose rows were written: those that meet the condition, and those whose derived attributes have
    /// followed; in the order of the model's entities, and then of their insertion.
    /// - Complexity: O(n) in the number of rows.
    public var updatedObjectIDs: [ManagedObjectID] {
        rows.flatMap { rows in rows.keys.map { ManagedObjectID(entityType: rows.type, key: $0) } }
    }

    /// The ``updatedObjectIDs`` in the form that ``ManagedObjectContext/mergeChanges(_:)`` takes.
    /// - Complexity: O(n) in the number of rows.
    public var changes: ObjectIDChanges { ObjectIDChanges(updated: Set(updatedObjectIDs)) }
}

/// Rows of one entity.
struct UpdatedRows: Sendable {
    let type: EntityType
    /// In ascending order.
    let keys: [Int64]
}
