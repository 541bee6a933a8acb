/// A section of a results controller: consecutive objects with the same value of the section key path.
///
/// The properties always reflect the controller's current objects, even if these have changed since the section was
/// read.
public struct FetchedResultsSectionInfo<Object: ManagedObject> {
    /// The value of the section key path as a string; empty without a section key path, and for objects without a
    /// value.
    public var name: String { section.name.text }
    /// The index title of the section: the title that the delegate returns, or the first letter of the name in upper
    /// case.
    public let indexTitle: String
    let section: ResultsSection

    /// The objects, in order; empty after the section was removed.
    /// - Complexity: O(n).
    public var objects: [Object] { section.rows.objects() }
    /// The number of objects.
    public var numberOfObjects: Int { section.rows.count }
}

extension OrderStatisticTree<ResultsRow> {
    /// Returns the objects of the rows, which all have the same class.
    func objects<Object: ManagedObject>() -> [Object] {
        var objects: [Object] = []
        objects.reserveCapacity(count)
        forEach { objects.append($0.object(as: Object.self)) }
        return objects
    }

    /// The object IDs of the rows.
    var objectIDs: [ManagedObjectID] {
        var identities: [ManagedObjectID] = []
        identities.reserveCapacity(count)
        forEach { identities.append($0.objectID) }
        return identities
    }
}

extension ResultsRow {
    /// Returns the object, which must have the class of the list's objects.
    func object<Object: ManagedObject>(as _: Object.Type) -> Object { unsafeDowncast(object, to: Object.self) }
}
