/// A snapshot of an object's stored properties: the generated `Values` of a class.
///
/// It is Sendable and crosses isolation, and it is the fast path for bulk reads: ``ManagedObjectContext/fetchValues(_:)``.
public protocol ManagedObjectValues: Sendable {
    /// The class whose objects have these values.
    associatedtype Object: ManagedObject
    /// The identity of the object.
    var objectID: ObjectID<Object> { get }
}
