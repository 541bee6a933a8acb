import Chordata

/// The round trip of the generated class of a concrete entity, statement by statement.
public protocol EntityDriver: ValuesDriver where Values.Object == Object {
    associatedtype Object: ManagedObject

    /// Inserts an object; a sparse object is created by the initializer with the required properties.
    static func insert(into context: ManagedObjectContext, _ row: Row) -> Object
    /// Sets all attributes.
    static func set(_ object: Object, _ row: Row)
    /// Sets the relationships that are set from this end.
    static func link(_ object: Object, _ row: Row)
    /// Compares all properties.
    static func compare(_ object: Object, _ row: Row)
    /// Calls the functions of relationships, and then restores the previous state.
    static func callAccessors(_ object: Object, _ row: Row)
    /// Reads all fetched properties.
    static func readFetchedProperties(_ object: Object, _ row: Row)
    /// The names of all properties from the single cases of `PropertyKey`, and from its list of all cases.
    static var propertyKeys: (single: [String], all: [String]) { get }
    /// The name of each property with an accessor, and the name that belongs to its key path.
    static var keyPathNames: [(String, String)] { get }
}

extension EntityDriver {
    static func insertAny(into context: ManagedObjectContext, _ row: Row) -> ManagedObject {
        insert(into: context, row)
    }

    /// Returns an object as an instance of the expected class.
    private static func object(_ object: ManagedObject, _ row: Row) -> Object? {
        let typed = object as? Object
        row.report.expect(typed != nil, "\(entityName): an object is a \(type(of: object))")
        return typed
    }

    static func setAny(_ object: ManagedObject, _ row: Row) {
        if let object = self.object(object, row) { set(object, row) }
    }
    static func linkAny(_ object: ManagedObject, _ row: Row) {
        if let object = self.object(object, row) { link(object, row) }
    }
    static func compareAny(_ object: ManagedObject, _ row: Row) {
        if let object = self.object(object, row) { compare(object, row) }
    }
    static func callAccessorsOfAny(_ object: ManagedObject, _ row: Row) {
        if let object = self.object(object, row) {
            callAccessors(object, row)
            readFetchedProperties(object, row)
        }
    }

    /// Fetches all objects of the class, including those of subentities.
    static func fetchAll(
        in context: ManagedObjectContext,
        batchSize: Int = 0,
        prefetching relationships: [String] = []
    ) throws -> [ManagedObject] {
        var request = Object.fetchRequest()
        request.includesSubentities = false
        request.fetchBatchSize = batchSize
        request.relationshipKeyPathsForPrefetching = relationships
        return try context.fetch(request)
    }

    /// Returns the object with a row key, by its typed object ID.
    static func existing(_ key: Int64, in context: ManagedObjectContext) throws -> ManagedObject {
        try context.existingObject(with: ObjectID<Object>(key: key))
    }

    /// Returns the object with a row key, which is a fault unless it is registered in the context.
    static func fault(_ key: Int64, in context: ManagedObjectContext) -> ManagedObject? {
        context.object(with: ObjectID<Object>(key: key))
    }
}
