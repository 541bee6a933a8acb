/// A delegate that is notified of saved changes to the objects of a controller (rule S48 of <doc:Core-Data-Rules>).
///
/// All methods have default implementations; implement only the methods that you need. For each save that changes the
/// controller's objects, the methods are called in this order: before the changes, insertions, deletions, updates,
/// after the changes. A method for insertions, deletions or updates is called only if there are any.
///
/// `Object` is the class of the controller's objects, as in ``FetchedResultsControllerDelegate``, and a class that is
/// isolated to the main actor conforms in the same way, with `@MainActor`. The methods are called on the main actor.
public protocol FetchedObjectsControllerDelegate<Object>: AnyObject {
    /// The class of the controller's objects.
    associatedtype Object: ManagedObject

    /// A method that is called before the changes of a save are reported.
    func controllerWillUpdateObjects(_ controller: FetchedObjectsController<Object>)

    /// Reports the objects that match the request now and did not match it before.
    func controller(
        _ controller: FetchedObjectsController<Object>,
        didDetectAdditions objects: Set<Object>
    )

    /// Reports the objects that were deleted or no longer match the request.
    func controller(
        _ controller: FetchedObjectsController<Object>,
        didDetectDeletions objects: Set<Object>
    )

    /// Reports the objects that were changed and still match the request.
    func controller(
        _ controller: FetchedObjectsController<Object>,
        didDetectUpdates objects: Set<Object>
    )

    /// A method that is called after all changes of a save have been reported.
    func controllerDidUpdateObjects(_ controller: FetchedObjectsController<Object>)
}

extension FetchedObjectsControllerDelegate {
    /// The default implementation, which does nothing.
    public func controllerWillUpdateObjects(_ controller: FetchedObjectsController<Object>) {}

    /// The default implementation, which does nothing.
    public func controller(
        _ controller: FetchedObjectsController<Object>,
        didDetectAdditions objects: Set<Object>
    ) {}

    /// The default implementation, which does nothing.
    public func controller(
        _ controller: FetchedObjectsController<Object>,
        didDetectDeletions objects: Set<Object>
    ) {}

    /// The default implementation, which does nothing.
    public func controller(
        _ controller: FetchedObjectsController<Object>,
        didDetectUpdates objects: Set<Object>
    ) {}

    /// The default implementation, which does nothing.
    public func controllerDidUpdateObjects(_ controller: FetchedObjectsController<Object>) {}
}
