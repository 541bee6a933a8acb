/// A request to insert many rows, each from a dictionary or by a closure (rule U12 of <doc:Core-Data-Rules>).
///
/// ```swift
/// var lines = text.split(separator: "\n").makeIterator()
/// let request = BatchInsertRequest<Player>(managedObjectHandler: { player in
///     guard let line = lines.next() else { return true }
///     player.name = String(line)
///     return false
/// })
/// let result = try context.execute(request)
/// ```
///
/// For rows in the form of generated `Values` (``ManagedObjectValues``), ``ManagedObjectContext/insertValues(_:)`` is
/// faster.
public struct BatchInsertRequest<Object: ManagedObject> {
    enum Source {
        case dictionaries([[String: Any?]])
        case dictionaryHandler((inout [String: Any?]) throws -> Bool)
        case managedObjectHandler((Object) throws -> Bool)
    }

    /// The name of the entity.
    public let entityName: String
    /// The store into which the objects are inserted, as the first element of an array.
    ///
    /// The first element must be a store of the context's coordinator; other elements are ignored. If the value is
    /// `nil` or empty, the objects are inserted into the first store that has the entity and is not read-only.
    public var affectedStores: [PersistentStore]?
    let source: Source

    /// Creates a request that inserts a row for each dictionary of an array.
    ///
    /// - Parameters:
    ///   - entityName: The name of an entity whose class is `Object`, or of any entity if `Object` is `ManagedObject`;
    ///     `nil` for the entity of the class. The execution traps if the entity is abstract.
    ///   - objects: The values, keyed by property name: attributes with values of the types that
    ///     ``ManagedObject/setValue(_:forKey:)`` accepts, and to-one relationships with a ``ManagedObjectID``. The key
    ///     of an element of a composite attribute is a path such as `address.city`. Attributes without a key have their
    ///     default values; `nil` and `NSNull` set the property to `nil`, not to its default value, also in an existing
    ///     object that the insertion updates.
    public init(entityName: String? = nil, objects: [[String: Any?]]) {
        self.init(entityName, .dictionaries(objects))
    }

    /// Creates a request that inserts rows from dictionaries, which a closure fills one after another.
    ///
    /// - Parameters:
    ///   - entityName: The name of an entity whose class is `Object`, or of any entity if `Object` is `ManagedObject`;
    ///     `nil` for the entity of the class. The execution traps if the entity is abstract.
    ///   - dictionaryHandler: A closure that is passed an empty dictionary, and fills it as
    ///     ``init(entityName:objects:)`` describes. It returns `true` if there is nothing left to insert; the
    ///     dictionary of this call is ignored. If it throws, nothing is inserted.
    public init(entityName: String? = nil, dictionaryHandler: @escaping (inout [String: Any?]) throws -> Bool) {
        self.init(entityName, .dictionaryHandler(dictionaryHandler))
    }

    /// Creates a request that inserts objects, whose properties a closure sets one after another.
    ///
    /// - Parameters:
    ///   - entityName: The name of an entity whose class is `Object`, or of any entity if `Object` is `ManagedObject`;
    ///     `nil` for the entity of the class. The execution traps if the entity is abstract.
    ///   - managedObjectHandler: A closure that is passed a new object with default values, and sets its properties.
    ///     Relationships can be set to objects of its ``ManagedObject/managedObjectContext``, which is a temporary
    ///     context. The closure returns `true` if there is nothing left to insert; the object of this call is ignored.
    ///     If it throws, nothing is inserted.
    public init(entityName: String? = nil, managedObjectHandler: @escaping (Object) throws -> Bool) {
        self.init(entityName, .managedObjectHandler(managedObjectHandler))
    }

    private init(_ entityName: String?, _ source: Source) {
        self.entityName = entityName ?? FetchRequest<Object>().entityName
        self.source = source
    }
}

/// The result of a batch insertion.
public struct BatchInsertResult: Sendable {
    /// The object IDs of the inserted objects, in the order of the request.
    ///
    /// If an object violates a uniqueness constraint and the merge policy resolves this, its element is the object ID
    /// of the existing object, which the policy has updated or left unchanged, or of another object of the request that
    /// the policy has kept.
    public let insertedObjectIDs: [ManagedObjectID]

    /// The number of elements of ``insertedObjectIDs``, which includes existing objects that the merge policy has
    /// updated or left unchanged.
    public var insertedObjectsCount: Int { insertedObjectIDs.count }

    /// The changes to pass to ``ManagedObjectContext/mergeChanges(_:)`` of contexts of other containers; the contexts
    /// of this container receive the new rows as they receive a save.
    ///
    /// The inserted objects are all new objects, including other objects that the closure of the request has created in
    /// the context of its object. Updated objects are the existing objects that the merge policy has updated, and those
    /// whose to-one relationships or derived attributes the insertion has changed. An existing object that the policy
    /// has left unchanged is in neither set.
    public let changes: ObjectIDChanges

    init(_ keys: [Int64], _ type: RuntimeEntity, _ changes: ObjectIDChanges) {
        (insertedObjectIDs, self.changes) = (keys.map { ManagedObjectID(runtimeEntity: type, key: $0) }, changes)
    }
}

/// An error in a dictionary of a batch insertion; nothing was inserted.
public enum BatchInsertError: Error, Sendable, Hashable {
    /// The entity has no property with that name; the suggestion is a property with a similar name, or `nil`.
    ///
    /// The index is the position of the dictionary, counted from 0.
    case unknownProperty(String, entityName: String, index: Int, suggestion: String?)
    /// A dictionary cannot set the property; see the reason.
    case notInsertable(String, entityName: String, index: Int, reason: String)
    /// A value does not have the property's type or is out of its range.
    case invalidValue(String, entityName: String, typeName: String, index: Int)
}

extension BatchInsertError: CustomStringConvertible {
    /// A textual description of the error.
    public var description: String { "nothing was inserted: " + reason }

    private var reason: String {
        switch self {
        case .unknownProperty(let name, let entityName, let index, let suggestion):
            "the dictionary at index \(index) has a value for '\(name)', but '\(entityName)' has no property of that name"
                + (suggestion.map { "; did you mean '\($0)'?" } ?? "; remove the key")
        case .notInsertable(let name, let entityName, let index, let reason):
            "the dictionary at index \(index) has a value for '\(name)' of '\(entityName)', which \(reason); remove the key"
        case .invalidValue(let name, let entityName, let typeName, let index):
            "'\(name)' of '\(entityName)' has type \(typeName), but its value in the dictionary at index \(index) has another "
                + "type or is out of range; set another value"
        }
    }
}
