extension Snippet {
    /// Delegates that a results controller could not call.
    static let delegates = [
        // F7
        Snippet(
            "a results controller for dictionaries",
            """
            import Chordata
            func use(_ controller: FetchedResultsController<[String: Any]>) {}  // error: inherit from 'ManagedObject'
            """
        ),
        Snippet(
            "a results controller for object IDs",
            """
            import Chordata
            func use(_ controller: FetchedResultsController<ManagedObjectID>) {}  // error: inherit from 'ManagedObject'
            """
        ),
        Snippet(
            "a delegate for controllers of another class",
            """
            import Chordata
            final class Shelves: FetchedResultsControllerDelegate {
                func controllerDidChangeContent(_ controller: FetchedResultsController<Shelf>) {}
            }
            func use(_ controller: FetchedResultsController<Article>, _ shelves: Shelves) {
                controller.delegate = shelves  // error: cannot assign value of type 'Shelves'
            }
            """
        ),
        Snippet(
            "a delegate for controllers of two classes",
            """
            import Chordata
            final class Both: FetchedResultsControllerDelegate {  // error: does not conform to protocol 'FetchedResultsControllerDelegate'
                func controllerDidChangeContent(_ controller: FetchedResultsController<Article>) {}
                func controllerWillChangeContent(_ controller: FetchedResultsController<Shelf>) {}
            }
            """
        ),
        Snippet(
            "a delegate with methods for every class",
            """
            import Chordata
            final class Every: FetchedResultsControllerDelegate {  // error: does not conform to protocol 'FetchedResultsControllerDelegate'
                func controllerDidChangeContent<Object: ManagedObject>(_ controller: FetchedResultsController<Object>) {}
            }
            """
        ),
        Snippet(
            "a delegate whose methods have other names",
            """
            import Chordata
            final class Misspelt: FetchedResultsControllerDelegate {  // error: does not conform to protocol 'FetchedResultsControllerDelegate'
                func controllerDidChangeContents(_ controller: FetchedResultsController<Article>) {}
            }
            """
        ),
        Snippet(
            "a delegate of the main actor without an isolated conformance",
            """
            import Chordata
            @MainActor final class Screen: FetchedResultsControllerDelegate {  // error: crosses into main actor-isolated code
                func controllerDidChangeContent(_ controller: FetchedResultsController<Article>) {}
            }
            """
        ),
        Snippet(
            "a snapshot delegate without its method",
            """
            import Chordata
            final class Silent: FetchedResultsSnapshotDelegate {
                typealias Object = Article
                func controller(_ controller: FetchedResultsController<Article>, didChange snapshot: FetchedResultsSnapshot) {}  // error: different argument labels from those required
            }
            """
        ),
        Snippet(
            "a delegate of a set for another class",
            """
            import Chordata
            final class SavedShelves: FetchedObjectsControllerDelegate {
                func controller(_ controller: FetchedObjectsController<Shelf>, didDetectUpdates objects: Set<Shelf>) {}
            }
            @MainActor func use(_ controller: FetchedObjectsController<Article>, _ shelves: SavedShelves) {
                controller.delegate = shelves  // error: cannot assign value of type 'SavedShelves'
            }
            """
        ),
        Snippet(
            "a delegate of a set with the objects of another class",
            """
            import Chordata
            final class Mixed: FetchedObjectsControllerDelegate {  // error: does not conform to protocol 'FetchedObjectsControllerDelegate'
                func controller(_ controller: FetchedObjectsController<Article>, didDetectUpdates objects: Set<Shelf>) {}
            }
            """
        ),
        Snippet(
            "a delegate of a hierarchy for other classes",
            """
            import Chordata
            final class Tree: HierarchicalResultsControllerDelegate {
                func controllerDidChangeContent(_ controller: HierarchicalResultsController<Shelf, Article>) {}
            }
            func use(_ controller: HierarchicalResultsController<Article, Shelf>, _ tree: Tree) {
                controller.delegate = tree  // error: cannot assign value of type 'Tree'
            }
            """
        ),
    ]
}
