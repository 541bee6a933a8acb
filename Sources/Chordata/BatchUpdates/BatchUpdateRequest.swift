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

    /// Creates a request for all rows of an entity: with `ManagedObject` for the class, of any.
    public init(entityName: String) { request = FetchRequest(entityName: entityName) }

    /// Adds a condition to what is there.
    public func `where`(_ predicate: FetchPredicate) -> BatchUpdateRequest {
        var update = self
        update.request = request.where(predicate)
        return update
    }

    /// Adds a condition made of key paths: `\.age >= 18 && \.team?.city == "Ulm"`.
    public func `where`(_ predicate: TypedPredicate<Object>) -> BatchUpdateRequest {
        self.where(FetchPredicate(predicate))
    }

    /// Adds a condition as a format string, as `NSPredicate` has them.
    /// - Throws: ``FetchPredicateError`` when the text is not a predicate.
    public func `where`(format: String, _ arguments: (any PredicateArgument)?...) throws(FetchPredicateError)
        -> BatchUpdateRequest
    {
        self.where(try FetchPredicate(format: format, argumentArray: arguments))
    }

    /// Gives a property a value.
    public func setting<Value: PredicateArgument>(_ keyPath: KeyPath<Object, Value>, to value: Value)
        -> BatchUpdateRequest
    {
        setting(keyPath, to: FetchExpression(forConstantValue: value))
    }

    /// Gives a property a value, or none.
    public func setting<Value: PredicateArgument>(_ keyPath: KeyPath<Object, Value?>, to value: Value?)
        -> BatchUpdateRequest
    {
        setting(keyPath, to: FetchExpression(forConstantValue: value))
    }

    /// Gives a property what is computed of the row as it was: `try FetchExpression(format: "age + 1")`.
    public func setting<Value>(_ keyPath: KeyPath<Object, Value>, to expression: FetchExpression)
        -> BatchUpdateRequest
    {
        // A key path that is not a property of the model is reported by its text.
        let key = SortKey(keyPath)
        return setting(key.path ?? key.text, to: expression)
    }

    /// Gives a property a value by its name, or none.
    public func setting(_ name: String, to value: (any PredicateArgument)?) -> BatchUpdateRequest {
        setting(name, to: FetchExpression(forConstantValue: value))
    }

    /// Gives a property by its name what is computed of the row as it was.
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

    /// The same for ``ManagedObjectContext/mergeChanges(_:)``.
    /// - Complexity: O(n) in the number of rows.
    public var changes: ObjectIDChanges { ObjectIDChanges(updated: Set(updatedObjectIDs)) }
}

/// Rows of one entity.
struct UpdatedRows: Sendable {
    let type: EntityType
    /// In ascending order.
    let keys: [Int64]
}
