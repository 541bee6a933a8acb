/// A delegate that is notified of saved changes to the objects of a controller (rule S48 of <doc:Core-Data-Rules>):
/// first the beginning, then insertions, deletions and updates, then the end.
///
/// All methods have defaults, so implement those you need. Of additions, deletions and updates only those are called
/// that there are.
@MainActor
public protocol FetchedObjectsControllerDelegate: AnyObject {
    /// Comes before the changes of a save.
    func controllerWillUpdateObjects<Object: ManagedObject>(_ controller: FetchedObjectsController<Object>)

    /// Gives the objects that match the request now.
    func controller<Object: ManagedObject>(
        _ controller: FetchedObjectsController<Object>,
        didDetectAdditions objects: Set<Object>
    )

    /// Reports the objects that do not match any more, or were deleted.
    func controller<Object: ManagedObject>(
        _ controller: FetchedObjectsController<Object>,
        didDetectDeletions objects: Set<Object>
    )

    /// Gives the objects that were changed and still match.
    func controller<Object: ManagedObject>(
        _ controller: FetchedObjectsController<Object>,
        didDetectUpdates objects: Set<Object>
    )

    /// Comes after the changes of a save.
    func controllerDidUpdateObjects<Object: ManagedObject>(_ controller: FetchedObjectsController<Object>)
}

extension FetchedObjectsControllerDelegate {
    /// Does nothing.
    public func controllerWillUpdateObjects<Object: ManagedObject>(_ controller: FetchedObjectsController<Object>) {}

    /// Does nothing.
    public func controller<Object: ManagedObject>(
        _ controller: FetchedObjectsController<Object>,
        didDetectAdditions objects: Set<Object>
    ) {}

    /// Does nothing.
    public func controller<Object: ManagedObject>(
        _ controller: FetchedObjectsController<Object>,
        didDetectDeletions objects: Set<Object>
    ) {}

    /// Does nothing.
    public func controller<Object: ManagedObject>(
        _ controller: FetchedObjectsController<Object>,
        didDetectUpdates objects: Set<Object>
    ) {}

    /// Does nothing.
    public func controllerDidUpdateObjects<Object: ManagedObject>(_ controller: FetchedObjectsController<Object>) {}
}
