public import Chordata
import Foundation

/// The open items and the done items, each sorted by name: the list that a terminal and browsers show.
@MainActor
public final class DoneList {
    /// A row as a value.
    public struct Item: Sendable, Hashable, Codable {
        /// The row key of the object.
        public let id: Int64
        /// The name of the item.
        public let name: String
        /// A Boolean value that indicates whether the item is done.
        public let isDone: Bool
    }

    private let container: PersistentContainer
    private let controller: FetchedResultsController<TodoItem>
    private var context: ManagedObjectContext { container.viewContext }

    /// Opens the store at a path, or creates it.
    public init(at path: String) throws {
        container = try DoneModel.container(at: path)
        controller = FetchedResultsController(
            fetchRequest: TodoItem.fetchRequest().sorted(by: \.done).sorted(by: \.name),
            managedObjectContext: container.viewContext,
            sectionNameKeyPath: "done",
            cacheName: "list"
        )
        try controller.performFetch()
    }

    // MARK: Contents

    /// The object IDs of the items, in sections.
    public var snapshot: FetchedResultsSnapshot { controller.snapshot }
    /// The changes from now on.
    public var changes: AsyncStream<FetchedResultsChanges> { controller.changes }

    /// The title of a section of the list.
    public nonisolated static func title(ofSection name: String) -> String { name == "1" ? "Done" : "To do" }

    /// Returns the current state of an item.
    ///
    /// The name is empty if the item was deleted in the meantime, which another change reports.
    public func item(_ objectID: ManagedObjectID) -> Item {
        let item = context.registeredObject(for: objectID) as? TodoItem
        return Item(id: objectID.key, name: item?.name ?? "", isDone: item?.done ?? false)
    }

    // MARK: Edits

    /// Adds an open item.
    public func add(_ name: String) throws {
        _ = TodoItem(context: context, name: name, createdAt: Date())
        try context.save()
    }

    /// Changes an item, unless it no longer exists.
    private func edit(_ id: Int64, _ change: (TodoItem) -> Void) throws {
        guard let item = controller.fetchedObjects?.first(where: { $0.objectID.key == id }) else { return }
        change(item)
        try context.save()
    }

    /// Marks an open item as done, or a done item as open.
    public func toggle(_ id: Int64) throws { try edit(id) { $0.done.toggle() } }
    /// Renames an item.
    public func rename(_ id: Int64, to name: String) throws { try edit(id) { $0.name = name } }
    /// Deletes an item.
    public func delete(_ id: Int64) throws { try edit(id) { context.delete($0) } }
}
