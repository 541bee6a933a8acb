/// One section of a results controller: neighbouring objects with one value of the section key path.
///
/// What it says of its objects is what the list has now, also when the list has changed since.
public struct FetchedResultsSectionInfo<Object: ManagedObject> {
    /// The value of the section key path as text; empty without a key path, and for objects that have no value.
    public var name: String { section.name }
    /// The short form for an index: the first letter of the name, unless the delegate has another one.
    public let indexTitle: String
    let section: ResultsSection

    /// The objects, in order; none once the section is gone.
    /// - Complexity: O(n).
    public var objects: [Object] { section.rows.objects() }
    /// How many objects there are.
    public var numberOfObjects: Int { section.rows.count }
}

extension OrderStatisticTree<ResultsRow> {
    /// The objects of the rows, which are of one class.
    func objects<Object: ManagedObject>() -> [Object] {
        var objects: [Object] = []
        objects.reserveCapacity(count)
        forEach { if let object = $0.object { objects.append(unsafeDowncast(object, to: Object.self)) } }
        return objects
    }
}
