/// One section of a results controller: neighbouring objects with one value of the section key path.
public struct FetchedResultsSectionInfo<Object: ManagedObject> {
    /// The value of the section key path as text; empty without a key path, and for objects that have no value.
    public let name: String
    /// The short form for an index: the first letter of the name, unless the delegate has another one.
    public let indexTitle: String
    /// The objects, in order.
    public let objects: [Object]
    /// How many objects there are.
    public var numberOfObjects: Int { objects.count }
}
